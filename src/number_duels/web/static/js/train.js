/** Learn to play perfectly: what there is to practise, and then the exercise itself. */

import { catalogue, sentence } from "./api.js";
import { at, fill, h } from "./dom.js";
import { keepGame, keptGame } from "./new_game.js";
import { drawBook, myBook, positions, readGames, todaySource } from "./train_book.js";
import { drillSource } from "./train_drills.js";
import { LessonPage } from "./train_lesson.js";
import { dailySource, puzzleSource } from "./train_puzzles.js";
import { Session } from "./train_session.js";

/** @typedef {import("./types.js").GameInfo} GameInfo */
/** @typedef {import("./types.js").Catalogue} Catalogue */
/** @typedef {import("./types.js").Book} Book */
/** @typedef {{element: HTMLElement, key: (event: KeyboardEvent) => void, next: () => Promise<void>, restart?: () => void}} Exercises */

/** @type {Exercises | null} */
let session = null;

/**
 * The game of the address, or the one that was played last.
 * @param {GameInfo[]} games
 */
const chosenGame = (games) => games.find(({ name }) => name === new URLSearchParams(location.search).get("game")) ?? keptGame(games);

/**
 * The settings that the address names; a link may ask for others than the usual ones.
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
 * @param {import("./dom.js").Child} note
 */
const entry = (hash, title, note) => h("li", {}, h("a", { class: "choice", href: `#${hash}` }, h("strong", {}, title), h("span", { class: "note" }, note)));

/** What is shown now, so that an answer that comes late changes nothing else. */
let shown = 0;

/** @param {GameInfo[]} games */
async function menu(games) {
  const game = chosenGame(games);
  const mine = (shown += 1);
  document.title = "Train – Number Duels";
  const places = { today: h("span", { class: "note" }), daily: h("span", { class: "note" }, "One for everybody, every day."), lesson: h("span", { class: "note" }), book: h("div", {}) };
  const draw = (/** @type {Book} */ book) => {
    fill(places.today, book.due_count > 0 ? positions(book.due_count) : book.next ? `Nothing is due; the next card comes ${book.next}.` : "The mistakes of your games, and what you add, come back here.", book.left_out > 0 && ` ${positions(book.left_out)} cannot be opened here.`);
    if (book.streak > 0 || book.daily.length > 0) fill(places.daily, book.daily.includes(true) ? `Solved today · streak ${book.streak}` : `Streak ${book.streak}`);
    fill(places.lesson, book.lessons[game.name] ? `You were at step ${book.lessons[game.name]}.` : `${game.title} by playing it: the rules, then its few principles.`);
    fill(places.book, drawBook(book, () => menu(games)));
  };
  fill(
    at("main"),
    h("header", { class: "heading" }, h("h1", {}, "Train"), chooser(games, game)),
    h("p", { class: "lead" }, "Every position is solved: you are told at once what an answer costs, and why."),
    h(
      "ul",
      { class: "offers" },
      entry("lesson", "Lesson", places.lesson),
      entry("drills", "Drills", `Positions of ${game.title}, by how often they come up and what is at stake.`),
      entry("today", "Today", places.today),
      entry("daily", "Daily puzzle", places.daily),
      entry("puzzles", "Puzzles", `Only moves, traps and more in ${game.title}.`),
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

/**
 * How each kind of exercise begins.
 * @type {Record<string, (game: GameInfo) => Promise<Exercises>>}
 */
const KINDS = {
  "#drills": async (game) => new Session(drillSource(game, chosenSettings(game), () => session?.restart?.())),
  "#today": async (game) => new Session(todaySource(await myBook(), game)),
  "#daily": async (game) => new Session(dailySource(await myBook(), game)),
  "#puzzles": async (game) => new Session(await puzzleSource(game, () => session?.restart?.())),
  "#lesson": async (game) => new LessonPage(game, Number((await myBook()).lessons[game.name] ?? 0)),
};

/** @param {Catalogue} offered */
async function route({ games }) {
  session = null;
  const kind = KINDS[location.hash];
  if (!kind) return menu(games);
  const mine = (shown += 1);
  try {
    const begun = await kind(chosenGame(games));
    if (mine !== shown) return;
    session = begun;
    fill(at("main"), h("p", {}, h("a", { class: "button quiet back", href: "#" }, "← All exercises")), begun.element);
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
