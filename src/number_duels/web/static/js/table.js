/** A table: the board, what to do now, what happened; for players and spectators. */

import { deliver, get, sentence } from "./api.js";
import { drawAftermath, drawEnding, drawScore } from "./after.js";
import { drawBoard } from "./board.js";
import { at, fill, h, speak } from "./dom.js";
import { HintBox } from "./hint.js";
import { follow } from "./live.js";
import { Log } from "./log.js";
import { confirmation, shortcuts } from "./menu.js";
import { Asker } from "./question.js";
import { drawInvitation, drawJoining } from "./seats.js";
import { doing, freeSeat, nameOf, standing, winner, yours } from "./words.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Seat} Seat */
/** @typedef {import("./types.js").Part} Part */

const id = location.pathname.split("/")[2];
const places = {
  title: h("h1", {}),
  connection: h("p", { class: "connection", role: "status" }),
  standing: h("div", { class: "standing", tabindex: -1 }),
  board: h("div", {}),
  problem: h("p", { class: "problem", role: "alert" }),
  action: h("section", { class: "action", "aria-label": "What to do" }),
  replay: h("div", {}),
  review: h("section", { "aria-label": "Review" }),
  hint: h("section", { class: "hint", "aria-label": "Hint" }),
  log: h("ol", { class: "log", tabindex: 0, "aria-label": "What happened" }),
  menu: h("div", { class: "menu" }),
};
const asker = new Asker(places.action, play);
const log = new Log(places.log);
const hints = new HintBox(places.hint);
const keys = shortcuts();
const resigning = confirmation("Resign this game?", "Your opponent wins at once.", "Resign", () => send(`/api/games/${id}/resign`, {}));

/** @type {View | null} */
let view = null;
let mode = "";
/** What is on its way to the server, so that a double click says it once. */
let sending = "";
/** @type {import("./replay.js").Replay | null} */
let replay = null;

/** @param {string} text */
const complain = (text) => {
  places.problem.textContent = text;
};

/**
 * Take a new view, unless it is older than what is shown.
 * @param {View} next
 */
function show(next) {
  if (view && next.version < view.version) return;
  const first = view === null;
  const held = document.activeElement;
  const handed = places.action.contains(held) || places.standing === held;
  view = next;
  const { headline, detail } = standing(view);
  document.title = `${headline} – ${view.title}`;
  fill(places.title, view.title);
  fill(places.standing, h("p", { class: "headline" }, headline), view.over && drawScore(view), detail && h("p", {}, detail));
  places.standing.className = standingClass(view);
  if (!replay) drawTable(view.board);
  drawAction(view);
  drawMenu(view);
  hints.show(view);
  const told = log.show(view.log);
  if (first) speak(headline);
  else if (told || headline) speak(`${told} ${headline}. ${detail}`.trim());
  if (handed) keepFocus();
}

/** @param {View} shown */
function standingClass(shown) {
  if (shown.over) return `standing over seat-${winner(shown) ?? "none"}`;
  return yours(shown) ? "standing yours" : "standing";
}

/** Focus that was on an answer goes to the next one, or to how the game stands. */
function keepFocus() {
  const held = document.activeElement;
  if (held !== document.body && held !== places.standing) return;
  if (view && yours(view)) places.action.querySelector("button")?.focus();
  else places.standing.focus();
}

/** @param {Part[]} parts */
function drawTable(parts) {
  if (!view) return;
  const shown = view;
  fill(places.board, drawBoard(parts, { 1: head(shown, 1), 2: head(shown, 2) }, shown.you ?? 1));
}

/**
 * A player's name and what they are doing.
 * @param {View} shown
 * @param {Seat} seat
 */
function head(shown, seat) {
  const player = shown.players[seat - 1];
  const state = doing(shown, seat);
  const here = player.seated && (player.present || player.who !== "human");
  return h(
    "header",
    { class: "player" },
    h("span", { class: here ? "dot here" : "dot", "aria-hidden": "true" }),
    h("h2", { class: "name" }, nameOf(shown, seat)),
    player.you && h("span", { class: "you" }, "you"),
    state && h("span", { class: "doing" }, state),
  );
}

/**
 * What can be done now; redrawn only when that changes, so that nothing half typed is lost.
 * @param {View} shown
 */
function drawAction(shown) {
  const next = modeOf(shown);
  if (next === "question") {
    if (mode !== next) fill(places.action);
    if (shown.question) asker.ask(shown.question);
  } else {
    asker.clear();
    const key = next === "over" ? `${next} ${shown.rematch}` : next;
    if (mode !== key) fill(places.action, contents(next, shown));
    mode = key;
    if (next === "over") openAftermath(shown);
    return;
  }
  mode = next;
}

/** @param {View} shown */
function modeOf(shown) {
  if (shown.over) return "over";
  if (freeSeat(shown)) return shown.you === null ? "join" : "invite";
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
  if (what === "invite") return location.hash === "#rematch" ? h("p", { class: "note" }, "Waiting for your opponent to come to the rematch.") : drawInvitation();
  if (what === "draw") return h("button", { type: "button", class: "primary large", "data-key": "draw", onclick: draw }, shown.draw_label);
  return what === "watch" && h("p", { class: "note" }, "You are watching this game.");
}

/** @param {View} shown */
function drawMenu(shown) {
  fill(
    places.menu,
    h("a", { href: `/rules/${shown.game}`, target: "_blank", rel: "noopener" }, "Rules"),
    !shown.over && shown.you !== null && h("button", { type: "button", class: "quiet", "data-key": "resign", onclick: () => resigning.showModal() }, "Resign"),
    shown.you !== null && !shown.over && keys.element,
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

/**
 * Send what the holder has decided; the answer is the new view.
 * @param {string} path
 * @param {object} body
 */
async function send(path, body) {
  const said = JSON.stringify([path, body]);
  if (said === sending) return;
  sending = said;
  complain("");
  try {
    show(await deliver(path, body));
  } catch (problem) {
    complain(sentence(problem));
    await get(`/api/games/${id}`).then(show, () => {});
  } finally {
    if (sending === said) sending = "";
  }
}

/** @param {boolean} connected */
function connection(connected) {
  if (connected && places.connection.textContent) speak("Connected again.");
  places.connection.textContent = connected ? "" : "Reconnecting…";
}

addEventListener("keydown", (event) => {
  if (replay) replay.key(event);
  else if (keys.on()) asker.key(event);
});

async function open() {
  try {
    show(await get(`/api/games/${id}`));
  } catch (problem) {
    fill(at("main"), h("h1", {}, "No such game"), h("p", {}, sentence(problem)), h("p", {}, h("a", { href: "/" }, "All games")));
    return;
  }
  fill(
    at("main"),
    h("div", { class: "play" }, places.title, places.connection, places.standing, places.board, places.replay, places.problem, places.action, places.review),
    h("aside", { class: "beside", "aria-label": "Beside the board" }, places.hint, h("h2", {}, "What happened"), places.log, places.menu),
    resigning,
  );
  follow(id, show, connection);
}

open();
