/** A finished game step by step, with buttons and arrow keys. */

import { fill, h, speak, typing } from "./dom.js";
import { drawLines } from "./log.js";
import { readable } from "./words.js";

/** @typedef {import("./types.js").Step} Step */

export class Replay {
  /**
   * @param {Step[]} steps the first is the start
   * @param {(step: Step) => void} onStep
   */
  constructor(steps, onStep) {
    this.steps = steps;
    this.onStep = onStep;
    this.now = steps.length - 1;
    this.element = h("div", { class: "replay", role: "group", "aria-label": "Replay" });
    this.draw();
  }

  /** @param {number} step */
  go(step) {
    this.now = Math.min(this.steps.length - 1, Math.max(0, step));
    this.draw();
    const shown = this.steps[this.now];
    this.onStep(shown);
    speak(this.now === 0 ? "The start." : readable(shown).map(({ text }) => text).join(" "));
  }

  /**
   * To the position after a turn.
   * @param {number} turn
   */
  goToTurn(turn) {
    const found = this.steps.findLastIndex((step) => step.turn <= turn);
    this.go(found);
  }

  draw() {
    const end = this.steps.length - 1;
    const button = (/** @type {string} */ name, /** @type {string} */ sign, /** @type {number} */ target) =>
      h("button", { type: "button", "data-key": name, "aria-label": name, title: name, "aria-disabled": String(target === this.now), onclick: () => this.go(target) }, sign);
    const step = this.steps[this.now];
    fill(
      this.element,
      h(
        "div",
        { class: "controls" },
        button("First", "«", 0),
        button("Back", "‹", Math.max(0, this.now - 1)),
        h("span", { class: "count" }, `${this.now} / ${end}`),
        button("Forward", "›", Math.min(end, this.now + 1)),
        button("Last", "»", end),
      ),
      h("div", { class: "told" }, this.now === 0 ? h("p", {}, "The start.") : drawLines(readable(step))),
    );
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (typing(event)) return;
    const targets = { ArrowLeft: this.now - 1, ArrowRight: this.now + 1, Home: 0, End: this.steps.length - 1 };
    const target = targets[/** @type {keyof typeof targets} */ (event.key)];
    if (target === undefined) return;
    event.preventDefault();
    this.go(target);
  }
}
