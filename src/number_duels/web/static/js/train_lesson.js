/** A lesson: what is said and asked, a step at a time, with the position that shows it. */

import { deliver, get, sentence } from "./api.js";
import { fill, h, speak } from "./dom.js";
import { keepProfile } from "./profile.js";
import { ExerciseBoard } from "./train_board.js";
import { drawSliders } from "./train_mixture.js";
import { newId } from "./train_session.js";

/** @typedef {import("./types.js").GameInfo} GameInfo */
/** @typedef {import("./types.js").Lesson} Lesson */

export class LessonPage {
  /**
   * @param {GameInfo} game
   * @param {number} reached how many steps were answered up to, counted from 1
   */
  constructor(game, reached) {
    this.game = game;
    this.now = reached;
    this.busy = false;
    /** @type {Lesson | null} */
    this.lesson = null;
    this.board = new ExerciseBoard((move) => this.answer(move));
    this.title = h("h1", {}, `Lesson: ${game.title}`);
    this.place = h("p", { class: "score-line" });
    this.told = h("section", { class: "feedback told-step", "aria-label": "What is said", tabindex: -1 });
    this.sliders = h("div", {});
    this.problem = h("p", { class: "problem", role: "alert" });
    this.bar = h("div", { class: "bar", "aria-hidden": "true" }, h("i"));
    this.element = h("div", { class: "session lesson" }, h("div", { class: "play" }, h("div", { class: "heading" }, this.title, this.place), this.bar, this.board.element, this.problem), h("div", { class: "beside" }, this.told, this.sliders));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    this.board.key(event);
  }

  async next() {
    try {
      this.lesson = /** @type {Lesson} */ (await get(`/api/train/lessons/${this.game.name}`));
      this.show(this.now >= this.lesson.steps.length ? 0 : this.now);
    } catch (problem) {
      fill(this.problem, sentence(problem));
    }
  }

  /** @param {number} index */
  show(index) {
    const { lesson } = this;
    if (!lesson) return;
    const step = lesson.steps[index];
    if (!step) return this.end();
    this.now = index;
    fill(this.place, `${index + 1} of ${lesson.steps.length}`);
    this.bar.style.setProperty("--share", String((index + 1) / lesson.steps.length));
    const mixes = step.form === "mixture" && step.kind !== "say";
    fill(this.problem);
    fill(this.sliders, mixes && drawSliders(step.view?.question ?? null, (text) => this.answer(text)));
    this.board.element.hidden = step.view === null;
    if (step.view) this.board.show(step.view, step.kind !== "say" && !mixes);
    fill(this.told, step.principle && h("p", { class: "principle" }, step.principle), step.kind === "test" && h("p", { class: "principle" }, "Test"), h("p", { class: "lead" }, step.text), this.controls(step.kind === "say"));
    speak(step.text);
    if (step.kind === "say") this.focusNext();
  }

  /**
   * @param {boolean} open whether one may go on, or has to answer first
   */
  controls(open) {
    return h(
      "div",
      { class: "row actions" },
      open && h("button", { type: "button", class: "primary", "data-key": "next", onclick: () => this.show(this.now + 1) }, "Next"),
      this.now > 0 && h("button", { type: "button", "data-key": "back", onclick: () => this.show(this.now - 1) }, "Back"),
      !open && h("button", { type: "button", class: "quiet", "data-key": "skip", onclick: () => this.show(this.now + 1) }, "Skip"),
    );
  }

  focusNext() {
    /** @type {HTMLElement | null} */ (this.told.querySelector("[data-key=next]"))?.focus({ preventScroll: true });
  }

  /** @param {string} text */
  async answer(text) {
    if (this.busy || !this.lesson) return;
    this.busy = true;
    fill(this.problem);
    try {
      await keepProfile("");
      const step = this.lesson.steps[this.now];
      const reply = await deliver(`/api/train/lessons/${this.game.name}/answer`, { step: this.now + 1, answer: text, id: newId() });
      if (reply.right) {
        this.board.settle(step.form === "mixture" ? null : text);
        fill(this.sliders);
      } else if (step.view && step.form !== "mixture") this.board.show(step.view, true);
      fill(this.told, h("p", {}, step.text), h("h2", { class: `verdict ${reply.right ? "right" : "wrong"}` }, h("span", { "aria-hidden": "true" }, reply.right ? "✓" : "✗"), reply.right ? "Right" : "Not yet"), h("p", {}, reply.text), this.controls(reply.right));
      speak(`${reply.right ? "Right." : "Wrong."} ${reply.text}`);
      if (reply.right) this.focusNext();
    } catch (problem) {
      fill(this.problem, sentence(problem));
    }
    this.busy = false;
  }

  end() {
    fill(this.place);
    fill(this.sliders);
    this.board.element.hidden = true;
    fill(this.told, h("h2", { class: "verdict right" }, "That was the lesson."), h("p", {}, "Now try it: drills ask what comes up in real games."), h("p", { class: "row" }, h("a", { class: "button primary", href: "#drills", "data-key": "next" }, "Drills"), h("a", { class: "button", href: `/#${this.game.name}` }, "Play")));
    this.focusNext();
  }
}
