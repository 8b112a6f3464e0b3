/** The board of an exercise or an analysis, used like the board of a game. */

import { drawBoard } from "./board.js";
import { fill, h } from "./dom.js";
import { dragging } from "./drag.js";
import { drawPlayers } from "./players.js";
import { Chooser } from "./question.js";
import { ReplayBoard } from "./replay.js";
import { drawTray, heldPart } from "./board_middle.js";

/**
 * Turn a scene into a view of a table at which nobody else chooses.
 * @param {Scene} scene
 * @param {Partial<Record<Seat, string>>} [moves] the cards that lie on the table
 * @returns {Shown}
 */
export function tableOf(scene, moves = {}) {
  const last = scene.drawn === null && Object.keys(moves).length === 0 ? null : { turn: 0, moves, drawn: scene.drawn };
  return { ...scene, scene, chosen: [], choice: null, log: [], last };
}

export class ExerciseBoard {
  /** @param {(move: string) => void} onMove */
  constructor(onMove) {
    this.element = h("div", { class: "board-place", tabindex: -1, role: "group", "aria-label": "Board" });
    this.chooser = new Chooser(this.element, onMove, () => this.draw());
    dragging(this.element, this.chooser);
    this.replay = new ReplayBoard(this.element);
    /** @type {Shown | null} */
    this.view = null;
    this.asking = false;
  }

  /**
   * Show a position. If `asked`, the user answers by touching the board.
   * @param {Scene} scene
   * @param {boolean} asked
   */
  show(scene, asked) {
    this.showView(tableOf(scene), asked);
  }

  /**
   * @param {Shown} view
   * @param {boolean} asked
   */
  showView(view, asked) {
    this.replay.leave();
    this.view = view;
    this.asking = asked;
    this.chooser.ask(null);
    this.chooser.ask(asked ? view.question : null);
    this.draw();
    if (asked) this.focus();
  }

  /**
   * Show the choice, and accept no more answers.
   * @param {string | null} move null for a mixture
   */
  settle(move) {
    if (!this.view) return;
    const { view } = this;
    const both = view.to_move.length === 2 && view.you !== null && move !== null;
    this.showView(both && view.you !== null ? { ...view, last: { turn: 0, moves: { [view.you]: move }, drawn: null } } : view, false);
  }

  /**
   * Show a step of a line that might be played from here.
   * @param {Frame} frame
   * @param {Frame | null} before the frame to animate the step from
   */
  showStep(frame, before) {
    if (this.view) this.replay.show(frame, before, this.view);
  }

  /** Focus the board, unless the user has put the focus elsewhere. Enter then chooses nothing. */
  focus() {
    if (document.activeElement === document.body) this.element.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (this.asking) this.chooser.key(event, true);
  }

  draw() {
    const { view, chooser, asking } = this;
    if (!view || view.board.length === 0) return;
    this.element.setAttribute("aria-label", chooser.current?.text ?? "Board");
    this.element.dataset.shown = `${view.scene.path} ${asking} ${chooser.path.length}`;
    const near = view.you ?? 1;
    fill(this.element, drawBoard(view.board, drawPlayers(view.scene, view.you), near, {
      offers: asking ? chooser.offers : undefined,
      held: heldPart(view),
      middle: drawTray(view, near, asking ? chooser : null, () => {}),
    }));
  }
}
