/** The page of one game, for players and spectators: the board, the log and the actions. */

import { deliver, get, sentence } from "./api.js";
import { WINNERS, drawAftermath, drawResult } from "./game_over.js";
import { drawBoard } from "./board.js";
import { middle } from "./board_places.js";
import { ClaimBox } from "./claim.js";
import { at, fill, h, speak, typing, whole } from "./dom.js";
import { dragging } from "./drag.js";
import { HintBox } from "./hint.js";
import { follow } from "./live.js";
import { Log, Unsaid } from "./log.js";
import { chime, confirmation, keyHelp, shortcuts, soundSwitch } from "./menu.js";
import { more } from "./more.js";
import { markTab } from "./notifications.js";
import { TurnNotice } from "./turn_notice.js";
import { drawPlayers } from "./players.js";
import { Chooser, stray } from "./question.js";
import { drawInvitation, drawJoining } from "./invitation.js";
import { bothChoose, drawTray, heldPart, roundBegun, spentBy, withMove } from "./board_middle.js";
import { isSettingUp } from "./setting_up.js";
import { recall, remember } from "./storage.js";
import { TableMotion } from "./table_motion.js";
import { go, here } from "./transport.js";
import { ViewQueue } from "./view_queue.js";
import { SEATS, labels, withNames, yours } from "./words.js";

/** Set once a game has been seen to its end. From then on everything moves faster. */
const PLAYED_KEY = "duels-played";
const FAST_PACE = 1.6;

const id = here().pathname.split("/")[2];
const address = `/api/games/${id}`;
const places = {
  play: h("div", { class: "play" }),
  title: h("h1", {}),
  menu: h("div", { class: "menu" }),
  connection: h("p", { class: "connection", role: "status" }),
  standing: h("div", { class: "standing" }),
  board: h("div", { class: "board-place", tabindex: -1, role: "group", "aria-label": "Board" }),
  notes: h("p", { class: "company" }),
  problem: h("p", { class: "problem", role: "alert" }),
  action: h("section", { class: "action", "aria-label": "What to do" }),
  replay: h("div", { class: "afterwards" }),
  review: h("section", { id: "review", tabindex: -1, "aria-label": "Review" }),
  hint: h("section", { class: "hint", "aria-label": "Hint" }),
  rules: h("section", { class: "start-rules", "aria-label": "The rules in short" }),
  log: h("ol", { class: "log", "aria-label": "What happened" }),
};
/** The view that is shown. @type {View | null} */
let view = null;
/** The data of the drawn board. */
let drawnBoard = "";
/** The data of the drawn headers above the players' sides. */
let drawnSides = "";
/** The data of the drawn actions after the game. */
let drawnOffers = "";
/** The rematch in the drawn view. @type {string | null} */
let drawnRematch = null;
/** The data of the drawn actions beside the board. */
let drawnAction = "";
/** True while a request is under way, so that a double click sends only one. */
let sending = false;
/** The version at which a request was refused. The error disappears with the next version. */
let refusedAt = 0;
/** True once replay and review have been requested. */
let reviewed = false;
/** Takes the keys once the game can be watched again. @type {{key: (event: KeyboardEvent) => void} | null} */
let replay = null;

const queue = new ViewQueue(show, () => drag.idle());
const chooser = new Chooser(places.board, (move) => send("moves", { turn: view?.turn, move }), () => view && drawTable(view));
const drag = dragging(places.board, chooser);
const motion = new TableMotion(places.board);
const log = new Log(places.log);
const unsaid = new Unsaid(speak);
const hints = new HintBox(places.hint, (moves, often) => {
  Object.assign(chooser, { best: moves, often });
  if (view && !motion.running) drawTable(view);
});
const keys = shortcuts();
const sound = soundSwitch();
const notice = new TurnNotice();
const claim = new ClaimBox((turn) => send("claim", { turn }));
const resigning = confirmation("Resign this game?", "Your opponent wins.", "Resign", () => send("resign", {}));
const preferences = more(h("button", { type: "button", "data-key": "resign", onclick: () => resigning.showModal() }, "Resign"), keys.element, keyHelp(), sound.element);
const closing = confirmation("Cancel the invitation?", "Nobody has joined the game yet, so nobody wins or loses.", "Cancel invitation", closeTable);

if (recall(PLAYED_KEY)) motion.pace = FAST_PACE;

const complain = (/** @type {string} */ text) => places.problem.replaceChildren(text);

/**
 * Return true if both seats are taken.
 * @param {View} shown
 */
const isFull = ({ players }) => players.every(({ seated }) => seated);

/**
 * Return false for an invited person, who unfolds the rules in the invitation.
 * @param {View} shown
 */
const drawsRules = (shown) => isFull(shown) || shown.you !== null;

/**
 * Return the seat on this side: the user's own, or the free one that an invited person may take.
 * @param {View} shown
 */
const nearSeat = ({ you, here: shared, players }) => (!shared && you) || (players[0].seated && !players[1].seated ? 2 : 1);

// ---- a view ---------------------------------------------------------------------

/**
 * Animate the change to a view, then show the view.
 * @param {View} next
 */
async function show(next) {
  const keepFocus = holdFocus();
  await motion.play(view, next, (moving) => {
    drawStanding(moving);
    drawTable(moving, { asking: null });
  });
  const ended = next.over && view?.over === false;
  const lay = ended ? motion.cardPlaces() : [];
  if (ended) holdHeights();
  const first = !view;
  const dealt = isFull(next) && next.turn === 1 && !next.last && !(view && isFull(view));
  view = next;
  drawView(next);
  keepFocus();
  if (first && yours(next) && document.activeElement === document.body) places.board.focus({ preventScroll: true, focusVisible: false });
  if (dealt) await motion.deal();
  if (ended) await celebrate(next, lay);
}

/** Keep the sides in place at the end, when some facts disappear from the board. */
function holdHeights() {
  for (const row of ["far", "middle"]) places.board.style.setProperty(`--${row}-height`, `${places.board.querySelector(`.${row}`)?.getBoundingClientRect().height ?? 0}px`);
}

/**
 * Show the end of a game, and play a sound for a win.
 * @param {View} shown
 * @param {ReturnType<TableMotion["cardPlaces"]>} lay where the cards lay before
 */
async function celebrate({ result, you }, lay) {
  const winner = WINNERS[result];
  const won = winner === you;
  remember(PLAYED_KEY, "yes");
  if (won && sound.on()) chime();
  await motion.end(winner, you, lay);
}

/** @param {View} shown */
function drawView(shown) {
  const { scene } = shown;
  if (shown.version > refusedAt) complain("");
  const asked = isFull(shown) ? shown.question : null;
  const before = chooser.first;
  chooser.ask(asked);
  // An answer that was found for another question must not be given to this one.
  if (chooser.first !== before && places.board.contains(document.activeElement)) places.board.focus({ preventScroll: true });
  const [headline, detail, ...notes] = [scene.headline, scene.detail, ...scene.notes].map((text) => withNames(shown, text));
  // A player always has the same colour, in either seat.
  document.documentElement.dataset.you = String(nearSeat(shown));
  markTab(`${headline} – ${shown.title}`, yours(shown) ? 1 : 0);
  notice.show(shown);
  fill(places.title, whole(shown.title));
  drawStanding(shown);
  // The replay uses the board. Only the rematch offer can still change.
  const offers = JSON.stringify([shown.rematch, scene.actions]);
  if (!replay) drawTable(shown);
  else if (offers !== drawnOffers) places.board.querySelector(".ending")?.replaceWith(drawCard(shown));
  if (drawnOffers && !drawnRematch && shown.rematch && !isSettingUp()) offerRematch(shown);
  [drawnOffers, drawnRematch] = [offers, shown.rematch];
  drawAction(shown);
  drawMenu(shown);
  hints.show(shown);
  fill(places.rules, !shown.over && drawsRules(shown) && [h("h2", {}, "The rules in short"), scene.rules.split(/(?<=\.) /).map((text) => h("p", {}, text)), h("p", { class: "note" }, h("a", { href: `/rules/${shown.game}`, target: "_blank", rel: "noopener" }, "All rules"))]);
  fill(places.notes, notes.map((text) => h("span", {}, text)));
  claim.show(shown);
  unsaid.add(log.show(shown), shown, [headline, detail, asked?.text ?? "", asked?.forced ?? ""]);
  if (shown.over) openReview(shown);
}

/**
 * Draw the line above the board: whose turn it is, and a hint, or that the user only watches.
 * @param {View} shown
 */
function drawStanding(shown) {
  const watches = shown.you === null && shown.scene.remark;
  fill(places.standing, h("p", { class: shown.over ? "finished" : "headline" }, shown.over ? "Game over" : withNames(shown, shown.scene.headline)), watches && h("p", {}, watches), hints.button);
  places.standing.className = `standing${yours(shown) ? " yours" : ""}`;
}

/**
 * Return a function that restores the focus on the same answer of the same question. If the
 * question is new, the board gets the focus, so that Enter plays nothing by accident. At the end
 * of a game, Rematch gets the focus of somebody who plays with the keyboard.
 * @returns {() => void} call it when the board has been redrawn
 */
function holdFocus() {
  const held = document.activeElement;
  if (!(held instanceof HTMLElement) || !places.board.contains(held)) return () => {};
  const { key } = held.dataset;
  const question = chooser.current;
  const byKey = held.matches(":focus-visible");
  return () => {
    const now = document.activeElement;
    if (now !== document.body && !places.board.contains(now)) return;
    const rematch = places.board.querySelector("[data-key=rematch]");
    if (byKey && rematch instanceof HTMLElement) return chooser.give(rematch);
    if (now !== document.body) return;
    const same = chooser.current === question && chooser.touchable.find((each) => each.dataset.key === key);
    (same || places.board).focus({ preventScroll: true });
  };
}

/**
 * Draw the board if it has changed. Otherwise leave it alone, because a finger may be on it.
 * @param {View} shown
 * @param {{parts?: Part[], asking?: Chooser | null}} [drawing] replaces the view's board and question
 */
function drawTable(shown, { parts = shown.board, asking = chooser } = {}) {
  const { scene, you, to_move, choice, last, draw, over } = shown;
  places.board.dataset.shown = `${shown.version} ${asking?.step ?? "moving"}`;
  const { sides, stage, detail, headline, actions, tables } = scene;
  const chosen = roundBegun(shown) ? shown.chosen : [];
  const drawing = JSON.stringify([parts, stage, detail, headline, actions, tables, to_move, chosen, choice, last, draw, over, isFull(shown), asking?.step, asking?.shownAt, asking?.best]);
  const drawn = JSON.stringify(sides);
  if (drawing === drawnBoard) {
    if (drawn !== drawnSides) drawSides(shown);
    drawnSides = drawn;
    return;
  }
  [drawnBoard, drawnSides] = [drawing, drawn];
  places.board.setAttribute("aria-label", asking?.current?.text ?? "Board");
  const near = nearSeat(shown);
  const live = parts === shown.board && isFull(shown);
  const tray = () => live && drawTray(shown, near, asking, (what) => send(what, { turn: view?.turn }));
  fill(places.board, drawBoard(parts, drawPlayers(scene, you), near, {
    offers: live && asking ? asking.offers : undefined,
    held: live ? heldPart(shown) : -1,
    spent: live ? spentBy(shown) : null,
    middle: over && asking ? drawCard(shown) : tray(),
  }));
}

/**
 * Draw the result of the game, or the cards and the sentence of a step.
 * @param {View} step
 */
const drawCard = (step) => drawResult({ ...(view ?? step), last: step.last, log: step.log }, step.you ?? 1, bothChoose(step), step.over, complain);

/**
 * Draw only the headers above the sides, because a finger may be on the board.
 * @param {View} shown
 */
function drawSides(shown) {
  const heads = drawPlayers(shown.scene, shown.you);
  for (const seat of SEATS) places.board.querySelector(`.side.seat-${seat} > .player`)?.replaceWith(heads[seat]);
}

/**
 * Draw the actions beside the board. They are redrawn only if they change, so that typed text
 * is not lost.
 * @param {View} shown
 */
function drawAction(shown) {
  const { over, you, scene: { remark } } = shown;
  const seat = isFull(shown) ? "" : you === null ? "join" : "invite";
  const action = JSON.stringify([over, remark, seat]);
  if (action === drawnAction) return;
  drawnAction = action;
  if (remark) fill(places.action, you !== null && h("p", { class: "note" }, remark));
  else if (seat === "join") fill(places.action, drawJoining(shown, complain));
  else fill(places.action, seat && !over && drawInvitation(shown));
}

/** @param {View} shown */
function drawMenu(shown) {
  const { resign, close } = labels(shown.scene);
  fill(
    places.menu,
    drawsRules(shown) && h("a", { class: "button quiet", href: `/rules/${shown.game}`, target: "_blank", rel: "noopener" }, "Rules"),
    resign && preferences,
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
    const onEnd = (/** @type {Frame} */ { board }) => {
      drawnBoard = "";
      if (view) drawTable(view, { parts: board });
    };
    replay = await drawAftermath(shown, places, drawCard, onEnd, complain);
  } catch (problem) {
    complain(sentence(problem));
  }
}

// ---- actions of a player ----------------------------------------------------------

/**
 * Show a move as made before the server has answered.
 * @param {View} asked
 * @param {string} move
 */
async function layDown(asked, move) {
  const shown = withMove(asked, move);
  const keepFocus = holdFocus();
  view = shown;
  hints.show({ ...shown, question: null });
  drawStanding(shown);
  drawTable(shown);
  keepFocus();
  const [tile, card] = [".offer.chosen", ".own.down .played"].map((each) => places.board.querySelector(each));
  if (!tile || !(card instanceof HTMLElement)) return;
  const [from, to] = [middle(tile), middle(card)];
  card.style.setProperty("--from", `${from.x - to.x}px ${from.y - to.y}px`);
  await Promise.allSettled(card.getAnimations().map(({ finished }) => finished));
}

/**
 * Send a decision of the player, and show the new view. Take back a refused move.
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
    next = await deliver(`${address}/${what}`, asked?.here && asked.you ? { ...body, seat: asked.you } : body);
  } catch (problem) {
    complain(sentence(problem));
    next = await get(address).catch(() => asked);
    refusedAt = next?.version ?? 0;
  }
  await laid;
  sending = false;
  places.board.removeAttribute("aria-busy");
  queue.resume(next);
}

/** Close a game that nobody joined. */
async function closeTable() {
  try {
    await deliver(`${address}/resign`, {});
    go("/");
  } catch (problem) {
    complain(sentence(problem));
  }
}

/**
 * Announce that the opponent wants a rematch.
 * @param {View} shown
 */
function offerRematch({ you, ...shown }) {
  if (you === null) return;
  const said = `${shown.scene.sides[2 - you].name} wants a rematch.`;
  const accept = () => /** @type {HTMLElement | null} */ (places.board.querySelector("[data-key=rematch]"))?.click();
  const bar = h("div", { class: "claim offered" }, h("p", {}, said), h("div", { class: "row" }, h("button", { type: "button", class: "primary", onclick: accept }, labels(shown.scene).rematch), h("button", { type: "button", onclick: () => bar.remove() }, "No thanks")));
  // It has the place of the button for a rematch.
  (places.board.querySelector(".ways") ?? places.replay).prepend(bar);
  speak(said);
  markTab(said, 1);
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
  if (replay) return chooser.isDouble(event) || replay.key(event);
  if (event.key === "h" && keys.on() && !typing(event) && !hints.button.hidden) hints.next();
  else chooser.key(event, keys.on());
});

// During an animation, a touch or a key ends the animation, and then acts on the new content.
addEventListener("click", (event) => {
  if (!motion.running || stray(event, motion.startedAt)) return;
  motion.skip();
  const { target, clientX, clientY } = event;
  if (target instanceof Element && target.closest("a, button, label, summary")) return;
  setTimeout(() => {
    const offer = document.elementFromPoint(clientX, clientY)?.closest(".board .offer");
    if (offer instanceof HTMLElement) offer.click();
  });
}, { capture: true });
document.addEventListener("visibilitychange", () => document.hidden && motion.skip());
addEventListener("keydown", (event) => {
  if (!motion.running || event.key === "Tab") return;
  motion.skip();
  if (event.key === "Enter" || event.key === " ") event.preventDefault();
}, { capture: true });

// A finished game has no stream, so check for a rematch when the page becomes visible.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && view?.over && !view.rematch) get(address).then((next) => queue.add(next), () => {});
});

/** Draw a note for a game that has been removed. */
const drawGone = () => [
  h("h1", {}, "This game is gone"),
  h("p", {}, "It was canceled, or nobody has played it for a long time."),
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
  const rules = /** @type {HTMLAnchorElement | null} */ (document.querySelector('.top [href="/rules"]'));
  if (rules) Object.assign(rules, { href: `/rules/${first.game}`, target: "_blank", rel: "noopener" });
  fill(places.play, h("div", { class: "heading" }, places.title, places.menu), places.connection, places.standing, places.board, places.notes, claim.element, places.problem, places.action, places.replay);
  fill(
    at("main"),
    places.play,
    h("aside", { class: "beside", "aria-label": "Beside the board" }, places.review, places.hint, places.rules, notice.element, h("section", { class: "story", "aria-labelledby": "story" }, h("h2", { id: "story" }, "What happened"), places.log)),
    resigning,
    closing,
  );
  // At a shared device, only what happens on this page changes the game.
  if (!first.over && !first.here) follow(id, (next) => queue.add(next), connection, () => fill(at("main"), drawGone()));
}

open();
