/** A run: as many puzzles as one can before time is over, each harder than the last. */

import { deliver, get, post, sentence } from "./api.js";
import { fill, h, speak } from "./dom.js";
import { keepProfile } from "./profile.js";
import { recall, remember } from "./storage.js";
import { ExerciseBoard } from "./train_board.js";
import { newId } from "./train_session.js";

/** @typedef {import("./types.js").GameInfo} GameInfo */
/** @typedef {import("./types.js").Exercise} Exercise */

const STORAGE_KEY = "duels-run";
const SECOND_MS = 1000;
/** How long it is shown whether an answer was right. */
const VERDICT_MS = 500;
/** So little time is left that it is said aloud. */
const LAST_SECONDS = 10;

export class Run {
  /** @param {GameInfo} game */
  constructor(game) {
    this.game = game;
    /** What its answers have in common in a book, and no other run's. */
    this.note = `run ${newId()}`;
    /** @type {boolean[]} */
    this.answers = [];
    /** @type {string[]} */
    this.waiting = [];
    this.maxWrong = 0;
    this.endsAt = 0;
    this.busy = false;
    this.over = false;
    /** The next puzzle, asked for while this one is thought about. @type {Promise<Exercise> | null} */
    this.coming = null;
    /** @type {Exercise | null} */
    this.exercise = null;
    this.board = new ExerciseBoard((move) => this.answer(move));
    this.clock = h("p", { class: "clock", role: "timer", "aria-label": "Time left" });
    this.tally = h("p", { class: "score-line", role: "status" });
    this.prompt = h("p", { class: "prompt-line" });
    this.problem = h("p", { class: "problem", role: "alert" });
    this.result = h("section", { class: "feedback", "aria-label": "Result", tabindex: -1 });
    this.element = h("div", { class: "session" }, h("div", { class: "play" }, h("div", { class: "heading" }, h("h1", {}, `Three-minute run: ${game.title}`), this.clock), this.tally, this.prompt, this.board.element, this.problem), h("div", { class: "beside" }, this.result));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    this.board.key(event);
  }

  async next() {
    try {
      await keepProfile("");
      const { puzzles, seconds, max_wrong: wrong } = await post("/api/train/run", { game: this.game.name });
      [this.waiting, this.maxWrong] = [puzzles, wrong];
      this.coming = this.fetch();
      await this.coming;
      this.endsAt = Date.now() + seconds * SECOND_MS;
      this.tick();
      await this.ask();
    } catch (problem) {
      fill(this.problem, sentence(problem));
    }
  }

  /** @returns {Promise<Exercise> | null} */
  fetch() {
    const puzzle = this.waiting.shift();
    return puzzle === undefined ? null : get(`/api/train/puzzles/${puzzle}`);
  }

  tick() {
    if (this.over || !this.element.isConnected) return;
    const left = Math.max(0, Math.ceil((this.endsAt - Date.now()) / SECOND_MS));
    fill(this.clock, `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`);
    if (left === LAST_SECONDS) speak(`${left} seconds left.`);
    if (left === 0) this.end();
    else setTimeout(() => this.tick(), SECOND_MS / 4);
  }

  async ask() {
    const { coming } = this;
    if (!coming || this.over) return this.end();
    this.exercise = await coming;
    this.coming = this.fetch();
    this.coming?.catch(() => {});
    fill(this.prompt, h("span", { class: "note" }, this.exercise.stars ?? ""), h("span", {}, this.exercise.prompt));
    this.board.show(this.exercise.view, true);
    speak(this.exercise.prompt);
  }

  get wrong() {
    return this.answers.filter((right) => !right).length;
  }

  /** @param {string} text */
  async answer(text) {
    if (this.busy || this.over || !this.exercise) return;
    this.busy = true;
    try {
      const { right } = await deliver("/api/train/answer", { puzzle: this.exercise.puzzle, answer: text, kind: "run", note: this.note, id: newId() });
      if (!this.over) this.answers.push(right);
      speak(right ? "Right." : "Wrong.");
      this.board.settle(text);
      this.board.element.dataset.verdict = right ? "right" : "wrong";
      fill(this.tally, this.answers.map((each) => h("span", { class: each ? "tick right" : "tick wrong" }, each ? "✓" : "✗")), h("span", { class: "unseen" }, `${this.answers.length - this.wrong} right, ${this.wrong} of ${this.maxWrong} wrong`));
      await new Promise((done) => setTimeout(done, VERDICT_MS));
      delete this.board.element.dataset.verdict;
      if (this.wrong >= this.maxWrong) this.end();
      else await this.ask();
    } catch (problem) {
      fill(this.problem, sentence(problem));
    }
    this.busy = false;
  }

  end() {
    if (this.over) return;
    this.over = true;
    const score = this.answers.length - this.wrong;
    const key = `${STORAGE_KEY}-${this.game.name}`;
    const best = Math.max(score, Number(recall(key)) || 0);
    remember(key, String(best));
    fill(this.prompt);
    fill(this.board.element);
    fill(
      this.result,
      h("h2", { class: "verdict" }, `${score} right`),
      h("p", {}, this.wrong >= this.maxWrong ? `Over: ${this.maxWrong} mistakes.` : "Time is over."),
      h("p", { class: "note" }, `Your best: ${best}.`),
      h("p", { class: "row" }, h("button", { type: "button", class: "primary", "data-key": "next", onclick: () => dispatchEvent(new HashChangeEvent("hashchange")) }, "Again")),
    );
    speak(`The run is over: ${score} right.`);
    this.result.focus({ preventScroll: true });
  }
}
