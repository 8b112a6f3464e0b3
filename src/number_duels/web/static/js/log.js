/** The log of a table: a sentence per turn, newest first. It unfolds to all lines of its turn. */

import { fill, h, whole } from "./dom.js";
import { readable, withNames } from "./words.js";

/** @typedef {ReturnType<typeof readable>[number]} Line */

export class Log {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    /** The sentence of each turn. @type {string[]} */
    this.told = [];
  }

  /**
   * @param {View} view
   * @returns {string} the new sentences, to be announced
   */
  show(view) {
    const entries = view.log.filter(({ short }) => short);
    const told = entries.map(({ short }) => withNames(view, short));
    const fresh = told.filter((sentence, index) => sentence !== this.told[index]).join(" ");
    if (!fresh) return "";
    this.told = told;
    fill(this.place, entries.map((entry, index) => drawEntry(view, entry, told[index])).reverse());
    return fresh;
  }
}

/**
 * Draw the sentence of a turn. All of its lines unfold from it.
 * @param {View} view
 * @param {Entry} entry
 * @param {string} sentence
 */
function drawEntry(view, entry, sentence) {
  const lines = readable(entry).map(({ text, kind }) => ({ text: withNames(view, text), kind }));
  return h("li", {}, h("span", { class: "turn", "aria-hidden": "true" }, entry.turn || ""), entry.turn ? h("details", {}, h("summary", {}, h("span", {}, whole(sentence))), drawLines(lines)) : h("p", {}, sentence));
}

/** @param {Line[]} lines */
export const drawLines = (lines) => lines.map(({ text, kind }) => h("p", { class: kind === "heading" ? "fact" : null }, whole(text)));
