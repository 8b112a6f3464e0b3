/** A hint: the best choice with its reason, and the winning chance of every option. */

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
      const { advice, scene } = await working(this.place, "Working out a hint", get(`/api/games/${view.id}/hint`), solvingRequest(view.game, view.settings));
      if (asked !== this.asked) return;
      const { title, detail, tables, notes } = scene;
      fill(this.place, h("h2", {}, title), h("p", {}, detail), drawChoices(tables), notes.map((text) => h("p", { class: "note" }, text)));
      speak(advice.join(" "));
    } catch (problem) {
      if (asked === this.asked) fill(this.place, h("p", { class: "note" }, sentence(problem)));
    }
  }
}
