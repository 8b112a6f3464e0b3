/** A question answered on the board, step by step, with a way back. */

import { fill, typing } from "./dom.js";
import { keyOf, neighbour } from "./board_places.js";

const TYPING_PAUSE_MS = 1500;

/** A double click takes less time than this, and an answer to a new question takes more. */
const DOUBLE_CLICK_MS = 250;

/** The first letter of the answer that each key selects: add or subtract. @type {Record<string, string>} */
const SIGNS = { "+": "a", "-": "s" };

/** Time at which the last press of a pointer began. */
let pressedAt = 0;
addEventListener("pointerdown", (event) => { pressedAt = event.timeStamp; }, { capture: true });

/**
 * Return true if a click began before its target was shown, or ends a double click on it.
 * @param {Event} event
 * @param {number} shownAt
 */
export const stray = (event, shownAt) => event instanceof MouseEvent && event.detail > 0 && pressedAt < shownAt + (event.detail > 1 ? DOUBLE_CLICK_MS : 0);

/**
 * Return an answer as screen readers announce it.
 * @param {Question} question
 * @param {Answer} answer
 */
function nameOf(question, { text, label, note }) {
  const said = label === text ? `${text}, ${question.text}` : label;
  return note ? `${said}: ${note}` : said;
}

/**
 * @param {Answer} answer
 * @param {string[]} moves
 * @returns {boolean}
 */
const leadsTo = ({ move, next }, moves) => (next ? next.answers.some((each) => leadsTo(each, moves)) : moves.includes(move ?? ""));

/** The key of what has the focus: a redrawn board has other elements with the same keys. */
const keyOfFocus = () => /** @type {HTMLElement} */ (document.activeElement).dataset.key;

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
    /** The moves that a hint names. @type {string[]} */
    this.best = [];
    /** How often a hint advises an answer, by its text. @type {Record<string, string>} */
    this.often = {};
    /** The last answer, while its move is on the way to the server. @type {Answer | null} */
    this.sent = null;
    this.shownAt = 0;
    /** The key of the answer that got the focus when its question came. @type {string | null | undefined} */
    this.given = null;
    this.digits = "";
    this.lastDigit = 0;
    board.addEventListener("pointerover", (event) => this.explain(event));
    board.addEventListener("focusin", (event) => this.explain(event));
  }

  /**
   * Show what an offer would do while the pointer or the focus is on it.
   * @param {Event} event
   */
  explain(event) {
    const offer = event.target instanceof Element ? event.target.closest(".offer") : null;
    const line = this.board.querySelector(".consequence");
    if (line && offer instanceof HTMLElement) fill(line, offer.dataset.note);
  }

  /**
   * Ask a question. Asking the same one again keeps the steps already taken.
   * @param {Question | null} question
   */
  ask(question) {
    this.sent = null;
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

  /** The answers given so far, as a text without spaces. */
  get step() {
    return [this.path.length, ...[...this.path, this.sent].map((answer) => encodeURIComponent(answer?.text ?? ""))].filter(String).join("/");
  }

  /** @returns {Answer[]} the answers with a button: those without a place, and all of the last step */
  get listed() {
    return (this.current?.answers ?? []).filter((answer) => answer.at.length === 0 || (this.path.length > 0 && !answer.next));
  }

  /** @returns {Map<string, Offer>} the tiles that can be touched, by place */
  get offers() {
    /** @type {Map<string, Offer>} */
    const found = new Map();
    if (!this.sent) {
      this.questions.forEach((question, step) => {
        const now = step === this.path.length;
        for (const answer of question.answers) {
          for (const place of answer.at) found.set(keyOf(place), { label: answer.label, name: nameOf(question, answer), note: now ? answer.note : "", best: now && this.isBest(answer), often: now ? this.often[answer.text] : "", target: now && (step > 0 || place.place === null), take: (event) => this.take(event, answer) });
        }
      });
    }
    for (const answer of this.sent ? [...this.path, this.sent] : this.path) {
      for (const place of answer.at) found.set(keyOf(place), { label: answer.label, name: `${answer.label}, chosen; press to choose another`, note: "", chosen: true, take: (event) => !stray(event, this.shownAt) && this.back(answer) });
    }
    return found;
  }

  /**
   * Return true if an answer leads to a move that a hint names. If most answers lead to one, only
   * those count that lead to the first.
   * @param {Answer} answer
   */
  isBest(answer) {
    const answers = this.current?.answers ?? [];
    const many = answer.next && 2 * answers.filter((each) => leadsTo(each, this.best)).length > answers.length;
    return leadsTo(answer, many ? this.best.slice(0, 1) : this.best);
  }

  /** @returns {Question[]} the question of each step, the current one last */
  get questions() {
    return [this.first, ...this.path.map(({ next }) => next)].filter((question) => question !== null && question !== undefined);
  }

  /**
   * Return the answer at a place, to the current question or to an earlier one.
   * @param {string} key
   */
  answerAt(key) {
    return this.questions.reverse().flatMap(({ answers }) => answers).find(({ at }) => at.some((place) => keyOf(place) === key));
  }

  /**
   * @param {Event} event
   * @param {Answer} answer
   */
  take(event, answer) {
    if (!stray(event, this.shownAt)) this.choose(answer);
  }

  /**
   * Choose an answer to the current question, or another answer to an earlier one.
   * @param {Answer} answer
   */
  choose(answer) {
    this.digits = "";
    const step = this.questions.findLastIndex(({ answers }) => answers.includes(answer));
    if (step < 0 || this.sent) return;
    this.path.length = step;
    if (answer.next) {
      this.path.push(answer);
      this.onChange();
      this.board.focus({ preventScroll: true });
      this.give(this.placeOf(this.current?.answers[0]));
    } else if (answer.move !== undefined) {
      this.sent = answer;
      this.onMove(answer.move);
    }
  }

  /**
   * Go back one step, or to the step of a given answer.
   * @param {Answer} [to]
   */
  back(to = this.path.at(-1)) {
    if (!to || this.sent) return;
    this.path = this.path.slice(0, this.path.indexOf(to));
    this.shownAt = performance.now();
    this.onChange();
    this.focus(to);
  }

  /** @returns {HTMLElement[]} */
  get touchable() {
    return [.../** @type {NodeListOf<HTMLElement>} */ (this.board.querySelectorAll(".offer"))];
  }

  /**
   * Return the tile or the button of an answer.
   * @param {Answer} [answer]
   */
  placeOf(answer) {
    const place = answer?.at[0];
    const key = answer && (place && !this.listed.includes(answer) ? `tile ${keyOf(place)}` : `answer ${answer.text}`);
    return this.touchable.find((each) => each.dataset.key === key);
  }

  /**
   * Focus something new, which a double Enter must not press.
   * @param {HTMLElement} [element]
   */
  give(element) {
    this.shownAt = performance.now();
    element?.focus({ preventScroll: true });
    this.given = keyOfFocus();
  }

  /**
   * Return true if Enter is held down, or pressed for the second time, and stop it.
   * @param {KeyboardEvent} event
   */
  isDouble(event) {
    const second = keyOfFocus() === this.given && event.timeStamp < this.shownAt + DOUBLE_CLICK_MS;
    const found = (event.repeat || second) && (event.key === "Enter" || event.key === " ") && !typing(event);
    if (found) event.preventDefault();
    return found;
  }

  /** @param {Answer} [answer] */
  focus(answer) {
    this.placeOf(answer)?.focus({ preventScroll: true });
  }

  /**
   * Focus an answer by arrow keys, the digits of a number or its first letter. Enter chooses it.
   * @param {KeyboardEvent} event
   * @param {boolean} letters true to accept single characters
   */
  key(event, letters) {
    const question = this.current;
    if (typing(event) || this.isDouble(event)) return;
    // After another key, Enter is meant, even if the focus has stayed.
    this.given = null;
    // The first arrow key finds an answer to this question, not to an earlier one.
    const asked = [...this.listed, ...(question?.answers ?? [])].flatMap((answer) => this.placeOf(answer) ?? []);
    const next = neighbour(event.key, document.activeElement, [...asked, ...this.touchable]);
    if (next) {
      event.preventDefault();
      next.focus();
    } else if (!question) return;
    else if (event.key === "Escape") this.back();
    else if (!letters) return;
    else if (/^\d$/.test(event.key)) this.typed(question.answers, event.key, event.timeStamp);
    else if (/^[-+\p{L}]$/u.test(event.key)) {
      const letter = SIGNS[event.key] ?? event.key.toLowerCase();
      const fit = question.answers.filter((answer) => [answer.text, answer.label].some((word) => word.toLowerCase().startsWith(letter)));
      if (fit.length === 1) this.focus(fit[0]);
    }
  }

  /**
   * Add a digit to the typed number, and focus the answer that fits. If no answer has a number, the
   * digit is an answer's place.
   * @param {Answer[]} answers
   * @param {string} digit
   * @param {number} now
   */
  typed(answers, digit, now) {
    const before = now - this.lastDigit < TYPING_PAUSE_MS ? this.digits : "";
    this.lastDigit = now;
    if (!answers.some(({ text }) => /\d/.test(text))) return this.focus(answers[Number(digit) - 1]);
    const fitting = (/** @type {string} */ digits) => answers.filter((answer) => answer.text.startsWith(digits));
    this.digits = fitting(before + digit).length > 0 ? before + digit : digit;
    this.focus(fitting(this.digits).find((answer) => answer.text === this.digits));
  }
}
