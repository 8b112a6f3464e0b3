/** The page of one game, for players and spectators: the board, the log and the actions. */

import { deliver, get, sentence } from "./api.js";
import { drawAftermath, drawEnding } from "./game_over.js";
import { drawBoard } from "./board.js";
import { middle } from "./board_places.js";
import { ClaimBox } from "./claim.js";
import { at, fill, h, speak } from "./dom.js";
import { dragging } from "./drag.js";
import { HintBox } from "./hint.js";
import { follow } from "./live.js";
import { Log } from "./log.js";
import { confirmation, shortcuts } from "./menu.js";
import { Motion } from "./motion.js";
import { TurnNotice, markTab } from "./turn_notice.js";
import { drawPlayers, drawScore } from "./players.js";
import { Chooser } from "./question.js";
import { drawInvitation, drawJoining } from "./invitation.js";
import { bothChoose, drawTray, heldPart } from "./board_middle.js";
import { ViewQueue } from "./view_queue.js";
import { Unsaid, labels, withNames, yours } from "./words.js";

const id = location.pathname.split("/")[2];
const address = `/api/games/${id}`;
const places = {
  title: h("h1", {}),
  menu: h("div", { class: "menu" }),
  connection: h("p", { class: "connection", role: "status" }),
  standing: h("div", { class: "standing" }),
  board: h("div", { class: "board-place", tabindex: -1, role: "group", "aria-label": "Board" }),
  notes: h("p", { class: "company" }),
  problem: h("p", { class: "problem", role: "alert" }),
  action: h("section", { class: "action", "aria-label": "What to do" }),
  replay: h("div", {}),
  review: h("section", { "aria-label": "Review" }),
  hint: h("section", { class: "hint", "aria-label": "Hint" }),
  log: h("ol", { class: "log", tabindex: 0, "aria-label": "What happened" }),
};
/** The view that is shown. @type {View | null} */
let view = null;
/** The data of the drawn board. */
let drawnBoard = "";
/** The data of the drawn actions beside the board. */
let drawnAction = "";
/** True while a request is under way, so that a double click sends only one. */
let sending = false;
/** The version at which a request was refused. The error disappears with the next version. */
let refusedAt = 0;
/** True once replay and review have been requested. */
let reviewed = false;
/** @type {import("./replay.js").Replay | null} */
let replay = null;

const queue = new ViewQueue(show);
const chooser = new Chooser(places.board, (move) => send("moves", { turn: view?.turn, move }), () => view && drawTable(view));
const drag = dragging(places.board, chooser);
const motion = new Motion(places.board);
const log = new Log(places.log);
const unsaid = new Unsaid(speak);
const hints = new HintBox(places.hint);
const keys = shortcuts();
const notice = new TurnNotice();
const claim = new ClaimBox((turn) => send("claim", { turn }));
const resigning = confirmation("Resign this game?", "Your opponent wins at once.", "Resign", () => send("resign", {}));
const closing = confirmation("Close this game?", "Nobody has joined it yet, so nobody wins or loses.", "Close", closeTable);

/** @type {Record<string, Seat>} */
const WINNERS = { "1-0": 1, "0-1": 2 };

const complain = (/** @type {string} */ text) => places.problem.replaceChildren(text);

/**
 * Return true if both seats are taken.
 * @param {View} shown
 */
const isFull = ({ players }) => players.every(({ seated }) => seated);

// ---- a view ---------------------------------------------------------------------

/**
 * Animate the change to a view, then show the view.
 * @param {View} next
 */
async function show(next) {
  await drag.idle();
  const keepFocus = holdFocus();
  // During the animation show the finished turn, and nothing of the next one.
  const moving = { ...next, chosen: next.turn === view?.turn ? next.chosen : [] };
  await motion.play(view, next, () => drawTable(moving, { asking: null }));
  view = next;
  drawView(next);
  keepFocus();
}

/** @param {View} shown */
function drawView(shown) {
  const { scene } = shown;
  if (shown.version > refusedAt) complain("");
  const asked = isFull(shown) ? shown.question : null;
  chooser.ask(asked);
  const [headline, detail, ...notes] = [scene.headline, scene.detail, ...scene.notes].map((text) => withNames(shown, text));
  markTab(`${headline} – ${shown.title}`, yours(shown) ? 1 : 0);
  notice.show(shown);
  fill(places.title, shown.title);
  fill(places.standing, h("p", { class: "headline" }, headline), shown.over && [drawScore(scene), h("p", {}, detail)]);
  places.standing.className = standingClass(shown);
  if (!replay) drawTable(shown);
  drawAction(shown);
  drawMenu(shown);
  hints.show(shown);
  fill(places.notes, notes.map((text) => h("span", {}, text)));
  claim.show(shown);
  unsaid.add(log.show(shown), shown, [headline, detail, asked?.text ?? "", asked?.forced ?? ""]);
  if (shown.over) openReview(shown);
}

/** @param {View} shown */
function standingClass(shown) {
  if (shown.over) return `standing over seat-${WINNERS[shown.result] ?? "none"}`;
  return yours(shown) ? "standing yours" : "standing";
}

/**
 * Return a function that restores the focus on the same answer of the same question. If the
 * question is new, the board gets the focus, so that Enter plays nothing by accident.
 * @returns {() => void} call it when the board has been redrawn
 */
function holdFocus() {
  const held = document.activeElement;
  if (!(held instanceof HTMLElement) || !places.board.contains(held)) return () => {};
  const { key } = held.dataset;
  const question = chooser.current;
  return () => {
    if (document.activeElement !== document.body) return;
    const same = chooser.current === question && chooser.touchable.find((each) => each.dataset.key === key);
    (same || places.board).focus({ preventScroll: true });
  };
}

/**
 * Draw the board, unless it is unchanged: a finger may be on it.
 * @param {View} shown
 * @param {{parts?: Part[], asking?: Chooser | null}} [drawing] another board than that of the view; nobody is asked while something moves
 */
function drawTable(shown, { parts = shown.board, asking = chooser } = {}) {
  const { scene, you, to_move, chosen, choice, last, draw, over } = shown;
  places.board.dataset.shown = `${shown.version} ${asking?.step ?? "moving"}`;
  const drawing = JSON.stringify([parts, scene, to_move, chosen, choice, last, draw, over, asking?.step, asking?.shownAt]);
  if (drawing === drawnBoard) return;
  drawnBoard = drawing;
  places.board.setAttribute("aria-label", asking?.current?.text ?? "Board");
  const near = you ?? 1;
  const live = parts === shown.board && isFull(shown);
  const middle = live && (!over || !asking || bothChoose(shown));
  fill(places.board, drawBoard(parts, drawPlayers(scene, you), near, {
    offers: live && asking ? asking.offers : undefined,
    held: live ? heldPart(shown) : -1,
    middle: middle ? drawTray(shown, near, asking, () => send("draw", { turn: view?.turn })) : null,
  }));
}

/**
 * Draw the actions beside the board. They are redrawn only if they change, so that typed text
 * is not lost.
 * @param {View} shown
 */
function drawAction(shown) {
  const { over, you, rematch, scene: { remark } } = shown;
  const seat = isFull(shown) ? "" : you === null ? "join" : "invite";
  const action = JSON.stringify([over, rematch, remark, seat]);
  if (action === drawnAction) return;
  drawnAction = action;
  if (over) fill(places.action, drawEnding(shown, complain));
  else if (remark) fill(places.action, h("p", { class: "note" }, remark));
  else if (seat === "join") fill(places.action, drawJoining(shown, () => location.reload(), complain));
  else fill(places.action, seat && drawInvitation(shown));
}

/** @param {View} shown */
function drawMenu(shown) {
  keys.element.hidden = shown.over || shown.you === null;
  const { resign, close } = labels(shown.scene);
  fill(
    places.menu,
    // Whoever is invited unfolds the rules in the invitation.
    (isFull(shown) || shown.you !== null) && h("a", { class: "button quiet", href: `/rules/${shown.game}`, target: "_blank", rel: "noopener" }, "Rules"),
    resign && h("button", { type: "button", class: "quiet", "data-key": "resign", onclick: () => resigning.showModal() }, resign),
    close && h("button", { type: "button", class: "quiet", "data-key": "close", onclick: () => closing.showModal() }, close),
  );
}

/**
 * Load replay and review once.
 * @param {View} shown
 */
async function openReview(shown) {
  if (reviewed) return;
  reviewed = true;
  try {
    replay = await drawAftermath(shown, places, ({ board }) => {
      drawnBoard = "";
      if (view) drawTable(view, { parts: board });
    });
  } catch (problem) {
    complain(sentence(problem));
  }
}

// ---- actions of a player ----------------------------------------------------------

/**
 * Show a move as made before the server has answered: a secret choice lies face down, other tiles
 * stay chosen.
 * @param {View} asked
 * @param {string} move
 */
async function layDown(asked, move) {
  const lies = bothChoose(asked) && asked.you ? { chosen: [...asked.chosen, asked.you], choice: move } : {};
  const shown = { ...asked, ...lies, scene: { ...asked.scene, stage: /** @type {const} */ ("working") } };
  view = shown;
  places.standing.className = standingClass(shown);
  drawTable(shown);
  const [tile, card] = [".offer.chosen", ".own.down .played"].map((each) => places.board.querySelector(each));
  if (!tile || !(card instanceof HTMLElement)) return;
  const [from, to] = [middle(tile), middle(card)];
  card.style.setProperty("--from", `${from.x - to.x}px ${from.y - to.y}px`);
  await Promise.allSettled(card.getAnimations().map(({ finished }) => finished));
}

/**
 * Send a decision of the player. The answer is the new view. A refused move is taken back.
 * @param {string} what
 * @param {{turn?: number, move?: string}} body
 */
async function send(what, body) {
  if (sending) return;
  sending = true;
  const asked = view;
  queue.pause();
  places.board.setAttribute("aria-busy", "true");
  complain("");
  const laid = asked && body.move !== undefined ? layDown(asked, body.move) : undefined;
  /** @type {View | null} */
  let next = null;
  try {
    next = await deliver(`${address}/${what}`, body);
  } catch (problem) {
    complain(sentence(problem));
    next = await get(address).catch(() => asked);
    refusedAt = next?.version ?? 0;
  }
  await laid;
  sending = false;
  places.board.removeAttribute("aria-busy");
  if (next) queue.add(next);
  queue.resume();
}

/** Close a game that nobody joined. It was never played. */
async function closeTable() {
  try {
    await deliver(`${address}/resign`, {});
    location.assign("/");
  } catch (problem) {
    complain(sentence(problem));
  }
}

// ---- the page -----------------------------------------------------------------

/** @param {boolean} connected */
function connection(connected) {
  if (connected && places.connection.textContent) {
    speak("Connected again.");
    complain("");
  }
  places.connection.textContent = connected ? "" : "Reconnecting…";
}

addEventListener("keydown", (event) => {
  if (replay) replay.key(event);
  else chooser.key(event, keys.on());
});

// During an animation, the next touch or key only ends the animation.
addEventListener("pointerdown", () => motion.skip(), { capture: true });
document.addEventListener("visibilitychange", () => document.hidden && motion.skip());
addEventListener("keydown", (event) => {
  if (!motion.running || event.key === "Tab") return;
  motion.skip();
  event.preventDefault();
  event.stopImmediatePropagation();
}, { capture: true });

// A finished game has no stream, so check for a rematch when the page becomes visible.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && view?.over && !view.rematch) get(address).then((next) => queue.add(next), () => {});
});

/** Draw a note for a game that has been removed. */
const drawGone = () => [
  h("h1", {}, "This game is gone"),
  h("p", {}, "It was called off, or nobody has played it for a long time."),
  h("p", {}, h("a", { class: "button primary", href: "/" }, "All games")),
];

async function open() {
  /** @type {View} */
  let first;
  try {
    first = await get(address);
    queue.add(first);
  } catch (problem) {
    fill(at("main"), h("h1", {}, "No such game"), h("p", {}, sentence(problem)), h("p", {}, h("a", { href: "/" }, "All games")));
    return;
  }
  fill(
    at("main"),
    h("div", { class: "play" }, h("div", { class: "heading" }, places.title, places.menu), places.connection, places.standing, places.board, places.notes, claim.element, places.replay, places.problem, places.action, places.review),
    h("aside", { class: "beside", "aria-label": "Beside the board" }, places.hint, h("h2", {}, "What happened"), places.log, notice.element, keys.element),
    resigning,
    closing,
  );
  if (!first.over) follow(id, (next) => queue.add(next), connection, () => fill(at("main"), drawGone()));
}

open();
