/** Steps through a finished game, or through a line that might have been played. */

import { drawBoard, markStep } from "./board.js";
import { bothChoose, drawTray } from "./board_middle.js";
import { fill, h, speak, typing } from "./dom.js";
import { drawLines } from "./log.js";
import { Motion } from "./motion.js";
import { drawPlayers } from "./players.js";
import { readable } from "./words.js";

/** @typedef {{title: string, back?: string, leave: () => void}} Line */

export class Replay {
  /**
   * @param {Frame[]} steps the first one is the start
   * @param {(step: Frame, before: Frame | null) => void} onStep `before` is the step that it follows
   */
  constructor(steps, onStep) {
    this.game = steps;
    this.steps = steps;
    this.onStep = onStep;
    this.now = steps.length - 1;
    /** The line that might have been played, while it is shown. @type {Line | null} */
    this.line = null;
    this.element = h("div", { class: "replay", role: "group", "aria-label": "Replay" });
    this.draw();
  }

  /** @param {number} step */
  go(step) {
    const [before, follows] = [this.steps[this.now], step === this.now + 1];
    this.now = Math.min(this.steps.length - 1, Math.max(0, step));
    this.draw();
    const shown = this.steps[this.now];
    this.onStep(shown, follows ? before : null);
    speak(shown.said);
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
   * Show a line that might have been played, and its first step at once.
   * @param {Frame[]} steps
   * @param {Line} line
   */
  follow(steps, line) {
    this.steps = steps;
    this.line = line;
    this.now = 0;
    this.go(1);
    const forward = this.element.querySelector("[data-key=Forward]");
    if (forward instanceof HTMLElement) forward.focus({ preventScroll: true });
  }

  /** Return to the game, before the turn with which the line begins. */
  leave() {
    if (!this.line) return;
    const { leave } = this.line;
    const before = this.steps[1].turn - 1;
    const instead = this.steps !== this.game;
    this.steps = this.game;
    this.line = null;
    if (instead) {
      this.now = before;
      this.go(before);
    }
    leave();
  }

  draw() {
    const end = this.steps.length - 1;
    const button = (/** @type {string} */ name, /** @type {string} */ sign, /** @type {number} */ target) =>
      h("button", { type: "button", "data-key": name, "aria-label": name, title: name, "aria-disabled": String(target === this.now), onclick: () => this.go(target) }, sign);
    const step = this.steps[this.now];
    this.element.classList.toggle("might", this.line !== null);
    fill(
      this.element,
      this.line && h("div", { class: "what-if" }, h("p", {}, this.line.title), h("button", { type: "button", "data-key": "leave", onclick: () => this.leave() }, this.line.back ?? "Back to the game")),
      h(
        "div",
        { class: "controls" },
        button("First", "«", 0),
        button("Back", "‹", Math.max(0, this.now - 1)),
        h("span", { class: "count" }, `${this.now} / ${end}`),
        button("Forward", "›", Math.min(end, this.now + 1)),
        button("Last", "»", end),
      ),
      h("div", { class: "told" }, h("p", {}, step.said), this.now > 0 && h("details", {}, h("summary", {}, "All of it"), drawLines(readable(step)))),
    );
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (typing(event)) return;
    if (event.key === "Escape") this.leave();
    const targets = { ArrowLeft: this.now - 1, ArrowRight: this.now + 1, Home: 0, End: this.steps.length - 1 };
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
    // The first frame of a line has no turn of its own.
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
 * Return a frame as the view of a table at which nobody is asked.
 * @param {Frame} frame
 * @param {Shown} table
 * @returns {View}
 */
function viewOf({ turn, board, moves, said, lines, kinds }, table) {
  const last = Object.keys(moves).length > 0 ? { turn, moves, drawn: null } : null;
  const players = table.scene.sides.map(() => ({ who: "human" }));
  const quiet = { stage: "told", actions: [] };
  return /** @type {View} */ (/** @type {unknown} */ ({ ...table, scene: { ...table.scene, ...quiet }, players, turn, board, last, to_move: bothChoose(table) ? [1, 2] : [], chosen: [], choice: null, question: null, over: false, log: [{ turn, lines, kinds, short: said }] }));
}
