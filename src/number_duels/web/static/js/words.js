/** How a table stands, in words. */

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Seat} Seat */
/** @typedef {import("./types.js").Kind} Kind */

/** @type {Seat[]} */
export const SEATS = [1, 2];

/** What whoever reads the page is called, where the other player is the computer and nobody chose a name. */
export const YOU = "You";

/**
 * What a player is called on the page.
 * @param {View} view
 * @param {Seat} seat
 */
export function shownName(view, seat) {
  const { name, you } = view.players[seat - 1];
  return you && view.players[2 - seat].who !== "human" && /^Player [12]$/.test(name) ? YOU : name;
}

/**
 * What both are called.
 * @param {View} view
 * @returns {[string, string]}
 */
export const shownNames = (view) => [shownName(view, 1), shownName(view, 2)];

/**
 * Whose something is, within a sentence.
 * @param {string} name
 */
export const whose = (name) => (name === YOU ? "your" : `${name}'s`);

/**
 * @param {View} view
 * @param {Seat} seat
 */
export const nameOf = (view, seat) => isolated(shownName(view, seat));

/**
 * A name written from right to left, shut off so that it leaves the line around it alone.
 * @param {string} name
 */
const isolated = (name) => (/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(name) ? `\u2068${name}\u2069` : name);

/**
 * Words with the players' names in them, each shut off where it needs to be.
 * @param {View} view
 * @param {string} text
 */
export const withNames = (view, text) => view.players.reduce((line, { name }) => (isolated(name) === name ? line : line.replaceAll(name, isolated(name))), text);

/**
 * Who still has to act now.
 * @param {View} view
 * @returns {Seat[]}
 */
export const awaited = (view) => view.to_move.filter((seat) => !view.chosen.includes(seat));

/**
 * The first seat that nobody has taken.
 * @param {View} view
 * @returns {Seat | undefined}
 */
export const freeSeat = (view) => SEATS.find((seat) => !view.players[seat - 1].seated);

/**
 * Whether it is the holder who must act.
 * @param {View} view
 */
export const yours = (view) => !view.over && !freeSeat(view) && (view.question !== null || view.draw);

/**
 * Who won; null is a draw.
 * @param {View} view
 * @returns {Seat | null}
 */
export const winner = (view) => (view.result === "1-0" ? 1 : view.result === "0-1" ? 2 : null);

/**
 * The one thing to know now, and a little more.
 * @param {View} view
 * @returns {{headline: string, detail: string}}
 */
export function standing(view) {
  if (view.over) return { headline: verdict(view), detail: withNames(view, view.reason) };
  if (freeSeat(view)) return { headline: view.you === null ? "A seat is free" : "Waiting for your friend", detail: "" };
  if (yours(view)) return { headline: "Your turn", detail: chosenOthers(view) };
  const waiting = awaited(view).map((seat) => nameOf(view, seat));
  if (view.you !== null && view.chosen.includes(view.you)) {
    return { headline: "You have chosen", detail: `Waiting for ${waiting.join(" and ")}.` };
  }
  if (waiting.length === 2) return { headline: `${waiting.join(" and ")} are choosing`, detail: "" };
  if (waiting.length === 1) return { headline: `${waiting[0]} is to move`, detail: chosenOthers(view) };
  return { headline: "Waiting", detail: "" };
}

/** @param {View} view */
function verdict(view) {
  const won = winner(view);
  if (won === null) return view.result === "*" ? "The game has ended" : "A draw";
  if (view.you === null) return `${nameOf(view, won)} wins`;
  return won === view.you ? "You win" : `${nameOf(view, won)} wins`;
}

/** @param {View} view */
function chosenOthers(view) {
  const others = view.chosen.filter((seat) => seat !== view.you);
  return others.map((seat) => `${nameOf(view, seat)} has chosen.`).join(" ");
}

/**
 * What a player is doing, in a word or two.
 * @param {View} view
 * @param {Seat} seat
 */
export function doing(view, seat) {
  const player = view.players[seat - 1];
  if (!player.seated) return "not here yet";
  if (freeSeat(view)) return "";
  if (view.over) return winner(view) === seat ? "winner" : "";
  const gone = player.who === "human" && !player.present && !player.you ? "left" : "";
  if (view.chosen.includes(seat)) return gone ? "chosen, left" : "chosen";
  if (gone) return gone;
  if (!awaited(view).includes(seat)) return "";
  return player.you ? "to move" : "thinking…";
}

/**
 * Lines worth reading beside a board: what was said, and the headings over it.
 * @param {{lines: string[], kinds: Kind[]}} told
 * @returns {{text: string, kind: Kind}[]}
 */
export function readable({ lines, kinds }) {
  const left = lines.map((text, index) => ({ text, kind: kinds[index] })).filter(({ text, kind }) => text.trim() && (kind === "said" || kind === "heading"));
  return left.filter(({ kind }, index) => kind === "said" || left[index + 1]?.kind === "said");
}

/**
 * What happened last, in whole sentences.
 * @param {View} view
 */
export function lastSaid(view) {
  if (!view.last) return "";
  const said = readable(view).filter(({ text, kind }) => kind === "said" && /[^.][.!]$/.test(text));
  return withNames(view, said.map(({ text }) => text.replace(/^- /, "")).join(" "));
}

/** What is to be said aloud: once a turn, and what a player has to know between turns. */
export class Unsaid {
  /** @param {(text: string) => void} speak */
  constructor(speak) {
    this.speak = speak;
    this.told = "";
    this.standing = "";
  }

  /**
   * @param {string} told what is new in the log
   * @param {View} view
   * @param {string[]} now how the game stands, and what is asked
   */
  add(told, view, now) {
    const standing = now.filter(Boolean).map((text) => (/[.!?]$/.test(text) ? text : `${text}.`)).join(" ");
    const first = this.standing === "";
    const changed = standing !== this.standing;
    this.standing = standing;
    this.told = first ? "" : `${this.told} ${told}`.trim();
    const computers = awaited(view).every((seat) => view.players[seat - 1].who !== "human");
    const over = Object.keys(view.last?.moves ?? {}).length > 0;
    // A computer answers in a moment, and a turn that has only begun is told when it is done.
    const soon = !view.over && computers && (this.told === "" || !over);
    if (!first && (soon || (!changed && this.told === ""))) return;
    this.speak(`${this.told} ${standing}`.trim());
    this.told = "";
  }
}
