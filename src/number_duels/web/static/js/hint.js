/** A hint: what to do and why, and the winning chance of every option. */

import { get, sentence } from "./api.js";
import { mixture, optionsTable } from "./bars.js";
import { fill, h, speak } from "./dom.js";
import { solvingRequest } from "./position.js";
import { working } from "./working.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Question} Question */

export class HintBox {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    this.asked = "";
  }

  /**
   * Offer a hint where there is something to choose, and take away one that is out of date.
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
      /** @type {import("./types.js").Hint} */
      const hint = await working(this.place, "Working out a hint", get(`/api/games/${view.id}/hint`), solvingRequest(view.game, view.settings));
      if (asked !== this.asked) return;
      const labels = labelsOf(view.question);
      const options = hint.options.map((option) => ({ ...option, label: labels.get(option.move) ?? option.move }));
      fill(
        this.place,
        h("h2", {}, "Hint"),
        hint.advice.map((line) => h("p", {}, line)),
        mixture(options, view.you),
        h("div", { class: "scroll", role: "region", tabindex: 0, "aria-label": "Options" }, optionsTable(options, "Your winning chance: a win is 100%, a draw 50%, a loss 0%", { both: view.question?.secret })),
      );
      speak(hint.advice.join(" "));
    } catch (problem) {
      if (asked === this.asked) fill(this.place, h("p", { class: "note" }, sentence(problem)));
    }
  }
}

/**
 * The label of every move that a question ends in.
 * @param {Question | null} question
 * @returns {Map<string, string>}
 */
function labelsOf(question) {
  const found = new Map();
  for (const answer of question?.answers ?? []) {
    if (answer.move !== undefined) found.set(answer.move, answer.label);
    else for (const [move, label] of labelsOf(answer.next ?? null)) found.set(move, label);
  }
  return found;
}
