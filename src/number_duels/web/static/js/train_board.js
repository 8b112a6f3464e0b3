/** The board of an exercise: the same that one touches at a table. */

import { drawBoard } from "./board.js";
import { fill, h } from "./dom.js";
import { dragging } from "./drag.js";
import { markStep } from "./marks.js";
import { drawPlayer } from "./players.js";
import { Chooser } from "./question.js";
import { drawTray, heldPart } from "./tray.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Frame} Frame */
/** @typedef {import("./types.js").Scene} Scene */

/**
 * A scene as a table has it, at which nobody else sits.
 * @param {Scene} scene
 * @returns {View}
 */
function viewOf({ you, to_move, board, question, drawn, path }) {
  const player = (/** @type {1 | 2} */ seat) => ({ name: `Player ${seat}`, who: "human", seated: true, present: true, you: seat === you, strength: null });
  const nothing = { id: "", version: 0, game: "", title: "", settings: {}, turn: 0, chosen: [], options: [], choice: null, draw: false, draw_label: "", lines: [], kinds: [], announce: [], log: [], result: "*", reason: "", over: false, conceded: false, hints: false, expires: null, kept_until: null, rematch: null, watching: 0, claim: null };
  return { ...nothing, players: [player(1), player(2)], you, to_move, board, question, moves: path, last: drawn === null ? null : { turn: 0, moves: {}, drawn }, series: { wins: [0, 0], draws: 0 } };
}

export class ExerciseBoard {
  /** @param {(move: string) => void} onMove */
  constructor(onMove) {
    this.element = h("div", { class: "board-place", tabindex: -1, role: "group", "aria-label": "Board" });
    this.chooser = new Chooser(this.element, onMove, () => this.draw());
    dragging(this.element, this.chooser);
    /** @type {View | null} */
    this.view = null;
    this.asking = false;
  }

  /**
   * Show a position; where it is `asked`, it is answered by touching the board.
   * @param {Scene} scene
   * @param {boolean} asked
   */
  show(scene, asked) {
    this.showView(viewOf(scene), asked);
  }

  /**
   * @param {View} view
   * @param {boolean} asked
   */
  showView(view, asked) {
    this.view = view;
    this.asking = asked;
    this.chooser.ask(null);
    this.chooser.ask(asked ? view.question : null);
    this.draw();
    if (asked) this.focus();
  }

  /**
   * Show what was chosen, and take no more.
   * @param {string | null} move none for a mixture
   */
  settle(move) {
    if (!this.view) return;
    const { view } = this;
    const both = view.to_move.length === 2 && view.you !== null && move !== null;
    this.showView(both && view.you !== null ? { ...view, last: { turn: view.turn, moves: { [view.you]: move }, drawn: null } } : view, false);
  }

  /**
   * A step of a line that might be played from here.
   * @param {Frame} frame
   */
  showStep(frame) {
    if (!this.view) return;
    fill(this.element, drawBoard(frame.board, this.heads(this.view), this.view.you ?? 1));
    markStep(this.element, frame);
  }

  /** Put the focus on the board, unless it is somewhere else on purpose. No answer has it, so that Enter takes none. */
  focus() {
    if (document.activeElement === document.body) this.element.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (this.asking) this.chooser.key(event, true);
  }

  /** @param {View} view */
  heads(view) {
    return { 1: drawPlayer(view, 1), 2: drawPlayer(view, 2) };
  }

  draw() {
    const { view, chooser, asking } = this;
    if (!view) return;
    this.element.setAttribute("aria-label", chooser.current?.text ?? "Board");
    this.element.dataset.shown = `${view.moves} ${asking} ${chooser.path.length}`;
    const near = view.you ?? 1;
    fill(this.element, drawBoard(view.board, this.heads(view), near, {
      offers: asking ? chooser.offers : undefined,
      held: heldPart(view),
      middle: drawTray(view, near, asking ? chooser : null, () => {}),
    }));
  }
}
