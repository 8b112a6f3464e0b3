/** One exercise after the other: the board, the answer, what it was worth, and the next. */

import { deliver, post, remove, sentence } from "./api.js";
import { fill, h, speak } from "./dom.js";
import { solvingRequest } from "./position.js";
import { keepProfile } from "./profile.js";
import { Replay } from "./replay.js";
import { ExerciseBoard } from "./train_board.js";
import { drawDetails, drawVerdict, spoken } from "./train_feedback.js";
import { drawSliders } from "./train_mixture.js";
import { drawSeries } from "./train_series.js";
import { working } from "./working.js";

/** @typedef {import("./types.js").Exercise} Exercise */
/** @typedef {import("./types.js").Feedback} Feedback */
/** @typedef {import("./dom.js").Child} Child */

/**
 * Where exercises come from.
 * @typedef {object} Source
 * @property {string} title
 * @property {string} kind as the book calls it
 * @property {string} game what may have to be solved first
 * @property {Record<string, number | string>} [settings]
 * @property {boolean} [prompts] whether what is asked is more than the board says
 * @property {() => Promise<Exercise | null>} next null when there are no more
 * @property {Child} [options] what can be chosen
 * @property {(exercise: Exercise, feedback: Feedback) => Child | Promise<Child>} [answered] what else is shown then
 * @property {boolean} [retries] whether a wrong answer may be mended before the right one is told
 * @property {(right: number, count: number) => Child} [ended]
 */

const ID_BYTES = 8;
/** So many answers to one spot are told as a series. */
const MIN_SERIES = 2;

/** An id that no other answer has; it can be sent again, and is kept once. */
export const newId = () => [...crypto.getRandomValues(new Uint8Array(ID_BYTES))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

export class Session {
  /** @param {Source} source */
  constructor(source) {
    this.source = source;
    this.right = 0;
    this.count = 0;
    /** @type {Exercise | null} */
    this.exercise = null;
    /** The spot that is answered again and again, and how. @type {{id: string, answers: string[]}} */
    this.series = { id: "", answers: [] };
    this.again = false;
    this.busy = false;
    /** @type {Replay | null} */
    this.replay = null;
    this.board = new ExerciseBoard((move) => this.answer(move));
    this.places = {
      score: h("p", { class: "score-line", role: "status" }),
      prompt: h("p", { class: "prompt-line" }),
      sliders: h("div", {}),
      replay: h("div", {}),
      working: h("div", {}),
      problem: h("p", { class: "problem", role: "alert" }),
      feedback: h("section", { class: "feedback", "aria-label": "What it was worth", tabindex: -1 }),
    };
    const { score, prompt, sliders, replay, working: sign, problem, feedback } = this.places;
    this.element = h(
      "div",
      { class: "session" },
      h("div", { class: "play" }, h("div", { class: "heading" }, h("h1", {}, source.title), score), source.options, prompt, this.board.element, sign, replay, problem),
      h("div", { class: "beside" }, sliders, feedback),
    );
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (this.replay) this.replay.key(event);
    else this.board.key(event);
  }

  /** The next exercise, or the same spot again. */
  async next() {
    if (this.busy) return;
    this.busy = true;
    this.clear();
    try {
      const wanted = this.again && this.exercise ? post("/api/train/exercise", { spot: this.exercise.spot, form: this.exercise.form }) : this.source.next();
      const found = await working(this.places.working, "Choosing a position", wanted, solvingRequest(this.source.game, this.source.settings ?? {}));
      if (found) this.ask(found);
      else this.end();
    } catch (problem) {
      this.complain(problem);
    }
    this.busy = false;
  }

  /** Another kind of exercise was chosen: what is shown no longer counts. */
  restart() {
    this.again = false;
    this.next();
  }

  clear() {
    this.replay = null;
    fill(this.places.problem);
    fill(this.places.feedback);
    fill(this.places.replay);
    fill(this.places.sliders);
  }

  /** @param {Exercise} exercise */
  ask(exercise) {
    this.exercise = exercise;
    const { prompt, sliders } = this.places;
    const mixes = exercise.form === "mixture";
    fill(prompt, (this.source.prompts || mixes) && exercise.prompt);
    if (mixes) fill(sliders, drawSliders(exercise.view.question, (text) => this.answer(text)));
    this.board.show(exercise.view, !mixes);
    speak(exercise.prompt);
  }

  /** @param {string} text */
  async answer(text) {
    const { exercise } = this;
    if (this.busy || !exercise) return;
    this.busy = true;
    fill(this.places.problem);
    try {
      await keepProfile("");
      const { spot, form, phase, puzzle, day } = exercise;
      const where = puzzle ? { puzzle, note: day } : { spot, form, phase };
      const sent = { ...where, answer: text, kind: this.source.kind, id: newId() };
      const feedback = /** @type {Feedback} */ (await deliver("/api/train/answer", sent));
      await this.judged(exercise, feedback);
    } catch (problem) {
      this.complain(problem);
    }
    this.busy = false;
  }

  /**
   * @param {Exercise} exercise
   * @param {Feedback} feedback
   */
  async judged(exercise, feedback) {
    this.count += 1;
    this.right += feedback.right ? 1 : 0;
    fill(this.places.score, `${this.right} right of ${this.count}`);
    fill(this.places.sliders);
    this.board.settle(exercise.form === "mixture" ? null : feedback.answer);
    // What is still on its way, or does not come, holds no verdict up.
    const more = h("div", {});
    Promise.resolve(this.source.answered?.(exercise, feedback)).then((found) => fill(more, found), () => {});
    if (this.source.retries && !feedback.right) {
      fill(this.places.feedback, drawVerdict(feedback), this.retrying(exercise, feedback, more));
      speak(feedback.headline);
    } else await this.explain(exercise, feedback, more);
    /** @type {HTMLElement | null} */ (this.places.feedback.querySelector("[data-key=next]"))?.focus({ preventScroll: true });
    this.places.feedback.scrollIntoView({ block: "nearest" });
  }

  /**
   * @param {Exercise} exercise
   * @param {Feedback} feedback
   * @param {Child} more
   */
  async explain(exercise, feedback, more) {
    fill(this.places.feedback, drawVerdict(feedback), more, this.actions(exercise, feedback), await this.told(exercise, feedback), drawDetails(feedback, exercise));
    speak(spoken(feedback));
  }

  /**
   * Try again, or be told.
   * @param {Exercise} exercise
   * @param {Feedback} feedback
   * @param {Child} more
   */
  retrying(exercise, feedback, more) {
    const again = () => {
      this.clear();
      this.ask(exercise);
    };
    return h(
      "div",
      { class: "row actions" },
      h("button", { type: "button", class: "primary", "data-key": "next", onclick: again }, "Try again"),
      h("button", { type: "button", onclick: () => this.explain(exercise, feedback, more) }, "Show the answer"),
    );
  }

  /**
   * The series of answers to one spot, where there are several.
   * @param {Exercise} exercise
   * @param {Feedback} feedback
   */
  async told({ id, spot, form, puzzle }, { answer }) {
    if (form === "mixture" || puzzle) return null;
    this.series = this.series.id === id ? { id, answers: [...this.series.answers, answer] } : { id, answers: [answer] };
    if (this.series.answers.length < MIN_SERIES) return null;
    return post("/api/train/series", { spot, answers: this.series.answers }).then(drawSeries, () => null);
  }

  /**
   * What to do now.
   * @param {Exercise} exercise
   * @param {Feedback} feedback
   */
  actions(exercise, feedback) {
    const go = (/** @type {boolean} */ again) => {
      this.again = again;
      this.next();
    };
    return h(
      "div",
      { class: "row actions" },
      h("button", { type: "button", class: "primary", "data-key": "next", onclick: () => go(false) }, "Next"),
      !exercise.puzzle && h("button", { type: "button", "data-key": "again", onclick: () => go(true) }, "This spot again"),
      feedback.steps.length > 0 && h("button", { type: "button", "data-key": "line", onclick: () => this.punish(feedback) }, "See it punished"),
      this.source.kind === "book" ? this.removing(exercise) : this.adding(exercise, feedback),
    );
  }

  /**
   * A button that makes a card of the spot.
   * @param {Exercise} exercise
   * @param {Feedback} feedback
   */
  adding({ spot, puzzle }, { cost }) {
    const add = async () => {
      await keepProfile("");
      await post("/api/train/book", { spot, cost, source: puzzle ? "puzzle" : "drill" });
    };
    return this.once("Add to my book", "In your book", add);
  }

  /**
   * A button that takes the card of the spot away.
   * @param {Exercise} exercise
   */
  removing({ id }) {
    return this.once("Remove from my book", "Removed", () => remove(`/api/train/book/cards/${id}`));
  }

  /**
   * A button that does something once, and then says that it is done.
   * @param {string} name
   * @param {string} done
   * @param {() => Promise<unknown>} act
   */
  once(name, done, act) {
    const button = h("button", { type: "button", "data-key": "once", onclick: () => press() }, name);
    const press = async () => {
      if (button.getAttribute("aria-disabled")) return;
      button.setAttribute("aria-disabled", "true");
      try {
        await act();
        fill(button, done);
        speak(`${done}.`);
      } catch (problem) {
        button.removeAttribute("aria-disabled");
        this.complain(problem);
      }
    };
    return button;
  }

  /**
   * How the mistake is punished, on the board.
   * @param {Feedback} feedback
   */
  punish({ steps, answer }) {
    const replay = new Replay(steps, (step, before) => this.board.showStep(step, before));
    this.replay = replay;
    const leave = () => {
      this.replay = null;
      fill(this.places.replay);
      this.board.settle(answer);
      /** @type {HTMLElement | null} */ (this.places.feedback.querySelector("[data-key=line]"))?.focus();
    };
    fill(this.places.replay, replay.element);
    replay.follow(steps, { title: "How it is punished", back: "Back to the position", leave });
    this.board.element.scrollIntoView({ block: "nearest" });
  }

  end() {
    this.exercise = null;
    fill(this.places.prompt);
    fill(this.board.element);
    fill(this.places.feedback, this.source.ended?.(this.right, this.count));
    this.places.feedback.focus({ preventScroll: true });
  }

  /** @param {unknown} problem */
  complain(problem) {
    fill(this.places.problem, sentence(problem));
  }
}
