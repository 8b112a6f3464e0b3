/** What a step did, marked on a board that is drawn already. */

import { h } from "./dom.js";

/** @typedef {import("./types.js").Frame} Frame */

/**
 * Mark where the board changed, by how much, and what each player played.
 * @param {HTMLElement} board
 * @param {Frame} frame
 */
export function markStep(board, { changed, short }) {
  for (const { part, place, seat, note } of changed) {
    const tile = board.querySelector(`[data-tile="${part}.${place ?? "all"}"]`);
    if (!tile) continue;
    tile.classList.add("just");
    if (seat) tile.classList.add(`seat-${seat}`);
    if (place === null && note) tile.querySelector(".figure")?.append(h("span", { class: "gain" }, note));
    else if (!tile.textContent) tile.textContent = note;
  }
  for (const [seat, words] of Object.entries(short)) board.querySelector(`.side.seat-${seat} .player`)?.append(h("span", { class: "made" }, words));
}
