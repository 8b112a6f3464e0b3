/** A hint in steps: a nudge, the move, and why, with the winning chance of every option. */

import { get, sentence } from "./api.js";
import { fill, h, speak } from "./dom.js";
import { solvingRequest } from "./position.js";
import { drawChoices } from "./scene_tables.js";
import { working } from "./working.js";

export class HintBox {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    this.asked = "";
  }

  /**
   * Offer a hint if there is a choice, and remove a hint that is out of date.
   * @param {View} view
   */
  show(view) {
    const now = view.hints && view.question ? view.moves + view.board.length + view.turn : "";
    if (now === this.asked) return;
    this.asked = now;
    fill(this.place, now && h("button", { type: "button", "data-key": "hint", onclick: () => this.fetch(view) }, "Hint"));
  }

  /** @param {View} view */
  async fetch(view) {
    const asked = this.asked;
    try {
      /** @type {Hint} */
      const { steps } = await working(this.place, "Working out a hint", get(`/api/games/${view.id}/hint`), solvingRequest(view.game, view.settings));
      if (asked !== this.asked) return;
      this.showSteps(steps, 1);
    } catch (problem) {
      if (asked === this.asked) fill(this.place, h("p", { class: "note" }, sentence(problem)));
    }
  }

  /**
   * Show the first steps of a hint, and a button for the next one.
   * @param {Scene[]} steps
   * @param {number} count
   */
  showSteps(steps, count) {
    const last = steps[count - 1];
    const more = last.actions.map(({ label }) => h("button", { type: "button", "data-key": "hint", onclick: () => this.showSteps(steps, count + 1) }, label));
    fill(this.place, h("h2", {}, last.title), steps.slice(0, count).map(drawStep), more);
    const said = [last.detail, ...last.lines].filter(Boolean).join(" ");
    if (said) speak(said);
  }
}

/** @param {Scene} step */
const drawStep = ({ detail, tables, lines, notes }) => [
  detail && h("p", { class: "lead-line" }, detail),
  lines.map((text) => h("p", {}, text)),
  drawChoices(tables),
  notes.map((text) => h("p", { class: "note" }, text)),
];
