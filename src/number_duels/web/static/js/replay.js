/** Steps through a finished game, or through a line that might have been played. */

import { drawBoard, markStep } from "./board.js";
import { bothChoose, drawTray } from "./board_middle.js";
import { fill, h, speak, typing } from "./dom.js";
import { Motion } from "./motion.js";
import { drawPlayers } from "./players.js";
import { drawLines, readable } from "./words.js";

/** @typedef {{title: string, board: HTMLElement, back?: string, leave: () => void}} Line */

/** The shortest time that a move is shown while a line plays, and the pause after its animation. */
const MOVE_MS = 1000;
const REST_MS = 500;

/**
 * Name above a board what it shows that did not happen in the game, with a way back.
 * @param {HTMLElement} board
 * @param {string} name
 * @param {string} title
 * @param {string} back
 * @param {() => void} leave
 * @returns {HTMLElement} remove it to name nothing
 */
export function nameMode(board, name, title, back, leave) {
  const element = h("div", { class: "what-if" }, h("p", {}, h("strong", {}, name), " ", title), h("button", { type: "button", "data-key": "leave", onclick: leave }, back));
  board.before(element);
  return element;
}

const wait = (/** @type {number} */ time) => new Promise((done) => setTimeout(done, time));

export class Replay {
  /**
   * @param {Frame[]} steps the first one is the start
   * @param {(step: Frame, before: Frame | null) => unknown} onStep shows a step, animated if it follows `before`
   */
  constructor(steps, onStep) {
    this.game = steps;
    this.steps = steps;
    this.onStep = onStep;
    this.now = steps.length - 1;
    /** The line that might have been played, while it is shown. @type {Line | null} */
    this.line = null;
    /** Says that the board shows the line. @type {HTMLElement | null} */
    this.named = null;
    /** The first step of that line. */
    this.first = 0;
    /** Identifies the current playback of the line. It is null while the line is paused. @type {object | null} */
    this.playing = null;
    this.element = h("div", { class: "replay", role: "group", "aria-label": "Replay" });
    this.draw();
  }

  /**
   * Show a step.
   * @param {number} step
   * @param {object | null} [playing]
   * @returns {Promise<unknown>} ends with its animation
   */
  go(step, playing = null) {
    const [before, follows] = [this.steps[this.now], step === this.now + 1];
    this.now = Math.min(this.steps.length - 1, Math.max(this.first, step));
    this.playing = this.now < this.steps.length - 1 ? playing : null;
    this.draw();
    const shown = this.steps[this.now];
    speak(shown.said);
    return Promise.resolve(this.onStep(shown, follows ? before : null));
  }

  /** Play the line to its end, until somebody steps or pauses. */
  async play() {
    const playing = {};
    do {
      await Promise.all([this.go(this.now + 1, playing).then(() => wait(REST_MS)), wait(MOVE_MS)]);
    } while (this.playing === playing);
  }

  pause() {
    this.playing = null;
    this.draw();
  }

  /**
   * Go to the position after a turn of the game.
   * @param {number} turn
   */
  goToTurn(turn) {
    this.leave();
    this.go(this.steps.findLastIndex((step) => step.turn <= turn));
  }

  /**
   * Play a line that might have been played, from the reply to its first move.
   * @param {Frame[]} steps
   * @param {Line} line
   */
  follow(steps, line) {
    this.steps = steps;
    this.line = line;
    this.named = nameMode(line.board, "What if", line.title, line.back ?? "Back to the game", () => this.leave());
    // If both players choose at once, the first step includes the reply.
    this.first = this.now = Object.keys(steps[1].moves).length < 2 && steps.length > 2 ? 1 : 0;
    this.play();
    const pause = this.element.querySelector("[data-key=Play]");
    if (pause instanceof HTMLElement) pause.focus({ preventScroll: true });
  }

  /** Return to the game, after the turn with which the line begins. */
  leave() {
    if (!this.line) return;
    const { leave } = this.line;
    this.named?.remove();
    const { turn } = this.steps[1];
    const instead = this.steps !== this.game;
    this.steps = this.game;
    this.line = this.playing = null;
    this.first = 0;
    if (instead) {
      this.now = this.steps.length - 1;
      this.goToTurn(turn);
    }
    leave();
  }

  draw() {
    const end = this.steps.length - 1;
    const button = (/** @type {string} */ name, /** @type {string} */ sign, /** @type {number} */ target) =>
      h("button", { type: "button", "data-key": name, "aria-label": name, title: name, "aria-disabled": String(target === this.now), onclick: () => this.go(target) }, sign);
    const [playing, ended] = [this.playing, this.now === end];
    const play = () => (playing ? this.pause() : this.play());
    const again = () => this.go(this.first).then(() => this.play());
    const step = this.steps[this.now];
    this.element.classList.toggle("might", this.line !== null);
    fill(
      this.element,
      h(
        "div",
        { class: "controls" },
        button("First", "«", this.first),
        button("Back", "‹", Math.max(this.first, this.now - 1)),
        h("span", { class: "count" }, `${this.now - this.first} / ${end - this.first}`),
        button("Forward", "›", Math.min(end, this.now + 1)),
        button("Last", "»", end),
        this.line && h("button", { type: "button", class: "playing", "data-key": "Play", onclick: ended ? again : play }, playing ? "Pause" : ended ? "Again" : "Play"),
      ),
      h("div", { class: "told" }, h("p", {}, step.said), this.now > 0 && h("details", {}, h("summary", {}, "Whole turn"), drawLines(readable(step)))),
    );
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (typing(event)) return;
    if (event.key === "Escape") this.leave();
    const targets = { ArrowLeft: this.now - 1, ArrowRight: this.now + 1, Home: this.first, End: this.steps.length - 1 };
    const target = targets[/** @type {keyof typeof targets} */ (event.key)];
    if (target === undefined) return;
    event.preventDefault();
    this.go(target);
  }
}

/** A board that shows the steps of a replay. A step forward moves its cards and numbers. */
export class ReplayBoard {
  /**
   * @param {HTMLElement} place
   * @param {(shown: View, near: Seat) => Child} [drawMiddle] draws what lies between the players
   */
  constructor(place, drawMiddle = (shown, near) => bothChoose(shown) && drawTray(shown, near, null, () => {})) {
    this.place = place;
    this.drawMiddle = drawMiddle;
    this.motion = new Motion(place);
  }

  /**
   * @param {Frame} frame
   * @param {Frame | null} before the frame to animate the step from
   * @param {Shown} table gives the players and the seat on this side
   * @param {() => void} [end] draws what stays after the animation
   */
  async show(frame, before, table, end) {
    this.motion.skip();
    const motion = (this.motion = new Motion(this.place));
    /** The first frame of a line has no turn of its own. */
    const [view, old] = [viewOf(frame, table), before && viewOf({ ...before, turn: frame.turn - 1 }, table)];
    const near = table.you ?? 1;
    const draw = (/** @type {View} */ shown = view) =>
      fill(this.place, drawBoard(shown.board, drawPlayers(shown.scene, shown.you), near, { middle: this.drawMiddle(shown, near) }));
    if (old) draw(old);
    await motion.play(old, view, draw);
    if (motion !== this.motion) return;
    end ? end() : draw();
    markStep(this.place, frame);
  }

  /** End the animation, because something else is shown. */
  leave() {
    this.motion.skip();
    this.motion = new Motion(this.place);
  }
}

/**
 * Turn a frame into a view of a table in which nobody is asked.
 * @param {Frame} frame
 * @param {Shown} table
 * @returns {View}
 */
function viewOf({ turn, when, won, board, moves, said, lines, kinds }, table) {
  const last = Object.keys(moves).length > 0 ? { turn, when, moves, drawn: null, won } : null;
  const players = table.scene.sides.map(() => ({ who: "human" }));
  const sides = table.scene.sides.map((side) => ({ ...side, doing: "" }));
  const quiet = { stage: "told", actions: [], sides };
  return /** @type {View} */ (/** @type {unknown} */ ({ ...table, scene: { ...table.scene, ...quiet }, players, turn, board, last, to_move: bothChoose(table) ? [1, 2] : [], chosen: [], choice: null, question: null, over: false, log: [{ turn, lines, kinds, short: said }] }));
}
