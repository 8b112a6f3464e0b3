/** Draws a board from its parts. It does not know what a part means. */

import { fill, h, whole } from "./dom.js";
import { keyOf, shareOf } from "./board_places.js";

/**
 * Additions to a board: the tiles that can be touched (by place), the content between the players,
 * the index of the part that is drawn there, and the number that the player here has just used.
 * @typedef {{offers?: Map<string, Offer>, middle?: Child, held?: number, spent?: {seat: Seat, text: string} | null}} Setting
 */

/** Wider grids do not fit side by side. */
const MAX_FACING_COLUMNS = 4;
/** Tiles are small enough for a row of at least this many. */
const MIN_ROW = 10;

/**
 * Draw the other player's side, then the shared parts, then the side of the player here.
 * @param {Part[]} parts
 * @param {Record<Seat, Element>} heads the content above each player's parts
 * @param {Seat} near the seat on this side
 * @param {Setting} [setting]
 * @returns {HTMLElement}
 */
export function drawBoard(parts, heads, near = 1, setting = {}) {
  const indexed = parts.map((part, index) => ({ part, index }));
  const draw = (/** @type {{part: Part, index: number}} */ { part, index }) => drawPart(part, index, setting);
  const side = (/** @type {Seat} */ seat) => {
    const own = indexed.filter(({ part, index }) => part.owner === seat && index !== setting.held);
    const where = seat === near ? "near" : "far";
    const name = heads[seat].querySelector(".name")?.textContent ?? `Player ${seat}`;
    return h("section", { class: `side ${where} seat-${seat}`, "aria-label": name }, heads[seat], h("div", { class: "parts" }, own.map(draw)));
  };
  const shared = indexed.filter(({ part }) => part.owner === null);
  const between = shared.length > 0 || setting.middle;
  const columns = Math.max(1, ...parts.map((part) => (part.kind === "grid" ? part.rows[0].length : 1)));
  return h(
    "div",
    { class: columns > MAX_FACING_COLUMNS ? "board broad" : "board", "--columns": columns, "--most": Math.max(MIN_ROW, ...parts.map((part) => (part.kind === "numbers" ? part.numbers.length : 0))) },
    side(near === 1 ? 2 : 1),
    between && h("section", { class: `middle seat-${near}`, "aria-label": "Between the players" }, shared.map(draw), setting.middle),
    side(near),
  );
}

/**
 * @param {Part} part
 * @param {number} index its index on the board
 * @param {Setting} setting
 */
export function drawPart(part, index, setting = {}) {
  const shapes = { meter, numbers, grid, cards, fact };
  const draw = /** @type {(part: Part, tile: Tile) => HTMLElement} */ (shapes[part.kind]);
  const offered = [...(setting.offers?.keys() ?? [])].some((key) => key.startsWith(`${index}.`));
  const spent = setting.spent && [null, setting.spent.seat].includes(part.owner) ? setting.spent.text : null;
  return draw(part, { index, offered, spent, offer: (place) => setting.offers?.get(keyOf({ part: index, place })) });
}

/**
 * A place of a part, to look at or to touch.
 * @typedef {{index: number, offered: boolean, spent: string | null, offer: (place: number | null) => Offer | undefined}} Tile
 */

/**
 * @param {Tile} tile
 * @param {number | null} place
 * @param {string} shape
 * @param {...Child} content
 */
function drawTile(tile, place, shape, ...content) {
  const key = keyOf({ part: tile.index, place });
  const offer = tile.offer(place);
  if (!offer) return h("span", { class: shape, "data-tile": key }, content);
  const state = (offer.chosen ? " chosen" : offer.target ? " target" : "") + (offer.best ? " best" : "");
  return h(
    "button",
    { type: "button", class: `${shape} offer${state}`, "data-tile": key, "data-key": `tile ${key}`, "aria-label": place === null ? null : [offer.name, offer.often].filter(Boolean).join(", "), "data-often": offer.often || null, "aria-pressed": offer.chosen ? "true" : null, "data-note": (place !== null && offer.note) || null, onclick: offer.take },
    place === null && h("span", { class: "unseen" }, `${offer.label}: `),
    content,
    place === null && offer.note && h("span", { class: "becomes" }, whole(offer.note)),
  );
}

/**
 * Draw a figure, with a bar if it has a maximum.
 * @param {Meter} part
 * @param {Tile} tile
 */
function meter(part, tile) {
  const { label, value, full } = part;
  // A full meter may still rise, so no limit is mentioned.
  const figure = h("span", { class: "figure" }, h("span", { class: "label" }, label), " ", h("strong", {}, value), full !== null && value !== full && h("span", { class: "of" }, value > full ? `${value - full} over ${full}` : `/ ${full}`));
  if (full === null) return drawTile(tile, null, "part meter", figure);
  return drawTile(tile, null, "part meter", figure, h("span", { class: value > full ? "bar beyond" : "bar", "aria-hidden": "true", "--share": shareOf(value, full), "--limit": shareOf(full, value) }, h("i")));
}

/**
 * Draw a fact of a word or two.
 * @param {Fact} part
 * @param {Tile} tile
 */
function fact({ label, text }, tile) {
  return drawTile(tile, null, "part fact", h("span", { class: "label" }, label), " ", h("strong", {}, text));
}

/**
 * Draw numbers, some of which may be gone.
 * @param {Numbers} part
 * @param {Tile} tile
 */
function numbers(part, tile) {
  const left = new Set(part.left);
  const chips = part.numbers.map((n, place) => drawTile(tile, place, left.has(n) ? (String(n) === tile.spent ? "chip spent" : "chip") : "chip gone", n));
  const drawn = labelled(part.label, "chips", listed(part.left), tile, chips);
  drawn.style.setProperty("--half", String(Math.ceil(Math.max(MIN_ROW, chips.length) / 2)));
  return drawn;
}

/**
 * Draw cards in a row. A card that is face down shows its mark.
 * @param {Cards} part
 * @param {Tile} tile
 */
function cards(part, tile) {
  const faces = part.cards.map((card, place) => drawTile(tile, place, card === "?" ? "card down" : "card", card));
  const words = part.cards.map((card) => (card === "?" ? "face down" : card));
  const drawn = labelled(part.label, "cards", listed(words), tile, faces.length > 0 ? faces : [h("span", { class: "card none" })]);
  drawn.style.setProperty("--count", String(Math.max(1, faces.length)));
  return drawn;
}

/**
 * @param {Grid} part
 * @param {Tile} tile
 */
function grid(part, tile) {
  const cells = part.rows.flat().map((n, place) => drawTile(tile, place, n === null ? "cell gone" : "cell", n ?? ""));
  const words = part.rows.map((row, y) => `row ${y + 1}: ${row.map((n) => n ?? "empty").join(", ")}`);
  return labelled(part.label, "grid", words.join("; "), tile, cells);
}

/**
 * Draw a part with its label. Screen readers read `words`, unless the tiles can be touched.
 * @param {string} label
 * @param {string} shape
 * @param {string} words
 * @param {Tile} tile
 * @param {Node[]} content
 */
function labelled(label, shape, words, tile, content) {
  const role = tile.offered ? { role: "group", "aria-label": label } : { role: "img", "aria-label": `${label}: ${words}` };
  return h("div", { class: `part ${shape}-part` }, h("p", { class: "label" }, label), h("div", { class: shape, ...role }, content));
}

/** @param {(string | number)[]} items */
const listed = (items) => items.join(", ") || "none";

/**
 * @param {Element} tile gives the look and the start position
 * @param {string} [text]
 * @returns {HTMLElement}
 */
export function makeGhost(tile, text) {
  const shape = [...tile.classList].filter((name) => ["chip", "cell", "card", "down", "played"].includes(name));
  const seat = [...(tile.closest(".seat-1, .seat-2")?.classList ?? [])].filter((name) => name.startsWith("seat-"));
  const ghost = h("div", { class: ["ghost", ...shape, ...seat].join(" "), "aria-hidden": "true" }, text ?? tile.textContent);
  const { left, top, width, height } = tile.getBoundingClientRect();
  for (const [name, value] of Object.entries({ left, top, width, height, "min-width": width })) ghost.style.setProperty(name, `${value}px`);
  ghost.style.setProperty("font-size", getComputedStyle(tile).fontSize);
  return ghost;
}

/**
 * Mark where the board changed and by how much, and show each player's move.
 * @param {HTMLElement} board
 * @param {Pick<Frame, "changed" | "short">} frame
 */
export function markStep(board, { changed, short }) {
  for (const { part, place, seat, note } of changed) {
    const tile = board.querySelector(`[data-tile="${part}.${place ?? "all"}"]`);
    if (!tile) continue;
    tile.classList.add("just");
    if (seat) tile.classList.add(`seat-${seat}`);
    if (place === null && note) tile.querySelector(".figure")?.append(h("span", { class: "gain" }, note));
    else if (!tile.textContent) fill(tile, note);
  }
  for (const [seat, words] of Object.entries(short)) board.querySelector(`.side.seat-${seat} .player`)?.append(h("span", { class: "made" }, whole(words)));
}
