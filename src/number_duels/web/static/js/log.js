/** The log of a table, shown newest first and announced as it grows. */

import { fill, h } from "./dom.js";
import { readable, withNames } from "./words.js";

/** @typedef {ReturnType<typeof readable>[number]} Line */

export class Log {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    this.told = "";
  }

  /**
   * @param {View} view
   * @returns {string} the new lines, to be announced
   */
  show(view) {
    const isolate = (/** @type {Line} */ { text, kind }) => ({ text: withNames(view, text), kind });
    const shown = view.log.map((entry) => ({ turn: entry.turn, lines: readable(entry).map(isolate) })).filter(({ lines }) => lines.length > 0);
    const all = shown.flatMap(({ lines }) => lines.map(({ text }) => text)).join("\n");
    if (all === this.told) return "";
    const fresh = this.told && all.startsWith(this.told) ? all.slice(this.told.length) : all;
    this.told = all;
    fill(
      this.place,
      shown.reverse().map(({ turn, lines }) => h("li", {}, h("span", { class: "turn", "aria-hidden": "true" }, turn || ""), h("div", {}, drawLines(lines)))),
    );
    return fresh.trim().replaceAll("\n", " ");
  }
}

/** @param {Line[]} lines */
export const drawLines = (lines) => lines.map(({ text, kind }) => h("p", { class: kind === "heading" ? "fact" : null }, text));
