/** What was told at a table: to read, newest first, and to hear as it happens. */

import { fill, h } from "./dom.js";
import { isSentence, readable } from "./words.js";

/** @typedef {import("./types.js").Entry} Entry */

export class Log {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    this.told = "";
  }

  /**
   * Show the log.
   * @param {Entry[]} entries
   * @returns {string} what is new, to be spoken
   */
  show(entries) {
    const lines = entries.flatMap((entry) => readable(entry.lines));
    const all = lines.join("\n");
    if (all === this.told) return "";
    const fresh = this.told && all.startsWith(this.told) ? all.slice(this.told.length) : all;
    this.told = all;
    const shown = entries.filter((entry) => readable(entry.lines).length > 0).reverse();
    fill(
      this.place,
      shown.map((entry) => h("li", {}, h("span", { class: "turn", "aria-hidden": "true" }, entry.turn || ""), h("div", {}, readable(entry.lines).map((line) => h("p", { class: isSentence(line) ? null : "fact" }, line))))),
    );
    return fresh.trim().replaceAll("\n", " ");
  }
}
