/** The middle of the board: the chosen cards, a drawn card, the deck and the question. */

import { drawPart } from "./board.js";
import { h, whole } from "./dom.js";
import { stray } from "./question.js";
import { labels, withNames, yours } from "./words.js";

/** @typedef {import("./question.js").Chooser} Chooser */

/**
 * Return true if both players choose at once, now or in the last turn.
 * @param {Shown} view
 */
export const bothChoose = (view) => view.to_move.length === 2 || Object.keys(view.last?.moves ?? {}).length === 2;

/**
 * Return true if the last round's cards are gone. They stay until the player here has chosen.
 * @param {Shown} view
 */
export const roundBegun = ({ you, chosen, last }) => (last ? you !== null && chosen.includes(you) : chosen.length > 0);

/**
 * Return the number that the player here has used in this round, while the board still counts it.
 * @param {Shown} view
 */
export function spentBy(view) {
  const { you, choice, last } = view;
  if (!you || yours(view) || !bothChoose(view)) return null;
  const text = roundBegun(view) ? choice : last?.moves[you];
  return text ? { seat: you, text } : null;
}

/**
 * Return a view in which a move is made, before the server has answered: nobody is asked, and a
 * secret choice lies face down.
 * @param {View} view
 * @param {string} move
 * @returns {View}
 */
export function withMove(view, move) {
  const lies = bothChoose(view) && view.you ? { chosen: [...view.chosen, view.you], choice: move } : {};
  return { ...view, ...lies, scene: { ...view.scene, stage: "working", headline: "" } };
}

/**
 * Return the index of the part with a drawn card that is not placed yet.
 * @param {Shown} view
 * @returns {number} -1 if there is none
 */
export function heldPart(view) {
  const { last } = view;
  if (!last || last.drawn === null || Object.keys(last.moves).length > 0 || view.over) return -1;
  return view.board.findLastIndex((part) => part.kind === "cards" && part.owner !== null && part.cards.length === 1 && part.cards[0] === last.drawn);
}

/**
 * @param {Shown} view
 * @param {Seat} near
 * @param {Chooser | null} chooser null during animations
 * @param {(what: "draw" | "ready") => void} onAct
 */
export function drawTray(view, near, chooser, onAct) {
  const far = /** @type {Seat} */ (near === 1 ? 2 : 1);
  const both = bothChoose(view);
  return h(
    "div",
    { class: both ? "tray both" : "tray" },
    both && drawPlayed(view, near),
    h("div", { class: labels(view.scene).draw || heldPart(view) >= 0 ? "asked with-card" : "asked" }, chooser && yours(view) ? drawAsked(view, chooser, onAct) : chooser && labels(view.scene).ready ? drawCurtain(view, onAct) : drawWaiting(view), !view.last && view.scene.rules && [h("p", { class: "goal" }, view.scene.summary), h("p", { class: "rule" }, view.scene.rules)]),
    both && drawPlayed(view, far),
  );
}

/**
 * Draw the card in front of a player, face down while it is secret. Its owner can still read it.
 * @param {Shown} view
 * @param {Seat} seat
 */
export function drawPlayed(view, seat) {
  const begun = roundBegun(view);
  const chosen = begun && view.chosen.includes(seat);
  const text = chosen ? (seat === view.you ? view.choice : null) : begun ? null : (view.last?.moves[seat] ?? null);
  const state = chosen ? "down" : text === null ? "empty" : "";
  const won = state === "" && view.last?.won ? (view.last.won === seat ? " winner" : " loser") : "";
  const whose = seat === view.you ? "Your card" : "Their card";
  const words = { down: text === null ? "face down" : `${text}, face down`, empty: "none yet", "": `${text}` }[state];
  return h(
    "div",
    { class: `slot seat-${seat} ${state}${won}${seat === view.you ? " own" : ""}`, "data-slot": seat, role: "img", "aria-label": `${whose}: ${words}` },
    state === "empty" && view.you && h("span", { class: "whose" }, whose),
    state !== "empty" && h("div", { class: "played" }, h("span", { class: "face", "data-index": text }, text ?? ""), h("span", { class: "back", "aria-hidden": "true" }, seat === view.you ? text : "")),
  );
}

/**
 * Return the last event as a sentence.
 * @param {Shown} view
 */
const lastSaid = (view) => whole(view.last ? withNames(view, view.log.at(-1)?.short ?? "") : "");

/**
 * Name the round of the cards on the table. The board already counts the next round.
 * @param {Shown} view
 */
const drawWhen = (view) => view.to_move.length === 2 && view.last?.when && view.last.when !== view.scene.headline && !view.over && h("p", { class: "when" }, yours(view) ? "Previous round" : view.last.when);

/** @param {Shown} view */
function drawWaiting(view) {
  const held = heldPart(view);
  const waiting = roundBegun(view) ? withNames(view, view.scene.detail) : "";
  return [held >= 0 && drawHeld(view, held), !waiting && drawWhen(view), h("p", { class: "said" }, waiting ? whole(waiting) : lastSaid(view))];
}

/**
 * @param {Shown} view
 * @param {Chooser} chooser
 * @param {(what: "draw" | "ready") => void} onAct
 */
function drawAsked(view, chooser, onAct) {
  const question = chooser.current;
  const held = heldPart(view);
  if (!question) {
    const shownAt = performance.now();
    return [h("button", { type: "button", class: "deck offer", "data-key": "draw", onclick: (event) => !stray(event, shownAt) && onAct("draw") }, h("span", { class: "pile", "aria-hidden": "true" }), h("span", {}, labels(view.scene).draw)), h("p", { class: "said" }, withNames(view, view.scene.detail) || lastSaid(view))];
  }
  const last = chooser.path.at(-1);
  const listed = held >= 0 ? question.answers : chooser.listed;
  return [
    held >= 0 && drawHeld(view, held),
    !last && held < 0 && [drawWhen(view), h("p", { class: "said" }, lastSaid(view))],
    h("div", { class: "row" }, h("h2", { class: "prompt", id: "prompt" }, question.text), last && h("button", { type: "button", class: "quiet", "data-key": "back", onclick: () => chooser.back() }, `← Change ${last.label}`)),
    listed.length > 0 && h("div", { class: "answers" }, listed.map((answer) => drawAnswer(answer, chooser, view.board[answer.at[0]?.part]?.owner ?? view.you))),
    question.forced && h("p", { class: "forced" }, question.forced),
    listed.length === 0 && !question.forced && h("p", { class: "consequence", "aria-hidden": "true" }),
  ];
}

/**
 * Ask the other person at this device to look away.
 * @param {Shown} view
 * @param {(what: "draw" | "ready") => void} onAct
 */
function drawCurtain(view, onAct) {
  const shownAt = performance.now();
  return [
    drawWhen(view),
    h("p", { class: "said" }, lastSaid(view)),
    h("p", {}, whole(withNames(view, view.scene.detail))),
    h("button", { type: "button", class: "primary offer", "data-key": "ready", onclick: (event) => !stray(event, shownAt) && onAct("ready") }, labels(view.scene).ready),
  ];
}

/**
 * Draw an answer as a button in the middle.
 * @param {Answer} answer
 * @param {Chooser} chooser
 * @param {Seat | null} seat the player whom it affects
 */
function drawAnswer(answer, chooser, seat) {
  return h(
    "button",
    { type: "button", class: `answer offer seat-${seat}${chooser.isBest(answer) ? " best" : ""}`, "data-key": `answer ${answer.text}`, onclick: (event) => chooser.take(event, answer) },
    h("span", {}, whole(answer.label)),
    answer.note && h("span", { class: "becomes" }, whole(answer.note)),
  );
}

/**
 * Draw the drawn card large. Players who don't know it see its back.
 * @param {Shown} view
 * @param {number} index
 */
function drawHeld(view, index) {
  const part = view.board[index];
  return h("div", { class: `held seat-${part.owner}` }, drawPart(part, index));
}
