/** A progress display: the elapsed time and, when known, the progress. */

import { get } from "./api.js";
import { fill, h } from "./dom.js";

/** Shorter waits show nothing. */
const PATIENCE_MS = 300;
const SECOND_MS = 1000;

/**
 * Show progress in a place until a promise settles, then empty the place.
 * @template T
 * @param {HTMLElement} place
 * @param {string} what
 * @param {Promise<T>} promise
 * @param {string} howFar the request for the progress, or "" if there is none
 * @returns {Promise<T>}
 */
export async function working(place, what, promise, howFar) {
  const began = Date.now();
  const time = h("span", { class: "elapsed", "aria-hidden": "true" });
  const bar = h("div", { class: "progress", role: "progressbar", "aria-label": what }, h("i"));
  const sign = h("div", { class: "working" }, h("p", { role: "status" }, `${what}… `, time), bar);
  const count = () => {
    time.textContent = `${Math.round((Date.now() - began) / SECOND_MS)} s`;
  };
  const look = async () => {
    count();
    if (!howFar) return;
    const { share } = await get(howFar).catch(() => ({ share: null }));
    // Before the first progress it may still be compiling, for an unknown time.
    if (!share) return;
    bar.classList.add("known");
    bar.setAttribute("aria-valuenow", String(Math.round(share * 100)));
    bar.style.setProperty("--share", String(share));
  };
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let clock;
  const soon = setTimeout(() => {
    fill(place, sign);
    count();
    clock = setInterval(look, SECOND_MS);
  }, PATIENCE_MS);
  try {
    return await promise;
  } finally {
    clearTimeout(soon);
    clearInterval(clock);
    if (place.contains(sign)) fill(place);
  }
}
