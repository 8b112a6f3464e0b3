/** A table: the board, on which one plays, and what happened; for players and spectators. */

import { deliver, get, sentence } from "./api.js";
import { drawAftermath, drawEnding } from "./after.js";
import { drawBoard } from "./board.js";
import { ClaimBox } from "./claim.js";
import { at, fill, h, speak } from "./dom.js";
import { dragging } from "./drag.js";
import { HintBox } from "./hint.js";
import { follow } from "./live.js";
import { Log } from "./log.js";
import { confirmation, shortcuts } from "./menu.js";
import { Motion } from "./motion.js";
import { TurnNotice, markTab } from "./notify.js";
import { drawPlayers, drawScore } from "./players.js";
import { Chooser } from "./question.js";
import { drawInvitation, drawJoining } from "./seats.js";
import { bothChoose, drawTray, heldPart } from "./tray.js";
import { Unsaid, labels, withNames, yours } from "./words.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Seat} Seat */
/** @typedef {import("./types.js").Part} Part */

const id = location.pathname.split("/")[2];
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
const chooser = new Chooser(places.board, play, () => view && drawTable(view.board));
const drag = dragging(places.board, chooser);
const motion = new Motion(places.board);
const log = new Log(places.log);
const unsaid = new Unsaid(speak);
const hints = new HintBox(places.hint);
const keys = shortcuts();
const notice = new TurnNotice();
const claim = new ClaimBox((turn) => send(`/api/games/${id}/claim`, { turn }));
const resigning = confirmation("Resign this game?", "Your opponent wins at once.", "Resign", () => send(`/api/games/${id}/resign`, {}));
const closing = confirmation("Close this game?", "Nobody has joined it yet, so nobody wins or loses.", "Close", closeTable);

/** @type {Record<string, Seat>} */
const WINNERS = { "1-0": 1, "0-1": 2 };

/** What is shown. @type {View | null} */
let view = null;
/** Views that have arrived and are not shown yet, the oldest first. @type {View[]} */
let arrived = [];
let showing = false;
let mode = "";
/** What the board was drawn from. */
let drawn = "";
/** Whether something is on its way to the server, so that a double click says it once. */
let sending = false;
/** The version at which something was refused; the next one makes the refusal old. */
let refusedAt = 0;
/** @type {import("./replay.js").Replay | null} */
let replay = null;

const complain = (/** @type {string} */ text) => places.problem.replaceChildren(text);

/**
 * Take a new view, unless it is older than what is shown.
 * @param {View} next
 */
function show(next) {
  arrived = [...arrived, next].sort((one, other) => one.version - other.version);
  showAll();
}

/** Show what has arrived, a step after the other; what is more than a turn behind is left out. */
async function showAll() {
  if (showing || sending) return;
  showing = true;
  for (let next = arrived.shift(); next; next = arrived.shift()) {
    const shown = next;
    const newest = arrived.at(-1);
    if (view && (shown.version < view.version || (newest && newest.turn > shown.turn + 1))) continue;
    await drag.idle();
    const keepFocus = holdFocus();
    // While something moves, the turn that is over is shown, and nothing of the next.
    await motion.play(view, shown, () => drawTable(shown.board, { ...shown, chosen: shown.turn === view?.turn ? shown.chosen : [] }, null));
    settle(shown);
    keepFocus();
  }
  showing = false;
}

/** @param {View} next */
function settle(next) {
  if (next.version > refusedAt) complain("");
  view = next;
  const asked = modeOf(view) === "question" ? view.question : null;
  chooser.ask(asked);
  const [headline, detail, ...notes] = [view.scene.headline, view.scene.detail, ...view.scene.notes].map((text) => withNames(next, text));
  markTab(`${headline} – ${view.title}`, yours(view) ? 1 : 0);
  notice.show(view);
  fill(places.title, view.title);
  fill(places.standing, h("p", { class: "headline" }, headline), view.over && drawScore(view.scene), view.over && h("p", {}, detail));
  places.standing.className = standingClass(view);
  if (!replay) drawTable(view.board);
  drawAction(view);
  drawMenu(view);
  hints.show(view);
  fill(places.notes, notes.map((text) => h("span", {}, text)));
  claim.show(view);
  unsaid.add(log.show(view), view, [headline, detail, asked?.text ?? "", asked?.forced ?? ""]);
}

/** @param {View} shown */
function standingClass(shown) {
  if (shown.over) return `standing over seat-${WINNERS[shown.result] ?? "none"}`;
  return yours(shown) ? "standing yours" : "standing";
}

/**
 * Focus that was on the board goes back to the same answer of the same question. With another
 * question the board has it, and no answer, so that Enter plays nothing that nobody chose.
 * @returns {() => void} to be called when the board has been drawn again
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
 * @param {Part[]} parts
 * @param {View | null} [shown]
 * @param {Chooser | null} [asking] nobody is asked while something moves
 */
function drawTable(parts, shown = view, asking = chooser) {
  if (!shown) return;
  const near = shown.you ?? 1;
  const live = parts === shown.board && isFull(shown);
  places.board.dataset.shown = `${shown.version} ${asking?.path.length ?? "moving"}`;
  // What is the same stays: a finger may be on it.
  const drawing = JSON.stringify([parts, shown.scene, shown.to_move, shown.chosen, shown.choice, shown.last, shown.draw, shown.over, asking?.path.length, asking?.shownAt]);
  if (drawing === drawn) return;
  drawn = drawing;
  places.board.setAttribute("aria-label", asking?.current?.text ?? "Board");
  fill(places.board, drawBoard(parts, drawPlayers(shown.scene, shown.you), near, {
    offers: live && asking ? asking.offers : undefined,
    held: live ? heldPart(shown) : -1,
    middle: live && (!shown.over || !asking || bothChoose(shown)) ? drawTray(shown, near, asking, draw) : null,
  }));
}

/**
 * What can be done beside the board; drawn again only when that changes, so that nothing half
 * typed is lost.
 * @param {View} shown
 */
function drawAction(shown) {
  const next = modeOf(shown);
  const key = next === "over" ? `${next} ${shown.rematch}` : next;
  if (mode !== key) fill(places.action, contents(next, shown));
  mode = key;
  if (next === "over") openAftermath(shown);
}

/**
 * Whether somebody sits in both seats.
 * @param {View} shown
 */
const isFull = ({ players }) => players.every(({ seated }) => seated);

/** @param {View} shown */
function modeOf(shown) {
  if (shown.over) return "over";
  if (!isFull(shown)) return shown.you === null ? "join" : "invite";
  if (shown.question) return "question";
  if (shown.draw) return "draw";
  return shown.you === null ? "watch" : "wait";
}

/**
 * @param {string} what
 * @param {View} shown
 */
function contents(what, shown) {
  if (what === "over") return drawEnding(shown, complain);
  if (what === "join") return drawJoining(shown, () => location.reload(), complain);
  if (what === "invite") return location.hash === "#rematch" ? h("p", { class: "note" }, "Waiting for your opponent to come to the rematch.") : drawInvitation(shown);
  return what === "watch" && h("p", { class: "note" }, "You are watching this game.");
}

/** @param {View} shown */
function drawMenu(shown) {
  keys.element.hidden = shown.over || shown.you === null;
  const { resign, close } = labels(shown.scene);
  fill(
    places.menu,
    h("a", { class: "button quiet", href: `/rules/${shown.game}`, target: "_blank", rel: "noopener" }, "Rules"),
    resign && h("button", { type: "button", class: "quiet", "data-key": "resign", onclick: () => resigning.showModal() }, resign),
    close && h("button", { type: "button", class: "quiet", "data-key": "close", onclick: () => closing.showModal() }, close),
  );
}

/** @param {View} shown */
async function openAftermath(shown) {
  if (places.replay.dataset.opened) return;
  places.replay.dataset.opened = "yes";
  try {
    replay = await drawAftermath(shown, places, (step) => drawTable(step.board));
  } catch (problem) {
    complain(sentence(problem));
  }
}

/** @param {string} move */
function play(move) {
  if (view) send(`/api/games/${id}/moves`, { turn: view.turn, move });
}

function draw() {
  if (view) send(`/api/games/${id}/draw`, { turn: view.turn });
}

/** A game that nobody joined is closed: it was never played. */
async function closeTable() {
  try {
    await deliver(`/api/games/${id}/resign`, {});
    location.assign("/");
  } catch (problem) {
    complain(sentence(problem));
  }
}

/**
 * Send what the holder has decided; the answer is the new view.
 * @param {string} path
 * @param {object} body
 */
async function send(path, body) {
  if (sending) return;
  sending = true;
  places.board.setAttribute("aria-busy", "true");
  complain("");
  /** @type {View | null} */
  let next = null;
  try {
    next = await deliver(path, body);
  } catch (problem) {
    complain(sentence(problem));
    next = await get(`/api/games/${id}`).catch(() => null);
    refusedAt = next?.version ?? view?.version ?? 0;
  }
  sending = false;
  places.board.removeAttribute("aria-busy");
  if (next) show(next);
  else showAll();
}

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

// The next touch or key ends what moves, and does nothing else.
addEventListener("pointerdown", () => motion.skip(), { capture: true });
document.addEventListener("visibilitychange", () => document.hidden && motion.skip());
addEventListener("keydown", (event) => {
  if (!motion.running || event.key === "Tab") return;
  motion.skip();
  event.preventDefault();
  event.stopImmediatePropagation();
}, { capture: true });

// A finished game has no stream; who comes back to it sees whether there is a rematch by now.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && view?.over && !view.rematch) get(`/api/games/${id}`).then(show, () => {});
});

/** What there is instead of a game that has been removed. */
const drawGone = () => [
  h("h1", {}, "This game is gone"),
  h("p", {}, "It was called off, or nobody has played it for a long time."),
  h("p", {}, h("a", { class: "button primary", href: "/" }, "All games")),
];

async function open() {
  /** @type {View} */
  let first;
  try {
    first = await get(`/api/games/${id}`);
    show(first);
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
  if (!first.over) follow(id, show, connection, () => fill(at("main"), drawGone()));
}

open();
