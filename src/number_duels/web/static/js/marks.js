/** What a step did, marked on a board that is drawn already. */

import { shortened } from "./tables.js";
import { h } from "./dom.js";

/** @typedef {import("./types.js").Step} Step */
/** @typedef {import("./types.js").Part} Part */

/**
 * Mark where the board changed, by how much, and what each player played.
 * @param {HTMLElement} board
 * @param {Step} step
 * @param {Step | undefined} before the step before, if there is one
 */
export function markStep(board, step, before) {
  for (const { part, place } of step.changed) {
    const tile = board.querySelector(`[data-tile="${part}.${place ?? "all"}"]`);
    if (!tile) continue;
    tile.classList.add("just");
    const who = mover(step, step.board[part], place);
    if (who) tile.classList.add(`seat-${who}`);
    if (!tile.textContent) tile.textContent = numberAt(before?.board[part], place);
    const gain = change(step.board[part], before?.board[part]);
    if (gain) tile.querySelector(".figure")?.append(h("span", { class: "gain" }, gain));
  }
  for (const [seat, words] of Object.entries(step.words)) {
    const said = step.drawn ? `${step.drawn}: ${words}` : shortened(words);
    board.querySelector(`.side.seat-${seat} .player`)?.append(h("span", { class: "made" }, said));
  }
}

/**
 * Whose move changed a place of a shared part.
 * @param {Step} step
 * @param {Part} part
 * @param {number | null} place
 */
function mover({ moves }, part, place) {
  if (part.owner !== null) return null;
  const number = part.kind === "numbers" && place !== null ? String(part.numbers[place]) : null;
  const movers = Object.keys(moves);
  return movers.length === 1 ? movers[0] : (movers.find((seat) => moves[seat] === number) ?? null);
}

/**
 * The number that has gone from a cell.
 * @param {Part | undefined} part
 * @param {number | null} place
 */
const numberAt = (part, place) => (part?.kind === "grid" && place !== null ? String(part.rows.flat()[place] ?? "") : "");

/**
 * How much a figure went up or down.
 * @param {Part} now
 * @param {Part | undefined} before
 */
function change(now, before) {
  if (now.kind !== "meter" || before?.kind !== "meter" || now.owner === null) return "";
  const by = now.value - before.value;
  return by > 0 ? `+${by}` : by < 0 ? `−${-by}` : "";
}
