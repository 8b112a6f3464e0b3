/** What the last step did to a board, part by part. */

import { keyOf } from "./places.js";

/** @typedef {import("./types.js").Part} Part */
/** @typedef {import("./types.js").Seat} Seat */
/** @typedef {{key: string, owner: Seat | null, text: string}} Tile */
/** @typedef {{key: string, owner: Seat | null, from: number, to: number, full: number | null}} Figure */
/** @typedef {{went: Tile[], came: Tile[], figures: Figure[]}} Changes */

/**
 * Numbers and cards that went (by their place before) and came (by their place now), and
 * figures that changed.
 * @param {Part[]} before
 * @param {Part[]} after
 * @returns {Changes}
 */
export function changesOf(before, after) {
  /** @type {Changes} */
  const found = { went: [], came: [], figures: [] };
  const same = (/** @type {Part} */ one, /** @type {Part} */ other) => one.label === other.label && one.owner === other.owner && one.kind === other.kind;
  before.forEach((part, index) => {
    const now = after.find((each) => same(each, part));
    found.went.push(...tilesOf(part, index, now));
  });
  after.forEach((part, index) => {
    const old = before.find((each) => same(each, part));
    found.came.push(...tilesOf(part, index, old));
    if (part.kind === "meter" && old?.kind === "meter" && old.value !== part.value) {
      found.figures.push({ key: keyOf({ part: index, place: null }), owner: part.owner, from: old.value, to: part.value, full: part.full });
    }
  });
  return found;
}

/**
 * The tiles of a part that another state of it does not have.
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
 * What each place of a part shows; empty where nothing lies.
 * @param {Part} part
 * @returns {string[]}
 */
function textsOf(part) {
  if (part.kind === "grid") return part.rows.flat().map((n) => (n === null ? "" : String(n)));
  if (part.kind === "numbers") return part.numbers.map((n) => (part.left.includes(n) ? String(n) : ""));
  return part.kind === "cards" ? part.cards : [];
}
