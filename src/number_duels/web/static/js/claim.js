/** Claiming a game when the opponent is away, with a countdown that the server sets. */

import { h, speak } from "./dom.js";
import { withNames } from "./words.js";

const SECOND_MS = 1000;

/**
 * @param {number} seconds
 */
const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

/** A countdown, followed by a button to claim the game. */
export class ClaimBox {
  /** @param {(turn: number) => void} onClaim */
  constructor(onClaim) {
    this.text = h("p", { "aria-live": "off" });
    this.button = h("button", { type: "button", class: "primary", "data-key": "claim", onclick: () => onClaim(this.turn) });
    this.element = h("section", { class: "claim", "aria-label": "Your opponent is away", hidden: true }, this.text, this.button);
    this.turn = 0;
    this.until = 0;
    this.words = { waiting: "", ready: "", label: "" };
    this.timer = 0;
    this.said = false;
  }

  /** @param {View} view */
  show(view) {
    clearInterval(this.timer);
    const words = view.scene.claim;
    this.element.hidden = words === null;
    if (view.claim === null || words === null) {
      this.said = false;
      return;
    }
    this.turn = view.turn;
    this.words = { ...words, waiting: withNames(view, words.waiting), ready: withNames(view, words.ready) };
    this.button.textContent = words.label;
    this.until = performance.now() + view.claim.after_s * SECOND_MS;
    this.timer = setInterval(() => this.draw(), SECOND_MS / 4);
    this.draw();
  }

  draw() {
    const left = Math.max(0, Math.ceil((this.until - performance.now()) / SECOND_MS));
    const { waiting, ready, label } = this.words;
    const text = left ? waiting.replace("{time}", clock(left)) : ready;
    if (this.text.textContent !== text) this.text.textContent = text;
    this.button.hidden = left > 0;
    if (left) return;
    clearInterval(this.timer);
    if (!this.said) speak(`${text} ${label}.`);
    this.said = true;
  }
}
