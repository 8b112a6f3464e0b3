/** The trainer: the menu of exercises, and the exercise itself. */

import { catalogue, sentence } from "./api.js";
import { today } from "./dates.js";
import { at, fill, h } from "./dom.js";
import { keepGame, keptGame } from "./new_game.js";
import { drawSmallBoard } from "./small_board.js";
import { drawTabs } from "./game_tabs.js";
import { readGames } from "./profile.js";
import { cards, drawBook, myBook } from "./train_book.js";
import { drawSliders } from "./train_mixed.js";
import { Session } from "./train_session.js";
import { here } from "./transport.js";

/** @type {Session | null} */
let session = null;

/**
 * Return the game in the address, or the one played last.
 * @param {GameInfo[]} games
 */
const chosenGame = (games) => games.find(({ name }) => name === new URLSearchParams(here().search).get("game")) ?? keptGame(games);

/**
 * Return the settings in the address, which may differ from the usual ones.
 * @param {GameInfo} game
 * @returns {Record<string, number | string>}
 */
function chosenSettings({ settings }) {
  const named = [...new URLSearchParams(here().search)].filter(([name]) => name in settings);
  return Object.fromEntries(named.map(([name, value]) => [name, /^\d+$/.test(value) ? Number(value) : value]));
}

/**
 * @param {string} hash
 * @param {string} title
 * @param {string} done the progress, in words
 * @param {Child} note
 */
const entry = (hash, title, done, note) => h("li", {}, h("a", { class: "choice", href: `#${hash}` }, h("strong", {}, title), h("span", { class: "done" }, done), h("span", { class: "note" }, note), drawShare(done)));

/**
 * Draw a bar for a progress such as "3 of 18 steps".
 * @param {string} done
 */
function drawShare(done) {
  const [, part, all] = /^(\d+) of (\d+)/.exec(done) ?? [];
  return Number(all) > 0 && h("span", { class: "share-bar", "aria-hidden": "true", "--share": Number(part) / Number(all) }, h("i"));
}

/** The address of each kind of training that may come next. @type {Record<string, string>} */
const ADDRESSES = { book: "today", lesson: "lesson", drill: "drills" };

/** A book without cards, until the user's own is known. */
const NO_BOOK = { cards: 0, due: 0, next: null, answers: 0, right: 0, streak: 0, daily: [], lessons: {}, notes: { today: "", daily: "", lesson: "", drills: "", puzzles: "" } };

/** Number of the page shown now, to ignore answers that come late. */
let shown = 0;

/**
 * Draw the games, the training that comes next as one large card, and all training of a game.
 * @param {GameInfo[]} games
 */
async function menu(games) {
  const game = chosenGame(games);
  const mine = (shown += 1);
  keepGame(game.name);
  document.title = "Train – Number Duels";
  const offer = h("div", { class: "offer-next" });
  const beside = h("div", { class: "beside-offer" });
  const door = h("section", { class: "door", "aria-label": "What comes next" }, offer, beside);
  const others = h("ul", { class: "offers" });
  const draw = (/** @type {Book} */ { start: { kind, label, note }, ...book }) => {
    fill(offer, h("p", {}, note), h("a", { class: "button primary large", "data-key": "start", href: `#${ADDRESSES[kind]}` }, label));
    // Mistakes come from all games.
    fill(beside, kind !== "book" && drawSmallBoard(game.preview[Math.floor(game.preview.length / 2)]), drawToday(book));
    list(book);
  };
  const list = (/** @type {Omit<Book, "start">} */ { notes, cards: count }) =>
    fill(
      others,
      entry("lesson", "Lesson", notes.lesson, "Learn the game by playing it."),
      entry("drills", "Drills", notes.drills, "Choose a move, and see what it costs."),
      game.mixes && entry("mixed", "Mixed strategies", "", "Say how often you make each choice."),
      entry("puzzles", "Puzzles", notes.puzzles, "Find the best move, or the only mistake."),
      entry("daily", "Daily puzzle", "", notes.daily),
      entry("book", "My book", cards(count), notes.today || "Your mistakes, for practice"),
    );
  list(NO_BOOK);
  fill(at("main"), h("h1", {}, "Train"), drawTabs(games, game, "/train?game="), door, h("h2", {}, "All training"), others);
  try {
    draw(await myBook(game.name));
    if ((await readGames()) && mine === shown) draw(await myBook(game.name));
  } catch (problem) {
    if (mine === shown) fill(offer, h("p", { class: "problem" }, sentence(problem)));
  }
}

/**
 * Draw the day's goals, and how far the user has come.
 * @param {Omit<Book, "start">} book
 */
const drawToday = ({ cards: count, due, daily, ...book }) =>
  h(
    "div",
    { class: "today" },
    h("h2", {}, "Today"),
    h("ul", {}, drawGoal(daily.some(Boolean), "#daily", "Daily puzzle"), count > 0 && drawGoal(due === 0, "#today", due > 0 ? cards(due) : "Mistakes practiced")),
    drawProgress({ ...book, cards: count }),
  );

/**
 * @param {boolean} done
 * @param {string} href
 * @param {string} label
 */
const drawGoal = (done, href, label) => h("li", { class: done ? "reached" : null }, h("i", { "aria-hidden": "true" }, done && "✓"), done ? h("span", {}, label, h("span", { class: "unseen" }, ": done")) : h("a", { href }, label));

/** @param {Pick<Book, "cards" | "answers" | "right" | "streak">} book */
const drawProgress = ({ cards: count, answers, right, streak }) =>
  h("dl", {}, [["In my book", count], ["Right answers", answers && `${right} of ${answers}`], ["Days in a row", streak]].map(([name, figure]) => Boolean(figure) && h("div", {}, h("dt", {}, name), h("dd", {}, String(figure)))));

/** Options of each kind of exercise, by their names in a plan. @type {Record<string, Choices>} */
const CHOICES = {
  drill: {
    phase: ["Part", [["", "Whole game"], ["opening", "Opening"], ["middle", "Middle"], ["end", "End"]]],
    level: ["Difficulty", [["", "Any"], ["easy", "Easy"], ["medium", "Medium"], ["hard", "Hard"]]],
  },
  puzzle: { grade: ["Difficulty", [["", "Easy ones first"], ...[1, 2, 3, 4, 5].map((grade) => /** @type {[string, string]} */ ([String(grade), "★".repeat(grade)]))]] },
};
/** Title and kind of each exercise, by its address. @type {Record<string, [string, string]>} */
const KINDS = {
  "#drills": ["Drills", "drill"],
  "#mixed": ["Mixed strategies", "drill"],
  "#today": ["Mistakes to practice", "book"],
  "#daily": ["Daily puzzle", "daily"],
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
  const spot = here().hash === "#retry" ? JSON.parse(new URLSearchParams(here().search).get("spot") ?? "null") : null;
  if (spot) return new Session(title, { kind, game: game.name, settings: spot.settings, seed: 0, day: today(), spot }, null, drawSliders);
  const settings = kind === "drill" ? chosenSettings(game) : {};
  /** @type {Plan} */
  const plan = { kind, game: ["daily", "book"].includes(kind) ? "" : game.name, settings, seed: 0, day: today(), ...(here().hash === "#mixed" ? { form: "mixed" } : {}) };
  const choices = CHOICES[kind];
  /** @type {Record<string, string>} */
  const chosen = Object.fromEntries(Object.entries(choices ?? {}).map(([name, [, options]]) => [name, options[0][0]]));
  const change = () => {
    const { grade, ...scope } = chosen;
    Object.assign(plan, scope, grade === undefined ? {} : { grade: grade ? Number(grade) : null });
    session?.next();
  };
  return new Session(title, plan, choices && drawLists(choices, chosen, change), drawSliders);
}

/** Draw a link back to the menu. */
const drawBack = () => h("a", { class: "button quiet back", href: "#" }, "← Train");

/** @param {Catalogue} offered */
async function route({ games }) {
  session = null;
  if (here().hash === "#book") return drawBook(h("p", {}, drawBack()));
  const kind = KINDS[here().hash];
  if (!kind) return menu(games);
  shown += 1;
  try {
    const begun = (session = newSession(kind[0], kind[1], chosenGame(games)));
    fill(at("main"), h("p", {}, drawBack()), begun.element);
    await begun.next();
  } catch (problem) {
    fill(at("main"), h("p", { class: "problem" }, sentence(problem)), h("p", {}, h("a", { class: "button", href: "#" }, "Train")));
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
  return h("details", { class: "scope" }, h("summary", {}, "Options"), h("div", {}, Object.keys(choices).map(field)));
}
