/** Dragging a number with a finger or a mouse, and dropping it on the board. */

import { makeGhost } from "./board.js";

/** @typedef {import("./question.js").Chooser} Chooser */

/** A press that moves less is a click. */
const MIN_DRAG_PX = 7;
const TAKEN = "[data-tile].offer:not(.target), .held .card";

/**
 * Make numbers draggable. The board must not be redrawn during a drag: wait for `idle` first.
 * @param {HTMLElement} board stays in the page while its content is redrawn
 * @param {Chooser} chooser
 * @returns {{idle: () => Promise<void>}}
 */
export function dragging(board, chooser) {
  /** @type {{id: number, x: number, y: number, tile: HTMLElement, ghost: HTMLElement | null, answer: Answer | undefined} | null} */
  let held = null;
  /** @type {(() => void)[]} */
  let waiting = [];

  board.addEventListener("pointerdown", (event) => {
    const tile = event.target instanceof Element ? /** @type {HTMLElement | null} */ (event.target.closest(TAKEN)) : null;
    if (!tile || !chooser.current || event.button !== 0 || held) return;
    const answer = chooser.answerAt(tile.dataset.tile ?? "");
    held = { id: event.pointerId, x: event.clientX, y: event.clientY, tile, ghost: null, answer };
  });

  addEventListener("pointermove", (event) => {
    if (event.pointerId !== held?.id) return;
    const [x, y] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.ghost && Math.hypot(x, y) < MIN_DRAG_PX) return;
    if (!held.ghost) lift(event.pointerId);
    held.ghost?.style.setProperty("translate", `${x}px ${y}px`);
    mark(targetAt(event));
  });

  /** @param {number} pointer */
  function lift(pointer) {
    if (!held) return;
    held.ghost = makeGhost(held.tile);
    held.ghost.classList.add("lifted");
    document.body.append(held.ghost);
    board.setPointerCapture(pointer);
    board.classList.add("dragging");
    if (held.answer?.next) chooser.choose(held.answer);
  }

  /** @param {PointerEvent} event */
  function letGo(event) {
    if (event.pointerId !== held?.id) return;
    const { ghost, answer } = held;
    const target = ghost && event.type === "pointerup" ? targetAt(event) : null;
    held = null;
    ghost?.remove();
    mark(null);
    board.classList.remove("dragging");
    if (ghost && target?.classList.contains("middle")) { if (answer) chooser.choose(answer); }
    else if (ghost && target) target.click();
    else if (ghost && answer?.next && chooser.path.at(-1) === answer) chooser.back();
    /** The click comes after this event, and must still hit the element that was pressed. */
    setTimeout(() => {
      for (const done of waiting) done();
      waiting = [];
    });
  }
  addEventListener("pointerup", letGo);
  addEventListener("pointercancel", letGo);

  /**
   * Return the drop target: a place that takes the number, or the only target on a side.
   * @param {PointerEvent} event
   * @returns {HTMLElement | null}
   */
  function targetAt(event) {
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const place = /** @type {HTMLElement | null | undefined} */ (under?.closest(".board .offer.target"));
    if (held?.answer && !held.answer.next) return /** @type {HTMLElement | null} */ (under?.closest(".middle") ?? null);
    if (place) return place.dataset.tile === held?.tile.dataset.tile ? null : place;
    const around = /** @type {NodeListOf<HTMLElement> | undefined} */ (under?.closest(".side")?.querySelectorAll(".offer.target"));
    return around?.length === 1 ? around[0] : null;
  }

  /** @param {HTMLElement | null} target */
  function mark(target) {
    for (const each of board.querySelectorAll(".over")) if (each !== target) each.classList.remove("over");
    target?.classList.add("over");
  }

  return { idle: () => (held ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve()) };
}
