/** A question that is answered on the board, one small step at a time, with a way back. */

import { typing } from "./dom.js";
import { keyOf, neighbour } from "./board_places.js";

const TYPING_PAUSE_MS = 1500;

/** When the last press of a pointer began. */
let pressedAt = 0;
addEventListener("pointerdown", (event) => { pressedAt = event.timeStamp; }, { capture: true });

/**
 * Whether a click is the second of a double click, or began before what it hits was shown.
 * @param {Event} event
 * @param {number} shownAt
 */
export const stray = (event, shownAt) => event instanceof MouseEvent && event.detail > 0 && (event.detail > 1 || pressedAt < shownAt);

export class Chooser {
  /**
   * @param {HTMLElement} board
   * @param {(move: string) => void} onMove
   * @param {() => void} onChange
   */
  constructor(board, onMove, onChange) {
    this.board = board;
    this.onMove = onMove;
    this.onChange = onChange;
    /** @type {Question | null} */
    this.first = null;
    /** @type {Answer[]} */
    this.path = [];
    this.shownAt = 0;
    this.digits = "";
    this.lastDigit = 0;
    board.addEventListener("pointerover", (event) => this.explain(event));
    board.addEventListener("focusin", (event) => this.explain(event));
  }

  /**
   * Say what something would do while a pointer or the focus is on it.
   * @param {Event} event
   */
  explain(event) {
    const offer = event.target instanceof Element ? event.target.closest(".offer") : null;
    const line = this.board.querySelector(".consequence");
    if (line && offer instanceof HTMLElement) line.textContent = offer.dataset.note ?? "";
  }

  /**
   * Ask a question; the same one again changes nothing, so that a step half taken stays.
   * @param {Question | null} question
   */
  ask(question) {
    if (JSON.stringify(this.first) === JSON.stringify(question)) return;
    this.first = question;
    this.path = [];
    this.digits = "";
    this.shownAt = performance.now();
  }

  /** @returns {Question | null} */
  get current() {
    return this.path.at(-1)?.next ?? this.first;
  }

  /** @returns {Answer[]} what has no place of its own, or one too small for what it would do */
  get listed() {
    const small = (/** @type {Answer} */ answer) => this.path.length > 0 && !answer.next && answer.at.every(({ place }) => place !== null);
    return (this.current?.answers ?? []).filter((answer) => answer.at.length === 0 || small(answer));
  }

  /** @returns {Map<string, Offer>} what can be touched on the board, by its place */
  get offers() {
    /** @type {Map<string, Offer>} */
    const found = new Map();
    for (const answer of this.path) {
      for (const place of answer.at) found.set(keyOf(place), { label: answer.label, name: `${answer.label}, chosen; press to choose another`, note: "", chosen: true, take: (event) => !stray(event, this.shownAt) && this.back(answer) });
    }
    for (const answer of this.current?.answers ?? []) {
      for (const place of answer.at) found.set(keyOf(place), { label: answer.label, name: this.nameOf(answer), note: answer.note, target: this.path.length > 0 || place.place === null, take: (event) => this.take(event, answer) });
    }
    return found;
  }

  /**
   * An answer as it is read out.
   * @param {Answer} answer
   */
  nameOf({ text, label, note }) {
    const said = label === text ? `${text}, ${this.current?.text ?? ""}` : label;
    return note ? `${said}: ${note}` : said;
  }

  /**
   * @param {Event} event
   * @param {Answer} answer
   */
  take(event, answer) {
    if (!stray(event, this.shownAt)) this.choose(answer);
  }

  /** @param {Answer} answer */
  choose(answer) {
    this.digits = "";
    if (answer.next) {
      this.path.push(answer);
      this.onChange();
      // No answer has the focus, so that a second Enter takes none.
      this.board.focus({ preventScroll: true });
    } else if (answer.move !== undefined) {
      this.onMove(answer.move);
    }
  }

  /**
   * A step back, or back to where an answer was chosen.
   * @param {Answer} [to]
   */
  back(to = this.path.at(-1)) {
    if (!to) return;
    this.path = this.path.slice(0, this.path.indexOf(to));
    this.onChange();
    this.focus(to);
  }

  /** @returns {HTMLElement[]} */
  get touchable() {
    return [.../** @type {NodeListOf<HTMLElement>} */ (this.board.querySelectorAll(".offer"))];
  }

  /**
   * Put the focus on an answer, unless it is somewhere else on purpose.
   * @param {Answer} [answer]
   */
  focus(answer) {
    const place = answer?.at[0];
    const key = answer && (place && !this.listed.includes(answer) ? `tile ${keyOf(place)}` : `answer ${answer.text}`);
    this.touchable.find((each) => each.dataset.key === key)?.focus({ preventScroll: true });
  }

  /**
   * Keys that find an answer: arrows, the digits of a number, the letter that it begins with.
   * Enter, on what has the focus, takes it.
   * @param {KeyboardEvent} event
   * @param {boolean} letters whether single characters count
   */
  key(event, letters) {
    const question = this.current;
    if (typing(event)) return;
    if (event.repeat && (event.key === "Enter" || event.key === " ")) return event.preventDefault();
    const next = neighbour(event.key, document.activeElement, this.touchable);
    if (next) {
      event.preventDefault();
      next.focus();
    } else if (!question) return;
    else if (event.key === "Escape") this.back();
    else if (!letters) return;
    else if (/^\d$/.test(event.key)) this.typed(question.answers, event.key, event.timeStamp);
    else if (/^\p{L}$/u.test(event.key)) {
      const letter = event.key.toLowerCase();
      const fit = question.answers.filter((answer) => [answer.text, answer.label].some((word) => word.toLowerCase().startsWith(letter)));
      if (fit.length === 1) this.focus(fit[0]);
    }
  }

  /**
   * One more digit of a number; what it makes has the focus.
   * @param {Answer[]} answers
   * @param {string} digit
   * @param {number} now
   */
  typed(answers, digit, now) {
    const before = now - this.lastDigit < TYPING_PAUSE_MS ? this.digits : "";
    this.lastDigit = now;
    const fitting = (/** @type {string} */ digits) => answers.filter((answer) => answer.text.startsWith(digits));
    this.digits = fitting(before + digit).length > 0 ? before + digit : digit;
    this.focus(fitting(this.digits).find((answer) => answer.text === this.digits));
  }
}
