/** A sign that something is being worked out, and for how long. */

import { fill, h } from "./dom.js";

/** What is quicker than this needs no sign. */
const PATIENCE_MS = 300;
const SECOND_MS = 1000;

/**
 * Show in a place that something is under way until it is done; the place is empty after.
 * @template T
 * @param {HTMLElement} place
 * @param {string} what
 * @param {Promise<T>} promise
 * @returns {Promise<T>}
 */
export async function working(place, what, promise) {
  const began = Date.now();
  const time = h("span", { class: "elapsed", "aria-hidden": "true" });
  const sign = h(
    "div",
    { class: "working" },
    h("p", { role: "status" }, `${what}… `, time),
    h("div", { class: "progress", role: "progressbar", "aria-label": what }, h("i")),
  );
  const count = () => {
    time.textContent = `${Math.round((Date.now() - began) / SECOND_MS)} s`;
  };
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let clock;
  const soon = setTimeout(() => {
    fill(place, sign);
    count();
    clock = setInterval(count, SECOND_MS);
  }, PATIENCE_MS);
  try {
    return await promise;
  } finally {
    clearTimeout(soon);
    clearInterval(clock);
    if (place.contains(sign)) fill(place);
  }
}
