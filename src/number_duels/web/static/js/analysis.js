/** The analysis board: any position with the value of every option, and moves to try. */

import { catalogue, get, post, sentence } from "./api.js";
import { drawChoices } from "./choices.js";
import { at, fill, h, speak, typing } from "./dom.js";
import { keepProfile } from "./profile.js";
import { analysisAddress, analysisRequest, readAddress, solvingRequest } from "./position.js";
import { changed, isSolved, settingFields } from "./settings.js";
import { drawTable } from "./scene_tables.js";
import { ExerciseBoard, tableOf } from "./train_board.js";
import { go as leave, here, setAddress } from "./transport.js";
import { working } from "./working.js";

const name = here().pathname.split("/")[2];
const board = new ExerciseBoard((position) => go(position, "push"));
const places = {
  title: h("h1", {}),
  board: board.element,
  line: h("div", { class: "line" }),
  working: h("div", {}),
  chances: h("section", { class: "chances", "aria-label": "Winning chances" }),
  problem: h("p", { class: "problem", role: "alert" }),
  settings: h("div", {}),
  added: h("span", { class: "note", role: "status" }),
};
/** @type {Map<string, Promise<Analysis>>} */
const known = new Map();
const { moves: first, line: whole, start } = readAddress(new URLSearchParams(here().search));
/** The moves of the whole line that the position is on. */
let line = whole;
/** The position that is shown. @type {Analysis | undefined} */
let shown;
/** Number of requests so far. Only the answer to the last one counts. */
let asked = 0;
/** Resolves when all chosen moves have been made. @type {Promise<void>} */
let chosen = Promise.resolve();

/**
 * @param {string} position
 * @returns {Promise<Analysis>}
 */
function examine(position) {
  const request = analysisRequest(name, { moves: position, line, start });
  const found = known.get(request) ?? get(request);
  known.set(request, found);
  found.catch(() => known.delete(request));
  return found;
}

/** The positions of the line. */
const path = () => shown?.scene.tables.find(({ kind }) => kind === "path") ?? { title: "", rows: [] };

/**
 * @param {string} position
 * @param {"push" | "replace" | "stay"} address
 */
async function go(position, address) {
  asked += 1;
  const mine = asked;
  try {
    const found = await working(places.working, "Solving the game", examine(position), solvingRequest(name, start.settings));
    if (mine !== asked) return;
    shown = found;
    line = path().rows.at(-1)?.key ?? "";
    fill(places.added);
    if (address !== "stay") setAddress(analysisAddress(name, { moves: position, line, start }), address === "push");
    places.problem.textContent = "";
    draw(found.scene);
    speak(`${found.scene.path}. ${found.scene.detail}`);
  } catch (problem) {
    if (mine === asked) places.problem.textContent = sentence(problem);
  }
}

/**
 * Make a move, after the move that was chosen before it.
 * @param {Row} row
 */
function choose({ seat, words }) {
  const before = shown?.moves;
  chosen = chosen.then(() => {
    const row = shown?.scene.tables.flatMap(({ rows }) => rows).find((each) => each.key && each.seat === seat && each.words === words);
    return row && shown?.moves === before ? go(row.key, "push") : undefined;
  });
}

/** @param {number} by */
function step(by) {
  const { rows } = path();
  const target = rows[rows.findIndex(({ here }) => here) + by];
  if (target) go(target.key, "replace");
}

/** @param {Scene} scene */
function draw(scene) {
  const { headline, detail, prompt, tables, notes, question } = scene;
  const shared = tables.filter(({ kind }) => kind === "balance" || kind === "draws");
  const picked = tables.flatMap(({ kind, rows }) => (kind === "options" ? rows.filter(({ here }) => here) : []));
  const moves = Object.fromEntries(picked.map(({ seat, short }) => [seat, short]));
  board.showView(tableOf(picked.length > 0 ? { ...scene, to_move: [1, 2] } : scene, moves), question !== null);
  fill(
    places.chances,
    h("h2", {}, headline),
    shared.map((table) => drawTable(table, choose)),
    h("p", {}, detail),
    prompt && h("p", { class: "note" }, prompt),
    h("div", { class: "seats" }, drawChoices(tables.filter(({ kind }) => kind !== "mixed"), choose)),
    notes.length > 0 && h("details", {}, h("summary", { class: "note" }, "What the columns mean"), notes.map((text) => h("p", { class: "note" }, text))),
  );
  drawLine();
}

/** Add the position to the user's book, if somebody has to decide in it. */
async function addCard() {
  if (!shown?.spot) return;
  try {
    await keepProfile("");
    await post("/api/train/book", { spot: shown.spot, source: "analysis" });
    places.problem.textContent = "";
    fill(places.added, "In your book.");
  } catch (problem) {
    places.problem.textContent = sentence(problem);
  }
}

/** Draw the moves so far, with buttons to step through them. */
function drawLine() {
  const { title, rows } = path();
  const now = rows.findIndex(({ here }) => here);
  const button = (/** @type {string} */ label, /** @type {string} */ sign, /** @type {number} */ by) =>
    h("button", { type: "button", "data-key": label, "aria-label": label, title: label, "aria-disabled": String(!rows[now + by]), onclick: () => step(by) }, sign);
  const place = (/** @type {Row} */ { words, key, here }, /** @type {number} */ index) => h("li", {}, h("button", { type: "button", class: "quiet", "data-key": `to ${index}`, "aria-current": here ? "step" : null, onclick: () => go(key, "replace") }, words));
  fill(places.line, h("div", { class: "controls" }, button("Back", "‹", -1), button("Forward", "›", 1)), h("ol", { class: "moves", "aria-label": title }, rows.map(place)));
}

/**
 * Draw the form for other settings or another deal, which start a new line.
 * @param {GameInfo} game
 */
function drawSettings(game) {
  // Separate from the position's errors, which the server's next answer clears.
  const refused = h("p", { class: "problem", role: "alert" });
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const data = new FormData(/** @type {HTMLFormElement} */ (event.target));
    /** @type {Record<string, string>} */
    const settings = {};
    for (const [key, value] of Object.entries(changed(data, game))) settings[key] = String(value);
    if (!isSolved(game, settings)) {
      refused.textContent = "The game can't be solved here with these settings; choose smaller numbers.";
      return;
    }
    if (data.get("first") === "2") settings.first = "2";
    leave(analysisAddress(name, { moves: "", line: "", start: { deal: String(data.get("deal") ?? "").trim(), settings, names: null } }));
  };
  fill(
    places.settings,
    h(
      "details",
      {},
      h("summary", {}, "Settings and deal"),
      h(
        "form",
        { onsubmit: submit },
        game.turns && h("div", { class: "field" }, h("label", { for: "first" }, "First"), h("select", { id: "first", name: "first" }, ["1", "2"].map((seat) => h("option", { value: seat, selected: start.settings.first === seat }, `Player ${seat}`)))),
        settingFields(game, start.settings),
        h("div", { class: "field" }, h("label", { for: "deal" }, "Deal"), h("input", { id: "deal", name: "deal", value: start.deal, autocomplete: "off" }), h("p", { class: "note" }, "The cards or numbers that the game starts with. Only for games that shuffle them.")),
        refused,
        h("button", {}, "Set up"),
      ),
    ),
  );
}

async function open() {
  const game = (await catalogue()).games.find((each) => each.name === name);
  if (!game) {
    fill(at("main"), h("h1", {}, "No such game"), h("p", {}, h("a", { href: "/" }, "All games")));
    return;
  }
  document.title = `${game.title}: analysis – Number Duels`;
  fill(places.title, game.title, h("small", {}, " analysis"));
  drawSettings(game);
  fill(
    at("main"),
    h(
      "div",
      { class: "position" },
      h("div", { class: "play" }, places.title, places.board, places.line, places.problem, places.working),
      h("div", { class: "beneath" }, places.settings, h("p", { class: "row" }, h("a", { href: `/rules/${game.name}` }, "Rules"), h("a", { href: `/#${game.name}` }, "Play"), h("button", { type: "button", title: "Add this position to your mistake book (key B)", onclick: addCard }, "Add to my book"), places.added)),
    ),
    places.chances,
  );
  await go(first, "stay");
}

addEventListener("popstate", () => {
  const before = readAddress(new URLSearchParams(here().search));
  line = before.line || line;
  go(before.moves, "stay");
});
addEventListener("keydown", (event) => {
  if (!typing(event) && event.key.toLowerCase() === "b") addCard();
  if (typing(event) || !["ArrowLeft", "ArrowRight"].includes(event.key)) return;
  event.preventDefault();
  step(event.key === "ArrowLeft" ? -1 : 1);
});
open().catch((problem) => fill(at("main"), h("p", { class: "problem" }, sentence(problem))));
