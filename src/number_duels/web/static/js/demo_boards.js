/** Small boards that play while the mouse is on them, unless the user prefers reduced motion. */

import { h } from "./dom.js";
import { changeInto, drawSmallBoard } from "./small_board.js";

const STEP_MS = 700;
/** Number of steps for which the end of a game is shown. */
const PAUSE_STEPS = 3;

/**
 * Draw a board in the middle of its game.
 * @param {Part[][]} boards
 * @returns {HTMLElement}
 */
export function drawPreview(boards) {
  let shown = Math.floor(boards.length / 2);
  let timer = 0;
  const step = () => {
    shown = (shown + 1) % (boards.length + PAUSE_STEPS);
    changeInto(/** @type {Element} */ (element.firstElementChild), drawSmallBoard(boards[Math.min(shown, boards.length - 1)]));
  };
  const stop = () => clearInterval(timer);
  const play = () => {
    stop();
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) timer = setInterval(step, STEP_MS);
  };
  const element = h("div", { class: "preview", onmouseenter: play, onmouseleave: stop }, drawSmallBoard(boards[shown]));
  return element;
}
