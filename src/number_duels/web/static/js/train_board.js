/** The board of an exercise or an analysis, used like the board of a game. */

import { drawBoard } from "./board.js";
import { keyOf } from "./board_places.js";
import { fill, h } from "./dom.js";
import { dragging } from "./drag.js";
import { isStill } from "./motion.js";
import { drawPlayers } from "./players.js";
import { Chooser } from "./question.js";
import { ReplayBoard } from "./replay.js";
import { drawTray, heldPart, spentBy } from "./board_middle.js";

/**
 * Turn a scene into a view of a table at which nobody else chooses.
 * @param {Scene} scene
 * @param {Partial<Record<Seat, string>>} [moves] the cards that lie on the table
 * @returns {Shown}
 */
export function tableOf(scene, moves = {}) {
  const laid = scene.against && scene.you ? { [3 - scene.you]: scene.against, ...moves } : moves;
  const last = scene.drawn === null && Object.keys(laid).length === 0 ? null : { turn: 0, moves: laid, drawn: scene.drawn };
  return { ...scene, scene, chosen: [], choice: null, log: [], last };
}

/**
 * Add the user's choice to a view, if both players choose at once.
 * @param {Shown} view
 * @param {string | null} move null for a mixed strategy
 * @returns {Shown}
 */
const withChoice = (view, move) => (view.to_move.length === 2 && view.you !== null && move !== null ? { ...view, last: { turn: 0, moves: { ...view.last?.moves, [view.you]: move }, drawn: null } } : view);

export class ExerciseBoard {
  /** @param {(move: string) => Promise<void>} onMove */
  constructor(onMove) {
    this.element = h("div", { class: "board-place", tabindex: -1, role: "group", "aria-label": "Board" });
    this.chooser = new Chooser(this.element, (move) => this.answer(move, onMove), () => this.draw());
    dragging(this.element, this.chooser);
    this.replay = new ReplayBoard(this.element);
    /** @type {Shown | null} */
    this.view = null;
    this.asking = false;
    /** The places of the last answer. @type {Place[]} */
    this.tried = [];
  }

  /**
   * @param {Element} from
   */
  celebrate(from) {
    if (!isStill()) this.replay.motion.burst(from);
    return this.replay.motion.finished();
  }

  /** Shake the tiles of a wrong answer. */
  shake() {
    for (const place of this.tried) this.element.querySelector(`[data-tile="${keyOf(place)}"]`)?.classList.add("shaken");
  }

  /**
   * Show a position. If `asked`, the user answers by touching the board.
   * @param {Scene} scene
   * @param {boolean} asked
   * @param {{quiet?: boolean}} [how] quiet: the focus stays where it is
   */
  show(scene, asked, how) {
    this.showView(tableOf(scene), asked, how);
  }

  /**
   * @param {Shown} view
   * @param {boolean} asked
   * @param {{quiet?: boolean}} [how]
   */
  showView(view, asked, { quiet = false } = {}) {
    this.replay.leave();
    this.element.removeAttribute("aria-busy");
    this.view = view;
    this.asking = asked;
    this.chooser.ask(null);
    this.chooser.ask(asked ? view.question : null);
    this.draw();
    if (asked && !quiet) this.focus();
  }

  /**
   * Show an answer at once, and take it back if the request changes nothing.
   * @param {string} move
   * @param {(move: string) => Promise<void>} onMove
   */
  async answer(move, onMove) {
    const { view, chooser } = this;
    if (!view) return;
    this.tried = [...chooser.path, chooser.sent].flatMap((each) => each?.at ?? []);
    for (const row of ["far", "middle", "near"]) this.element.style.setProperty(`--${row}-height`, `${this.element.querySelector(`.${row}`)?.getBoundingClientRect().height ?? 0}px`);
    const answered = { ...withChoice(view, move), scene: { ...view.scene, stage: /** @type {const} */ ("working") } };
    this.view = answered;
    this.element.setAttribute("aria-busy", "true");
    this.draw();
    await onMove(move);
    if (this.view === answered) this.showView(view, true);
  }

  /**
   * Show the choice, and accept no more answers.
   * @param {string | null} move null for a mixed strategy
   */
  settle(move) {
    if (this.view) this.showView(withChoice(this.view, move), false);
  }

  /**
   * Show a step of a line that might be played from here.
   * @param {Frame} frame
   * @param {Frame | null} before the frame to animate the step from
   */
  showStep(frame, before) {
    return this.view && this.replay.show(frame, before, this.view);
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
    this.element.dataset.shown = `${view.scene.path} ${asking} ${chooser.step}`;
    const near = view.you ?? 1;
    fill(this.element, drawBoard(view.board, drawPlayers(view.scene, view.you), near, {
      offers: asking ? chooser.offers : undefined,
      held: heldPart(view),
      spent: spentBy(view),
      middle: drawTray(view, near, asking ? chooser : null, () => {}),
    }));
  }
}
