/**
 * What happens at a table: the log and the announcements. The log has a sentence per turn, newest
 * first, which unfolds to all lines of its turn.
 */

import { fill, h, whole } from "./dom.js";
import { drawLines, readable, withNames } from "./words.js";

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

/** Announcements: one per turn, and those that a player needs between turns. */
export class Unsaid {
  /** @param {(text: string) => void} speak */
  constructor(speak) {
    this.speak = speak;
    this.told = "";
    this.standing = "";
  }

  /**
   * @param {string} told the new lines of the log
   * @param {View} view
   * @param {string[]} now the state of the game and the question
   */
  add(told, view, now) {
    const standing = now.filter(Boolean).map((text) => (/[.!?]$/.test(text) ? text : `${text}.`)).join(" ");
    const first = this.standing === "";
    const changed = standing !== this.standing;
    this.standing = standing;
    this.told = first ? "" : `${this.told} ${told}`.trim();
    const over = Object.keys(view.last?.moves ?? {}).length > 0;
    // A computer answers in a moment. A turn that has only begun is announced when it is done.
    const soon = view.scene.stage === "working" && (this.told === "" || !over);
    if (!first && (soon || (!changed && this.told === ""))) return;
    this.speak(`${this.told} ${standing}`.trim());
    this.told = "";
  }
}
