/** A board from its parts; what a part means is not known here. */

import { h } from "./dom.js";

/** @typedef {import("./types.js").Part} Part */
/** @typedef {import("./types.js").Seat} Seat */

/**
 * The two players side by side, then what they share.
 * @param {Part[]} parts
 * @param {Record<Seat, Node>} heads what stands above each player's parts
 * @param {Seat} left who is shown on the left
 * @returns {HTMLElement}
 */
export function drawBoard(parts, heads, left = 1) {
  /** @type {Seat[]} */
  const order = left === 1 ? [1, 2] : [2, 1];
  const shared = parts.filter((part) => part.owner === null);
  const drawn = (/** @type {Part} */ part) => {
    const element = drawPart(part);
    const index = parts.indexOf(part);
    element.dataset.tile = `${index}.all`;
    element.querySelectorAll(".chip, .cell, .card:not(.none)").forEach((tile, place) => tile.setAttribute("data-tile", `${index}.${place}`));
    return element;
  };
  return h(
    "div",
    { class: "board" },
    order.map((seat) => {
      const own = parts.filter((part) => part.owner === seat);
      return h("section", { class: `side seat-${seat}`, "aria-label": `Player ${seat}` }, heads[seat], own.map(drawn));
    }),
    shared.length > 0 && h("section", { class: "shared", "aria-label": "Shared" }, shared.map(drawn)),
  );
}

/** @param {Part} part */
function drawPart(part) {
  const shapes = { meter, numbers, grid, cards };
  const draw = /** @type {(part: Part) => HTMLElement} */ (shapes[part.kind]);
  return draw(part);
}

/**
 * A figure, with a bar where there is something to be full.
 * @param {import("./types.js").Meter} part
 */
function meter(part) {
  const { label, value, full } = part;
  const figure = h("p", { class: "figure" }, label, " ", h("strong", {}, value), full !== null && h("span", { class: "of" }, ` / ${full}`));
  if (full === null) return h("div", { class: "part meter" }, figure);
  const bar = h("div", { class: "bar", "aria-hidden": "true" }, h("i"));
  bar.style.setProperty("--share", String(Math.min(1, Math.max(0, value / Math.max(full, 1)))));
  return h("div", { class: "part meter" }, figure, bar);
}

/**
 * Numbers of which some are gone.
 * @param {import("./types.js").Numbers} part
 */
function numbers(part) {
  const left = new Set(part.left);
  const chips = part.numbers.map((n) => h("span", { class: left.has(n) ? "chip" : "chip gone" }, n));
  return labelled(part.label, "chips", listed(part.left), chips);
}

/**
 * Cards in a row; a card that is face down shows its mark.
 * @param {import("./types.js").Cards} part
 */
function cards(part) {
  const faces = part.cards.map((card) => h("span", { class: card === "?" ? "card down" : "card" }, card));
  const words = part.cards.map((card) => (card === "?" ? "face down" : card));
  return labelled(part.label, "cards", listed(words), faces.length > 0 ? faces : [h("span", { class: "card none" })]);
}

/**
 * Numbers in rows.
 * @param {import("./types.js").Grid} part
 */
function grid(part) {
  const cells = part.rows.flat().map((n) => h("span", { class: n === null ? "cell gone" : "cell" }, n ?? ""));
  const words = part.rows.map((row, y) => `row ${y + 1}: ${row.map((n) => n ?? "empty").join(", ")}`);
  const drawn = labelled(part.label, "grid", words.join("; "), cells);
  drawn.style.setProperty("--columns", String(part.rows[0]?.length ?? 1));
  return drawn;
}

/**
 * A part with its label, and the same in words for who does not see it.
 * @param {string} label
 * @param {string} shape
 * @param {string} words
 * @param {Node[]} content
 */
function labelled(label, shape, words, content) {
  return h(
    "div",
    { class: `part ${shape}-part` },
    h("p", { class: "label" }, label),
    h("div", { class: shape, role: "img", "aria-label": `${label}: ${words}` }, content),
  );
}

/** @param {(string | number)[]} items */
const listed = (items) => items.join(", ") || "none";
