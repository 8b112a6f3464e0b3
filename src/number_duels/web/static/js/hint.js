/** A hint in steps: a nudge, the move, and why, with the winning chance of every option. */

import { get, sentence } from "./api.js";
import { drawChoices } from "./choices.js";
import { fill, h, speak, whole } from "./dom.js";
import { solvingRequest } from "./position.js";
import { working } from "./working.js";

export class HintBox {
  /**
   * @param {HTMLElement} place
   * @param {(moves: string[], often: Record<string, string>) => void} onMoves marks the moves that a step names
   */
  constructor(place, onMoves) {
    this.place = place;
    this.onMoves = onMoves;
    this.asked = "";
    /** The button's next action: request a hint, then show each further step. */
    this.next = () => {};
    this.opener = h("button", { type: "button", "data-key": "hint", onclick: () => this.next() }, "Hint");
    /** Hidden while there is nothing more to request. */
    this.button = h("span", { class: "hint-offer", hidden: true }, this.opener);
  }

  /**
   * @param {boolean} there whether there is something to request
   * @param {() => void} next
   * @param {boolean} opened whether the hint has the button itself
   */
  offer(there, next, opened = false) {
    this.button.hidden = !there;
    this.opener.hidden = opened;
    this.next = next;
  }

  /**
   * Offer a hint if there is a choice, and remove a hint that is out of date.
   * @param {View} view
   */
  show(view) {
    const now = view.hints && view.question ? view.moves + view.board.length + view.turn : "";
    if (now === this.asked) return;
    this.asked = now;
    fill(this.place);
    this.onMoves([], {});
    this.offer(now !== "", () => this.fetch(view));
  }

  /** @param {View} view */
  async fetch(view) {
    const asked = this.asked;
    this.offer(false, () => {});
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
   * Show a step of a hint. The button shows the next one.
   * @param {Scene[]} steps
   * @param {number} count
   */
  showSteps(steps, count) {
    const last = steps[count - 1];
    const further = () => this.showSteps(steps, count + 1);
    const label = last.actions[0]?.label;
    const close = () => {
      fill(this.place);
      // The same step is opened again.
      this.offer(true, () => this.showSteps(steps, count));
      this.opener.focus({ preventScroll: true });
    };
    this.offer(label !== undefined, further, true);
    fill(
      this.place,
      h("h2", {}, last.title),
      h("button", { type: "button", class: "quiet close", "aria-label": "Close the hint", onclick: close }, "×"),
      drawStep(last),
      label && h("footer", {}, h("span", { class: "note" }, `${count} of ${steps.length}`), h("button", { type: "button", class: "primary", "data-key": "hint next", onclick: further }, label)),
    );
    this.place.scrollIntoView({ block: "nearest" });
    if (this.button.hidden) this.place.querySelector("button")?.focus({ preventScroll: true });
    const mixed = steps.flatMap(({ tables }) => tables.flatMap(({ kind, rows }) => (kind === "mixed" ? rows : [])));
    if (last.answer) this.onMoves(last.answer.split(" "), Object.fromEntries(mixed.map(({ short, cells }) => [short, cells[0]])));
    const said = [last.detail, ...last.lines].filter(Boolean).join(" ");
    if (said) speak(said);
  }
}

/** @param {Scene} step */
const drawStep = ({ detail, tables, lines, notes }) => [
  detail && h("p", { class: "lead-line" }, whole(detail)),
  lines.map((text) => h("p", {}, whole(text))),
  // The tiles show how often to choose each of them.
  drawChoices(tables.filter(({ kind }) => kind !== "mixed")),
  notes.length > 0 && h("details", {}, h("summary", { class: "note" }, "What the columns mean"), notes.map((text) => h("p", { class: "note" }, text))),
];
