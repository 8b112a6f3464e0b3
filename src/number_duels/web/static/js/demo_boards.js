/** Small boards that play by themselves. They stand still if the user prefers reduced motion. */

import { h } from "./dom.js";
import { changeInto, drawSmallBoard } from "./small_board.js";
import { recall, remember } from "./storage.js";

/** @typedef {{element: HTMLElement, boards: Part[][], shown: number, visible: boolean}} Preview */

/** Only one board moves at a time, so that the page stays calm. */
const STEP_MS = 900;
/** Number of steps for which a finished game stays. */
const PAUSE_STEPS = 3;
const STORAGE_KEY = "duels-still-boards";

const fewerMoves = matchMedia("(prefers-reduced-motion: reduce)");
/** @type {Preview[]} */
const previews = [];
let next = 0;
let timer = 0;
let stopped = recall(STORAGE_KEY) === "yes";

/** @type {IntersectionObserver} */
const observer = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    const found = previews.find(({ element }) => element === entry.target);
    if (found) found.visible = entry.isIntersecting;
  }
});

/**
 * Draw a board in the middle of its game, and let it play on.
 * @param {Part[][]} boards
 * @returns {HTMLElement}
 */
export function drawPreview(boards) {
  const shown = Math.floor(boards.length / 2);
  const element = h("div", { class: "preview" }, drawSmallBoard(boards[shown]));
  previews.push({ element, boards, shown, visible: false });
  observer.observe(element);
  if (!timer) timer = setInterval(step, STEP_MS);
  return element;
}

/** Draw the button that pauses the animations. It is hidden if the user prefers reduced motion. */
export function motionSwitch() {
  const name = () => (stopped ? "Play animations" : "Pause animations");
  const button = h("button", { type: "button", class: "quiet", onclick: () => {
    stopped = !stopped;
    remember(STORAGE_KEY, stopped ? "yes" : "no");
    button.textContent = name();
  } }, name());
  const follow = () => {
    button.hidden = fewerMoves.matches;
  };
  fewerMoves.addEventListener("change", follow);
  follow();
  return button;
}

/** Make the next move on the next visible board. */
function step() {
  if (stopped || fewerMoves.matches || document.hidden) return;
  const seen = previews.filter(({ visible }) => visible);
  const one = seen[next % Math.max(1, seen.length)];
  next += 1;
  if (!one) return;
  one.shown = (one.shown + 1) % (one.boards.length + PAUSE_STEPS);
  const parts = one.boards[Math.min(one.shown, one.boards.length - 1)];
  changeInto(/** @type {Element} */ (one.element.firstElementChild), drawSmallBoard(parts));
}
