/** Draws a small board from its parts. It does not know what a part means. */

import { shareOf } from "./board_places.js";
import { h } from "./dom.js";

/** A row with more cards shows only the last ones. */
const MAX_CARDS = 4;

/**
 * Draw a small board as a picture. Screen readers skip it and read the text beside it.
 * @param {Part[]} parts
 * @param {Seat} left the seat shown on the left
 * @returns {HTMLElement}
 */
export function drawSmallBoard(parts, left = 1) {
  /** @type {Seat[]} */
  const order = left === 1 ? [1, 2] : [2, 1];
  const told = parts.filter((part) => part.kind !== "fact");
  const shared = told.filter((part) => part.owner === null);
  return h(
    "div",
    { class: "small-board", "aria-hidden": "true" },
    h("div", { class: "small-sides" }, order.map((seat) => h("div", { class: "small-side" }, told.filter((part) => part.owner === seat).map(drawPart)))),
    shared.length > 0 && h("div", { class: "small-shared" }, shared.map(drawPart)),
  );
}

/**
 * Turn a board into another one. Replace only what differs, so that changes are animated.
 * @param {Element} shown
 * @param {Element} next
 */
export function changeInto(shown, next) {
  if (shown.tagName !== next.tagName || shown.children.length !== next.children.length) {
    shown.replaceWith(next);
    return;
  }
  if (shown.className !== next.className) shown.className = next.className;
  if (shown instanceof HTMLElement && next instanceof HTMLElement) shown.style.cssText = next.style.cssText;
  if (shown.children.length === 0 && shown.textContent !== next.textContent) shown.textContent = next.textContent;
  const coming = [...next.children];
  [...shown.children].forEach((child, index) => changeInto(child, coming[index]));
}

/** @param {Part} part */
function drawPart(part) {
  const shapes = { meter, numbers, grid, cards };
  const draw = /** @type {(part: Part) => HTMLElement} */ (shapes[/** @type {keyof typeof shapes} */ (part.kind)]);
  return draw(part);
}

/** @param {Meter} part */
function meter({ label, owner, value, full }) {
  return h("div", { class: "small-meter", "--share": shareOf(value, full ?? 1) }, h("b", {}, value), owner === null && h("span", {}, label), full !== null && h("i"));
}

/** @param {Numbers} part */
function numbers({ numbers: all, left }) {
  const there = new Set(left);
  return h("div", { class: "small-numbers", "--columns": columns(all.length) }, all.map((n) => h("span", { class: there.has(n) ? "tile" : "tile gone" }, n)));
}

/** @param {Grid} part */
function grid({ rows }) {
  return h("div", { class: "small-numbers", "--columns": rows[0]?.length ?? 1 }, rows.flat().map((n) => h("span", { class: n === null ? "tile gone" : "tile" }, n ?? "")));
}

/** @param {Cards} part */
function cards({ cards: all }) {
  return h("div", { class: "small-cards" }, all.slice(-MAX_CARDS).map((card) => h("span", { class: card === "?" ? "tile down" : "tile" }, card === "?" ? "" : card)));
}

/**
 * Return the number of columns for one row, or for several rows of equal length.
 * @param {number} count
 */
const columns = (count) => (count <= 6 ? count : Math.ceil(count / Math.ceil(count / 5)));
