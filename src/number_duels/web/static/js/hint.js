/** A hint in steps: a nudge, the move, and why, with the winning chance of every option. */

import { get, sentence } from "./api.js";
import { fill, h, speak, whole } from "./dom.js";
import { solvingRequest } from "./position.js";
import { drawChoices } from "./scene_tables.js";
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
    this.button = h("button", { type: "button", "data-key": "hint", hidden: true, onclick: () => this.next() });
  }

  /**
   * @param {string} label no button if it is empty
   * @param {() => void} next
   */
  offer(label, next) {
    this.button.textContent = label;
    this.button.hidden = !label;
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
    this.offer(now && "Hint", () => this.fetch(view));
  }

  /** @param {View} view */
  async fetch(view) {
    const asked = this.asked;
    this.offer("", () => {});
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
    const close = () => fill(this.place);
    this.offer(last.actions[0]?.label ?? "", () => this.showSteps(steps, count + 1));
    fill(this.place, h("h2", {}, last.title), h("button", { type: "button", class: "quiet close", "aria-label": "Close the hint", onclick: close }, "×"), drawStep(last));
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
  notes.map((text) => h("p", { class: "note" }, text)),
];
