/** The trainer: the menu of exercises, and the exercise itself. */

import { catalogue, sentence } from "./api.js";
import { today } from "./dates.js";
import { at, fill, h } from "./dom.js";
import { keepGame, keptGame } from "./new_game.js";
import { cards, drawBook, myBook, readGames } from "./train_book.js";
import { Session } from "./train_session.js";

/** @type {Session | null} */
let session = null;

/**
 * Return the game in the address, or the one played last.
 * @param {GameInfo[]} games
 */
const chosenGame = (games) => games.find(({ name }) => name === new URLSearchParams(location.search).get("game")) ?? keptGame(games);

/**
 * Return the settings in the address, which may differ from the usual ones.
 * @param {GameInfo} game
 * @returns {Record<string, number | string>}
 */
function chosenSettings({ settings }) {
  const named = [...new URLSearchParams(location.search)].filter(([name]) => name in settings);
  return Object.fromEntries(named.map(([name, value]) => [name, /^\d+$/.test(value) ? Number(value) : value]));
}

/**
 * @param {GameInfo[]} games
 * @param {GameInfo} game
 */
function chooser(games, game) {
  const change = (/** @type {Event} */ event) => {
    const { value } = /** @type {HTMLSelectElement} */ (event.target);
    keepGame(value);
    history.replaceState(null, "", `?game=${value}`);
    menu(games);
  };
  return h("label", { class: "which" }, "Game", h("select", { name: "game", "data-key": "game", onchange: change }, games.map(({ name, title }) => h("option", { value: name, selected: name === game.name }, title))));
}

/**
 * @param {string} hash
 * @param {string} title
 * @param {Child} note
 */
const entry = (hash, title, note) => h("li", {}, h("a", { class: "choice", href: `#${hash}` }, h("strong", {}, title), h("span", { class: "note" }, note)));

/** Number of the page shown now, to ignore answers that come late. */
let shown = 0;

/** @param {GameInfo[]} games */
async function menu(games) {
  const game = chosenGame(games);
  const mine = (shown += 1);
  document.title = "Train – Number Duels";
  const places = { today: h("span", { class: "note" }), daily: h("span", { class: "note" }), lesson: h("span", { class: "note" }), book: h("div", {}) };
  const draw = (/** @type {Book} */ book) => {
    fill(places.today, book.notes.today);
    fill(places.daily, book.notes.daily);
    fill(places.lesson, book.lessons[game.name] ?? `Learn ${game.title} in a few minutes, by playing it.`);
    fill(places.book, drawBook(book, () => menu(games)));
  };
  fill(
    at("main"),
    h("header", { class: "heading" }, h("h1", {}, "Train"), chooser(games, game)),
    h("p", { class: "lead" }, "You see at once what your answer costs, and why."),
    h(
      "ul",
      { class: "offers" },
      entry("lesson", "Lesson", places.lesson),
      entry("drills", "Drills", "Choose a move in many positions, and see what it costs."),
      entry("today", "Today", places.today),
      entry("daily", "Puzzle of the day", places.daily),
      entry("puzzles", "Puzzles", "Find the best move, or the only mistake; easy ones first."),
    ),
    places.book,
  );
  try {
    draw(await myBook());
    if ((await readGames()) && mine === shown) draw(await myBook());
  } catch (problem) {
    if (mine === shown) fill(places.book, h("p", { class: "problem" }, sentence(problem)));
  }
}

/** Options of each kind of exercise, by their names in a plan. @type {Record<string, Choices>} */
const CHOICES = {
  drill: {
    phase: ["Part", [["", "All of it"], ["opening", "Opening"], ["middle", "Middle"], ["end", "End"]]],
    level: ["Difficulty", [["", "Any"], ["easy", "Easy"], ["medium", "Medium"], ["hard", "Hard"]]],
    form: ["Answer", [["move", "A move"], ["mixture", "A mixed strategy"]]],
  },
  puzzle: { grade: ["Difficulty", [["", "Easy ones first"], ...[1, 2, 3, 4, 5].map((grade) => /** @type {[string, string]} */ ([String(grade), "★".repeat(grade)]))]] },
};
/** Title and kind of each exercise, by its address. @type {Record<string, [string, string]>} */
const KINDS = {
  "#drills": ["Drills", "drill"],
  "#today": ["Today", "book"],
  "#daily": ["Puzzle of the day", "daily"],
  "#puzzles": ["Puzzles", "puzzle"],
  "#lesson": ["Lesson", "lesson"],
  "#retry": ["Try again", "retry"],
};

/**
 * @param {string} title
 * @param {string} kind
 * @param {GameInfo} game
 */
function newSession(title, kind, game) {
  const spot = location.hash === "#retry" ? JSON.parse(new URLSearchParams(location.search).get("spot") ?? "null") : null;
  if (spot) return new Session(title, { kind, game: game.name, settings: spot.settings, seed: 0, day: today(), spot }, null);
  const settings = kind === "drill" ? chosenSettings(game) : {};
  /** @type {Plan} */
  const plan = { kind, game: ["daily", "book"].includes(kind) ? "" : game.name, settings, seed: 0, day: today() };
  const choices = choicesOf(kind, game);
  /** @type {Record<string, string>} */
  const chosen = Object.fromEntries(Object.entries(choices ?? {}).map(([name, [, options]]) => [name, options[0][0]]));
  const change = () => {
    const { grade, ...scope } = chosen;
    Object.assign(plan, scope, grade === undefined ? {} : { grade: grade ? Number(grade) : null });
    session?.next();
  };
  return new Session(title, plan, choices && drawLists(choices, chosen, change));
}

/**
 * Return the options of an exercise. A mixed strategy is offered only in games that need one.
 * @param {string} kind
 * @param {GameInfo} game
 * @returns {Choices | undefined}
 */
function choicesOf(kind, { mixes }) {
  const { form, ...others } = CHOICES[kind] ?? {};
  return form && !mixes ? others : CHOICES[kind];
}

/** Draw the way back: to the review that a retry came from, or to the menu. */
function drawBack() {
  const from = location.hash === "#retry" && new URLSearchParams(location.search).get("from");
  return h("a", { class: "button quiet back", href: from ? `/play/${encodeURIComponent(from)}` : "#" }, from ? "← Back to the game" : "← All exercises");
}

/** @param {Catalogue} offered */
async function route({ games }) {
  session = null;
  const kind = KINDS[location.hash];
  if (!kind) return menu(games);
  shown += 1;
  try {
    const begun = (session = newSession(kind[0], kind[1], chosenGame(games)));
    fill(at("main"), h("p", {}, drawBack()), begun.element);
    await begun.next();
  } catch (problem) {
    fill(at("main"), h("p", { class: "problem" }, sentence(problem)), h("p", {}, h("a", { class: "button", href: "#" }, "All exercises")));
  }
}

addEventListener("keydown", (event) => session?.key(event));
catalogue().then(
  (offered) => {
    addEventListener("hashchange", () => route(offered));
    route(offered);
  },
  (problem) => fill(at("main"), h("p", { class: "problem" }, sentence(problem))),
);

/** Labels and options of lists. @typedef {Record<string, [string, [string, string][]]>} Choices */

/**
 * @param {Choices} choices
 * @param {Record<string, string>} chosen updated when the user chooses
 * @param {() => void} onChange
 */
function drawLists(choices, chosen, onChange) {
  const field = (/** @type {string} */ name) => {
    const [label, options] = choices[name];
    const change = (/** @type {Event} */ event) => {
      chosen[name] = /** @type {HTMLSelectElement} */ (event.target).value;
      onChange();
    };
    return h("label", {}, label, h("select", { name, onchange: change }, options.map(([value, words]) => h("option", { value, selected: chosen[name] === value }, words))));
  };
  return h("div", { class: "scope" }, Object.keys(choices).map(field));
}
