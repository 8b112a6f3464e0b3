/** The players at a table, and the final score. */

import { h } from "./dom.js";

/**
 * Draw the header above each player's parts of the board.
 * @param {Scene} scene
 * @param {Seat | null} you
 * @returns {Record<Seat, HTMLElement>}
 */
export const drawPlayers = ({ sides }, you) => ({ 1: drawPlayer(sides[0], you === 1), 2: drawPlayer(sides[1], you === 2) });

/**
 * @param {Side} side
 * @param {boolean} own
 */
function drawPlayer({ name, doing, note, away }, own) {
  return h(
    "header",
    { class: "player" },
    // It says whether another person is there.
    !own && h("span", { class: away ? "dot" : "dot here", "aria-hidden": "true" }),
    h("h2", { class: "name" }, h("bdi", {}, name)),
    own && note && h("span", { class: "you" }, note),
    // The headline says what the player here does.
    !own && doing && h("span", { class: doing.endsWith("…") ? "doing busy" : "doing" }, doing),
    !own && note && drawStrength(note),
  );
}

/**
 * Draw a computer's level. Screen readers read the rest of the note, and a tooltip shows it.
 * @param {string} note
 */
function drawStrength(note) {
  const [level, ...rest] = note.split(/(?=: )/);
  return h("span", { class: "strength", title: note }, level, rest.length > 0 && h("span", { class: "unseen" }, rest.join("")));
}

/**
 * Draw the score in seat order, or return null if the game was given up.
 * @param {Scene} scene
 */
export function drawScore({ tables: [score] }) {
  if (!score) return null;
  const [near, far] = score.rows.map(({ words, cells, seat }) => ({ seat, shown: [h("bdi", {}, words), h("b", {}, cells)] }));
  return h(
    "p",
    { class: "score" },
    h("span", { class: `seat-${near.seat}` }, near.shown),
    h("span", { class: "against" }, ":"),
    h("span", { class: `seat-${far.seat}` }, far.shown.reverse()),
    " ",
    h("small", { class: "unseen" }, score.title),
  );
}
