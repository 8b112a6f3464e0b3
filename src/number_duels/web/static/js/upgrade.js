/** An upgraded server and a page from before: the page is loaded again when that disturbs nobody. */

import { h, speak } from "./dom.js";

const STORAGE_KEY = "duels-reloaded-for";
const own = document.querySelector("meta[name=release]")?.getAttribute("content");
let offered = false;

/**
 * Take note of what release the server has.
 * @param {string} release
 */
export function noticeRelease(release) {
  if (!own || release === own || offered) return;
  offered = true;
  const text = "Number Duels has been updated.";
  const bar = h("p", { class: "upgrade" }, text, " ", h("button", { type: "button", onclick: () => location.reload() }, "Reload"));
  document.getElementById("main")?.before(bar);
  speak(text);
  document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && reloadOnce(release));
}

/**
 * Where servers of both releases run at once, the next page may be the old one again.
 * @param {string} release
 */
function reloadOnce(release) {
  try {
    if (sessionStorage.getItem(STORAGE_KEY) === release) return;
    sessionStorage.setItem(STORAGE_KEY, release);
    location.reload();
  } catch {
    // Without storage nobody would know that it was done before; the button is still there.
  }
}
