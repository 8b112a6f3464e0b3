/** The score of a game, from the parts of its board. */

import { h } from "./dom.js";
import { shownName } from "./words.js";

/** @typedef {import("./types.js").Part} Part */
/** @typedef {import("./types.js").Seat} Seat */
/** @typedef {import("./types.js").View} View */

/**
 * What both players have of the same kind: a figure if there is one, else how many numbers are left.
 * @param {Part[]} parts
 * @returns {{label: string, points: Record<Seat, number>} | null}
 */
export function scoreOf(parts) {
  const counted = parts.map((part) => ({ part, count: part.kind === "meter" ? part.value : left(part) }));
  const ordered = [...counted.filter(({ part }) => part.kind === "meter"), ...counted.filter(({ part }) => part.kind !== "meter")];
  for (const { part, count } of ordered) {
    const theirs = ordered.find((other) => other.part.owner === 2 && other.part.label === part.label && other.part.kind === part.kind);
    if (part.owner !== 1 || !theirs) continue;
    return { label: part.kind === "meter" ? part.label : "Numbers left", points: { 1: count, 2: theirs.count } };
  }
  return null;
}

/**
 * How many numbers or cards a part still shows.
 * @param {Part} part
 */
function left(part) {
  if (part.kind === "numbers") return part.left.length;
  if (part.kind === "grid") return part.rows.flat().filter((n) => n !== null).length;
  return part.kind === "cards" ? part.cards.length : 0;
}

/**
 * The score as a headline, in the order in which the players sit; a game that was given up has none.
 * @param {View} view
 */
export function drawScore(view) {
  const score = view.conceded ? null : scoreOf(view.board);
  if (!score) return null;
  /** @type {[Seat, Seat]} */
  const [near, far] = view.you === 2 ? [2, 1] : [1, 2];
  const side = (/** @type {Seat} */ seat) => [h("bdi", {}, shownName(view, seat)), h("b", {}, score.points[seat])];
  return h(
    "p",
    { class: "score" },
    h("span", { class: `seat-${near}` }, side(near)),
    h("span", { class: "against" }, ":"),
    h("span", { class: `seat-${far}` }, side(far).reverse()),
    " ",
    h("small", {}, score.label),
  );
}
