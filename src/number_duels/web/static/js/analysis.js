/** The analysis board: any position, what every option is worth, try another move. */

import { catalogue, get, post, sentence } from "./api.js";
import { drawBoard } from "./board.js";
import { at, fill, h, speak, typing } from "./dom.js";
import { keepProfile } from "./profile.js";
import { analysisAddress, analysisRequest, before, lastTurn, pathThrough, readAddress, solvingRequest } from "./position.js";
import { changed, isSolved, settingFields } from "./settings.js";
import { working } from "./working.js";
import { drawWorth } from "./worth.js";

/** @typedef {import("./types.js").Analysis} Analysis */
/** @typedef {import("./types.js").GameInfo} GameInfo */
/** @typedef {import("./types.js").Option} Option */
/** @typedef {import("./types.js").Seat} Seat */

const name = location.pathname.split("/")[2];
const places = {
  title: h("h1", {}),
  board: h("div", {}),
  line: h("div", { class: "line" }),
  working: h("div", {}),
  worth: h("section", { class: "worth", "aria-label": "Winning chances" }),
  problem: h("p", { class: "problem", role: "alert" }),
  settings: h("div", {}),
  added: h("span", { class: "note", role: "status" }),
};
/** @type {Map<string, Promise<Analysis>>} */
const known = new Map();
const { moves: first, line: whole, start } = readAddress(new URLSearchParams(location.search));
/** What the players are called. @type {import("./position.js").Names} */
const names = start.names ?? ["Player 1", "Player 2"];
let moves = first;
/** Every position that can be stepped to. */
let line = pathThrough(whole, first);
/** How often a position was asked for: only the last answer counts. */
let asked = 0;
/** What each seat would choose, where both choose at once. @type {Record<string, string>} */
let picked = {};

/**
 * @param {string} position
 * @returns {Promise<Analysis>}
 */
function examine(position) {
  const found = known.get(position) ?? get(analysisRequest(name, position, start));
  known.set(position, found);
  found.catch(() => known.delete(position));
  return found;
}

/**
 * Go to a position.
 * @param {string} position
 * @param {"push" | "replace" | "stay"} address
 */
async function go(position, address) {
  asked += 1;
  const mine = asked;
  try {
    const shown = await working(places.working, "Solving the game", examine(position), solvingRequest(name, start.settings));
    if (mine !== asked) return;
    moves = position;
    picked = {};
    fill(places.added);
    const here = analysisAddress(name, { moves, line: line.at(-1) ?? "", start });
    if (address === "push") history.pushState(null, "", here);
    if (address === "replace") history.replaceState(null, "", here);
    places.problem.textContent = "";
    draw(shown);
    speak(`${lastTurn(moves) || "The start"}. ${shown.verdict}`);
  } catch (problem) {
    if (mine === asked) places.problem.textContent = sentence(problem);
  }
}

/**
 * Try a move: it becomes the next one of the line.
 * @param {string} position
 */
function attempt(position) {
  const here = line.indexOf(moves);
  if (line[here + 1] !== position) line = [...line.slice(0, here + 1), position];
  go(position, "push");
}

/** @param {number} by */
function step(by) {
  const target = line[line.indexOf(moves) + by];
  if (target !== undefined) go(target, "replace");
}

/** @param {Analysis} shown */
function draw(shown) {
  fill(places.board, drawBoard(shown.board, { 1: head(1, shown), 2: head(2, shown) }));
  fill(places.worth, ...worth(shown));
  drawLine();
}

/**
 * @param {Seat} seat
 * @param {Analysis} shown
 */
const head = (seat, shown) =>
  h("header", { class: "player" }, h("h2", { class: "name" }, h("bdi", {}, names[seat - 1])), shown.to_move.includes(seat) && h("span", { class: "doing" }, "to move"));

/** @param {Analysis} shown */
const worth = (shown) => drawWorth(shown, { names, picked, onMove: (seat, option) => choose(shown, seat, option), onDraw: (card) => attempt(`${moves} ${card}`.trim()) });

/**
 * A move for a seat; where both choose, the turn is made when both have one.
 * @param {Analysis} shown
 * @param {string} seat
 * @param {Option} option
 */
async function choose(shown, seat, option) {
  picked = { ...picked, [seat]: option.move };
  const seats = Object.keys(shown.options);
  if (seats.some((each) => picked[each] === undefined)) {
    fill(places.worth, ...worth(shown));
    return;
  }
  const turn = seats.map((each) => picked[each]).join("/");
  const drawn = moves !== "" && (await examine(before(moves))).draws.includes(lastTurn(moves));
  attempt(`${moves}${drawn ? "" : " "}${turn}`.trim());
}

/** Make a card of the position for one's own book, if somebody decides there. */
async function addCard() {
  const { to_move: deciding, settings } = await examine(moves);
  if (deciding.length === 0) return;
  try {
    await keepProfile("");
    await post("/api/train/book", { spot: { game: name, settings, deal: start.deal || null, moves, seat: deciding[0] }, source: "analysis" });
    places.problem.textContent = "";
    fill(places.added, "In your book.");
  } catch (problem) {
    places.problem.textContent = sentence(problem);
  }
}

/** The moves so far, with buttons to step through them. */
function drawLine() {
  const here = line.indexOf(moves);
  const button = (/** @type {string} */ label, /** @type {string} */ sign, /** @type {number} */ by) =>
    h("button", { type: "button", "data-key": label, "aria-label": label, title: label, "aria-disabled": String(line[here + by] === undefined), onclick: () => step(by) }, sign);
  fill(
    places.line,
    h("div", { class: "controls" }, button("Back", "‹", -1), button("Forward", "›", 1)),
    h(
      "ol",
      { class: "moves", "aria-label": "Moves" },
      line.map((position, index) =>
        h("li", {}, h("button", { type: "button", class: "quiet", "data-key": `to ${index}`, "aria-current": index === here ? "step" : null, onclick: () => go(position, "replace") }, lastTurn(position) || "Start")),
      ),
    ),
  );
}

/**
 * Other settings, another deal: they begin a new line.
 * @param {GameInfo} game
 */
function drawSettings(game) {
  // Apart from the problems of the position, which the next answer of the server takes away.
  const refused = h("p", { class: "problem", role: "alert" });
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const data = new FormData(/** @type {HTMLFormElement} */ (event.target));
    /** @type {Record<string, string>} */
    const settings = {};
    for (const [key, value] of Object.entries(changed(data, game))) settings[key] = String(value);
    if (!isSolved(game, settings)) {
      refused.textContent = "This server does not solve the game with these settings; choose smaller numbers.";
      return;
    }
    if (data.get("first") === "2") settings.first = "2";
    location.assign(analysisAddress(name, { moves: "", line: "", start: { deal: String(data.get("deal") ?? "").trim(), settings, names: null } }));
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
        h("div", { class: "field" }, h("label", { for: "deal" }, "Deal"), h("input", { id: "deal", name: "deal", value: start.deal, autocomplete: "off" }), h("p", { class: "note" }, "what is otherwise shuffled, where the game has something to deal")),
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
    h("div", { class: "play" }, places.title, places.board, places.line, places.problem, places.working),
    places.worth,
    h("div", { class: "beneath" }, places.settings, h("p", { class: "row" }, h("a", { href: `/rules/${game.name}` }, "Rules"), h("a", { href: `/#${game.name}` }, "Play"), h("button", { type: "button", title: "To be trained: key B", onclick: addCard }, "Add to my book"), places.added)),
  );
  await go(moves, "stay");
}

addEventListener("popstate", () => {
  const { moves: position, line: all } = readAddress(new URLSearchParams(location.search));
  if (!line.includes(position)) line = pathThrough(all, position);
  go(position, "stay");
});
addEventListener("keydown", (event) => {
  if (!typing(event) && event.key.toLowerCase() === "b") addCard();
  if (typing(event) || !["ArrowLeft", "ArrowRight"].includes(event.key)) return;
  event.preventDefault();
  step(event.key === "ArrowLeft" ? -1 : 1);
});
open().catch((problem) => fill(at("main"), h("p", { class: "problem" }, sentence(problem))));
