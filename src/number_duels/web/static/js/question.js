/** A question as buttons, one small step at a time, with a way back. */

import { fill, h, typing } from "./dom.js";

/** @typedef {import("./types.js").Question} Question */
/** @typedef {import("./types.js").Answer} Answer */

const TYPING_PAUSE_MS = 1500;

export class Asker {
  /**
   * @param {HTMLElement} place
   * @param {(move: string) => void} onMove
   */
  constructor(place, onMove) {
    this.place = place;
    this.onMove = onMove;
    /** @type {Question | null} */
    this.first = null;
    /** @type {Answer[]} */
    this.path = [];
    this.digits = "";
    this.lastDigit = 0;
  }

  /**
   * Ask a question; the same one again changes nothing, so that a step half taken stays.
   * @param {Question} question
   */
  ask(question) {
    if (this.first && JSON.stringify(this.first) === JSON.stringify(question)) return;
    this.first = question;
    this.path = [];
    this.draw();
  }

  /** Take the question away. */
  clear() {
    if (!this.first) return;
    this.first = null;
    fill(this.place);
  }

  /** @returns {Question | null} */
  get current() {
    return this.path.at(-1)?.next ?? this.first;
  }

  /** @param {Answer} answer */
  choose(answer) {
    this.digits = "";
    if (answer.next) {
      this.path.push(answer);
      this.draw();
      this.focus();
    } else if (answer.move !== undefined) {
      this.onMove(answer.move);
    }
  }

  back() {
    const left = this.path.pop();
    if (!left) return;
    this.draw();
    this.button(left.text)?.focus();
  }

  /** Put the focus on the first answer. */
  focus() {
    this.place.querySelector("button")?.focus();
  }

  draw() {
    const question = this.current;
    if (!question) return;
    const last = this.path.at(-1);
    fill(
      this.place,
      h("h2", { class: "prompt", id: "prompt" }, question.text),
      h(
        "div",
        { class: "answers", role: "group", "aria-labelledby": "prompt" },
        question.answers.map((answer) =>
          h("button", { type: "button", class: "answer", "data-key": `answer ${answer.text}`, onclick: () => this.choose(answer) }, face(answer)),
        ),
      ),
      last && h("button", { type: "button", class: "quiet", "data-key": "back", onclick: () => this.back() }, `← Change ${last.label}`),
      question.secret && h("p", { class: "note" }, "Your choice stays secret until both have chosen."),
    );
  }

  /**
   * @param {string} text
   * @returns {HTMLElement | null}
   */
  button(text) {
    return this.place.querySelector(`[data-key="answer ${CSS.escape(text)}"]`);
  }

  /**
   * Keys that choose: the digits of a number, or the letter that an answer begins with.
   * @param {KeyboardEvent} event
   */
  key(event) {
    const question = this.current;
    if (!question || typing(event)) return;
    if (event.key === "Escape") this.back();
    else if (/^\d$/.test(event.key)) this.typed(question.answers, event.key, event.timeStamp);
    else if (/^\p{L}$/u.test(event.key)) {
      const letter = event.key.toLowerCase();
      const fit = question.answers.filter((answer) => [answer.text, answer.label].some((word) => word.toLowerCase().startsWith(letter)));
      if (fit.length === 1) this.choose(fit[0]);
    }
  }

  /**
   * One more digit: where a longer number could follow, the button is only focused.
   * @param {Answer[]} answers
   * @param {string} digit
   * @param {number} now
   */
  typed(answers, digit, now) {
    const before = now - this.lastDigit < TYPING_PAUSE_MS ? this.digits : "";
    this.lastDigit = now;
    const fitting = (/** @type {string} */ digits) => answers.filter((answer) => answer.text.startsWith(digits));
    this.digits = fitting(before + digit).length > 0 ? before + digit : digit;
    const fit = fitting(this.digits);
    const exact = fit.find((answer) => answer.text === this.digits);
    if (exact && fit.length === 1) this.choose(exact);
    else if (exact) this.button(exact.text)?.focus();
  }
}

/**
 * What a button shows; what would be typed is set large where it ends the label.
 * @param {Answer} answer
 */
function face({ text, label }) {
  const big = h("span", { class: "big" }, text);
  if (label === text) return big;
  return label.endsWith(` ${text}`) ? [h("span", { class: "word" }, label.slice(0, -text.length - 1)), " ", big] : label;
}
