/** Animates a turn: cards go down and turn over, numbers fly, count and are crossed out. */

import { Animations, COUNT_MS, FLIGHT_MS, TURN_MS, offset, way } from "./animations.js";
import { roundBegun } from "./board_middle.js";
import { keyOf, middle } from "./board_places.js";
import { SEATS } from "./words.js";

/** @typedef {Map<string, HTMLElement | null>} Ghosts */

/** How long both cards lie face down before they turn over. */
const SUSPENSE_MS = 300;
/** How long a computer seems to think. */
export const THINKING_MS = 550;
/** Distance between numbers in the middle, in widths of a tile. There is room for a sign between them. */
const APART = 1.5;
/** How long both cards lie face down, and how long the result of a round is shown, if nothing moves. */
const BEAT_MS = 450;
const STILL_MS = 1000;

const isReduced = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
export const isStill = () => document.hidden || isReduced();

export class Motion extends Animations {
  /**
   * Animate the change to a view. Ends when all animations have ended.
   * @param {View | null} before the view shown until now
   * @param {View} after
   * @param {(moving: View) => void} redraw draws what is shown during the animation
   */
  async play(before, after, redraw) {
    if (!before || document.hidden || after.turn - before.turn > 1) return;
    const happened = JSON.stringify(before.last) !== JSON.stringify(after.last);
    const arrived = roundBegun(after) ? after.chosen.filter((each) => !before.chosen.includes(each)) : [];
    if (!happened && arrived.length === 0) return;
    const movers = SEATS.filter((seat) => after.last?.moves[seat] !== undefined);
    if (isReduced()) {
      if (!happened || movers.length < 2) return;
      redraw({ ...silent(after), board: before.board, to_move: SEATS, last: before.last, chosen: SEATS, choice: (after.you && after.last?.moves[after.you]) || null });
      this.skipped = false;
      this.hold(BEAT_MS);
      await this.finished();
      if (this.skipped) return;
      const figures = before.board.map((part) => (part.kind === "meter" ? after.board.find((each) => same(each, part)) : null) ?? part);
      redraw({ ...silent({ ...after, board: figures, chosen: [] }), last: after.last });
      this.hold(STILL_MS);
      return this.finished();
    }
    if (happened && movers.length === 2) {
      // The board shows the result only after the cards have turned over.
      redraw(silent({ ...after, board: before.board, chosen: [] }));
      this.reveal(before, after);
      return this.finished();
    }
    const changes = changesOf(before.board, after.board);
    /** @type {Ghosts} */
    const old = new Map(happened ? changes.went.map((tile) => [tile.key, this.ghost(this.tile(tile.key), tile.text)]) : []);
    const pile = this.board.querySelector(".deck .pile");
    const deck = happened && pile ? this.ghost(pile, "") : null;
    deck?.classList.add("card", "down");
    redraw(happened ? silent(after) : after);
    if (!happened) for (const seat of arrived) this.layDown(after, seat, 0);
    else if (movers.length === 1) this.oneMove(after, movers[0], changes, old);
    else this.drawn(deck, after.question ? 0 : THINKING_MS);
    await this.finished();
  }

  /**
   * Lay a chosen card face down. It comes from the tile of its number, or from its player.
   * @param {View} after
   * @param {Seat} seat
   * @param {number} at
   */
  layDown(after, seat, at) {
    const card = this.slot(seat);
    const number = after.choice ?? after.last?.moves[seat];
    const tiles = [...this.board.querySelectorAll(`.middle [data-tile], .side.seat-${seat} [data-tile]`)];
    const tile = seat === after.you ? tiles.find((each) => each.textContent === number) : undefined;
    const from = tile ?? this.board.querySelector(`.side.seat-${seat} .player`);
    if (!card || !from) return;
    const [start, end] = [middle(from), middle(card)];
    this.animate(card, { translate: [offset({ x: start.x - end.x, y: start.y - end.y }), "0 0"], opacity: [0, 1, 1] }, { delay: at, duration: FLIGHT_MS });
  }

  /**
   * Lay both cards down, turn them over together, and animate their effect.
   * @param {View} before
   * @param {View} after
   */
  reveal(before, after) {
    const lying = roundBegun(before) ? before.chosen : [];
    const changes = changesOf(before.board, after.board);
    for (const seat of SEATS) if (!lying.includes(seat)) this.layDown(after, seat, 0);
    let at = SUSPENSE_MS + (lying.length < SEATS.length ? FLIGHT_MS : 0);
    for (const seat of SEATS) this.animate(this.slot(seat)?.querySelector(".played") ?? null, { transform: ["rotateY(180deg)", "rotateY(0deg)"] }, { delay: at, duration: TURN_MS });
    for (const { key } of changes.went) {
      // The own number is drawn as spent. The other one is secret until its card has turned over.
      if (!this.tile(key)?.matches(".spent")) this.animate(this.tile(key), { opacity: [1, 0.3] }, { delay: at + TURN_MS, duration: TURN_MS, fill: "both" });
    }
    at += TURN_MS + FLIGHT_MS / 2;
    const won = after.last?.won ?? null;
    for (const seat of SEATS) {
      if (won === null) this.animate(this.slot(seat), { rotate: ["0deg", "-5deg", "5deg", "0deg"] }, { delay: at, duration: COUNT_MS });
      else this.become(this.slot(seat), seat === won ? "winner" : "loser", at);
      if (seat === won) this.animate(this.slot(seat), { scale: [1, 1.2, 1] }, { delay: at, duration: COUNT_MS });
    }
    this.appear(this.board.querySelector(".said"), at);
    for (const figure of changes.figures) this.count({ ...figure, key: figure.was }, at, figure.owner === won && won ? this.slot(won) : null);
  }

  /**
   * Move the taken tiles to the middle, and from there to the tile or figure they change.
   * @param {View} after
   * @param {Seat} mover
   * @param {Changes} changes
   * @param {Ghosts} old
   */
  oneMove(after, mover, changes, old) {
    const other = mover === 1 ? 2 : 1;
    const words = (after.last?.moves[mover] ?? "").split(/\D+/);
    const taken = changes.went.filter(({ owner }) => owner !== other).sort((one, two) => words.indexOf(one.text) - words.indexOf(two.text));
    const struck = changes.went.filter(({ owner }) => owner === other);
    let at = after.players[mover - 1].who === "human" ? 0 : THINKING_MS;
    const changed = changes.figures.find(({ owner }) => owner !== null);
    const target = this.tile(struck[0]?.key ?? changes.came[0]?.key ?? changed?.key);
    const centre = middle(this.board.querySelector(".asked") ?? this.board);
    taken.forEach((tile, index) => {
      const ghost = old.get(tile.key);
      if (!ghost) return;
      if (tile.text === "?") {
        ghost.textContent = after.last?.drawn ?? "";
        ghost.classList.remove("down");
      }
      const stop = way(ghost, centre, (index - (taken.length - 1) / 2) * APART * ghost.offsetWidth);
      this.fly(ghost, stop, target ? way(ghost, middle(target)) : stop, at);
    });
    at += 3 * FLIGHT_MS;
    this.appear(this.board.querySelector(".said"), at);
    for (const tile of struck) this.strike(old.get(tile.key) ?? null, at);
    for (const tile of changes.came) this.appear(this.tile(tile.key), at);
    for (const figure of changes.figures) this.count(figure, at);
  }

  /**
   * Take a card from the deck and turn it over, then say what it is.
   * @param {HTMLElement | null} deck
   * @param {number} at
   */
  drawn(deck, at) {
    const card = this.board.querySelector(".held .card");
    if (!card) return;
    if (deck) {
      this.animate(deck, { translate: ["0 0", offset(way(deck, middle(card)))] }, { delay: at, duration: FLIGHT_MS, fill: "both" });
      this.animate(deck, { transform: ["rotateY(0)", "rotateY(90deg)"] }, { delay: at + FLIGHT_MS, duration: TURN_MS / 2, fill: "both" });
    }
    this.animate(card, { transform: ["rotateY(-90deg)", "rotateY(0)"] }, { delay: at + FLIGHT_MS + TURN_MS / 2, duration: TURN_MS / 2 });
    this.appear(this.board.querySelector(".said"), at + FLIGHT_MS + TURN_MS);
  }
}

/**
 * Return a view that does not reveal how a turn ended: nobody wins or has to move yet.
 * @param {View} view
 * @returns {View}
 */
const silent = (view) => ({ ...view, over: false, last: view.last && { ...view.last, won: null }, scene: { ...view.scene, stage: "working", headline: view.last?.when ?? "", detail: "", sides: view.scene.sides.map((side) => ({ ...side, doing: "" })) } });

/** @typedef {{key: string, owner: Seat | null, text: string}} Tile */
/** @typedef {{key: string, was: string, owner: Seat | null, from: number, to: number, full: number | null}} Figure a meter by its new and its old place */
/** @typedef {{went: Tile[], came: Tile[], figures: Figure[]}} Changes */

/**
 * @param {Part} one
 * @param {Part} other
 */
const same = (one, other) => one.label === other.label && one.owner === other.owner && one.kind === other.kind;

/**
 * Return the tiles that went (by old place) and came (by new place), and the figures that
 * changed.
 * @param {Part[]} before
 * @param {Part[]} after
 * @returns {Changes}
 */
function changesOf(before, after) {
  /** @type {Changes} */
  const found = { went: [], came: [], figures: [] };
  before.forEach((part, index) => {
    const now = after.find((each) => same(each, part));
    found.went.push(...tilesOf(part, index, now));
  });
  after.forEach((part, index) => {
    const old = before.find((each) => same(each, part));
    found.came.push(...tilesOf(part, index, old));
    if (part.kind === "meter" && old?.kind === "meter" && old.value !== part.value) {
      found.figures.push({ key: keyOf({ part: index, place: null }), was: keyOf({ part: before.indexOf(old), place: null }), owner: part.owner, from: old.value, to: part.value, full: part.full });
    }
  });
  return found;
}

/**
 * Return the tiles of a part that are missing from `other`, another state of the part.
 * @param {Part} part
 * @param {number} index
 * @param {Part | undefined} other
 * @returns {Tile[]}
 */
function tilesOf(part, index, other) {
  const had = other ? textsOf(other) : [];
  return textsOf(part).flatMap((text, place) => (text !== "" && (had[place] ?? "") !== text ? [{ key: keyOf({ part: index, place }), owner: part.owner, text }] : []));
}

/**
 * Return the text at each place of a part, or "" for an empty place.
 * @param {Part} part
 * @returns {string[]}
 */
function textsOf(part) {
  if (part.kind === "grid") return part.rows.flat().map((n) => (n === null ? "" : String(n)));
  if (part.kind === "numbers") return part.numbers.map((n) => (part.left.includes(n) ? String(n) : ""));
  return part.kind === "cards" ? part.cards : [];
}
