/** One's own record: results, and the winning chances thrown away, as the terminal counts them. */

import { get, sentence } from "./api.js";
import { at, fill, h } from "./dom.js";
import { day, outcomeMark } from "./home.js";
import { called } from "./opponents.js";
import { drawColumns } from "./columns.js";
import { cost, percent } from "./percent.js";

/** @typedef {import("./types.js").Score} Score */
/** @typedef {import("./types.js").Statistics} Statistics */
/** @typedef {import("./types.js").OwnResult} OwnResult */

/** So many games are listed; all of them are in the export. */
const MAX_LISTED = 20;
/** How long it takes to look again for what is being graded. */
const GRADING_INTERVAL_MS = 3000;

/**
 * What was thrown away; a dash where nothing is known.
 * @param {number | null} share from 0 to 1
 */
const thrown = (share) => (share === null ? "–" : cost(2 * share));

/** @param {Statistics} stats */
function headline(stats) {
  const figures = [
    ["Won", stats.won],
    ["Drawn", stats.drawn],
    ["Lost", stats.lost],
    ["Thrown away a game", thrown(stats.thrown_away_a_game)],
  ];
  return h(
    "section",
    { class: "headline-figures", "aria-label": "All games" },
    h("dl", {}, figures.map(([name, figure]) => h("div", {}, h("dt", {}, name), h("dd", {}, figure)))),
    bar(stats),
    h("p", { class: "note" }, streak(stats)),
  );
}

/** @param {Score} score */
function bar({ won, drawn, lost }) {
  const parts = [["won", won], ["drawn", drawn], ["lost", lost]];
  return h("div", { class: "result-bar", "aria-hidden": "true" }, parts.map(([name, count]) => {
    const part = h("i", { class: String(name) });
    part.style.flexGrow = String(count);
    return part;
  }));
}

/** @param {Statistics} stats */
function streak(stats) {
  const { streak: now, longest_streak: longest } = stats;
  const running = Math.abs(now) > 1 ? `You ${now > 0 ? "won" : "lost"} the last ${Math.abs(now)}.` : "";
  return `${running}${longest > 1 ? ` Most won in a row: ${longest}.` : ""}`.trim();
}

/** @param {Statistics} stats */
function overTime(stats) {
  const graded = stats.over_time.filter((game) => game.thrown_away !== null);
  return h(
    "section",
    { "aria-labelledby": "time-title" },
    h("h2", { id: "time-title" }, "Winning chances thrown away, from the first game to the last"),
    graded.length > 0 ? drawColumns(graded.map((game) => Number(game.thrown_away))) : h("p", { class: "note" }, "No game is graded yet."),
    h("p", { class: "note" }, "100% is from a certain win to a certain loss; what an opponent gives back can be thrown away again. Perfect play throws away nothing."),
    stats.waiting > 0 && h("p", { class: "note", role: "status" }, `${counted(stats.waiting)} still to be graded…`),
    Object.entries(stats.ungraded).map(([reason, games]) => h("p", { class: "note" }, `Not graded: ${counted(games)}. ${reason}`)),
  );
}

/** @param {number} games */
const counted = (games) => `${games} game${games === 1 ? "" : "s"}`;

/** @param {Statistics} stats */
function phases(stats) {
  const whole = stats.figures.loss;
  const found = Object.entries(stats.phases).filter(([, figures]) => figures.games > 0);
  if (!whole || found.length === 0) return null;
  return h(
    "section",
    { "aria-labelledby": "phases-title" },
    h("h2", { id: "phases-title" }, "Where they are thrown away"),
    h("ul", { class: "phases" }, found.map(([phase, { loss }]) => {
      const share = h("div", { class: "bar", "aria-hidden": "true" }, h("i"));
      share.style.setProperty("--share", String(loss / whole));
      return h("li", {}, h("span", {}, phase.charAt(0).toUpperCase() + phase.slice(1)), share, h("span", {}, percent(loss / whole)));
    })),
  );
}

/**
 * @param {string} title
 * @param {[import("./dom.js").Child, Score][]} rows
 */
function table(title, rows) {
  if (rows.length === 0) return null;
  const columns = ["Games", "Won", "Drawn", "Lost", "Thrown away"];
  return h(
    "table",
    { class: "scores" },
    h("caption", {}, title),
    h("thead", {}, h("tr", {}, h("td"), columns.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, rows.map(([name, score]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, score.games), h("td", {}, score.won), h("td", {}, score.drawn), h("td", {}, score.lost), h("td", {}, thrown(score.thrown_away_a_game))))),
  );
}

/** @param {Statistics} stats */
function tables(stats) {
  const computers = Object.entries(stats.opponents).filter(([who]) => who !== "human");
  return h(
    "section",
    { class: "tables", "aria-label": "By game and opponent" },
    table("By game", Object.values(stats.by_game).map((score) => [score.title, score])),
    table("Against the computer", computers.map(([who, score]) => [called(who), score])),
    table("Against people", Object.entries(stats.people).map(([name, score]) => [h("bdi", {}, name), score])),
  );
}

/** @param {Statistics} stats */
function latest(stats) {
  const titles = stats.by_game;
  const shown = [...stats.over_time].reverse().slice(0, MAX_LISTED);
  return h("section", { class: "ended", "aria-labelledby": "latest-title" }, h("h2", { id: "latest-title" }, "Games"), h("ul", {}, shown.map((game) => h("li", {}, listed(game, titles[game.game]?.title ?? game.game)))));
}

/**
 * @param {OwnResult} game
 * @param {string} title
 */
function listed(game, title) {
  const content = [outcomeMark(game.result), h("span", {}, h("strong", {}, title), " against ", h("bdi", {}, game.against)), h("span", { class: "thrown" }, game.thrown_away !== null && [thrown(game.thrown_away), h("span", { class: "word" }, " thrown away")]), h("time", { datetime: game.finished }, day(game.finished))];
  return game.id ? h("a", { href: `/play/${game.id}` }, content) : h("span", {}, content);
}

/** @param {Statistics} stats */
function draw(stats) {
  const header = h("header", { class: "heading" }, h("h1", {}, "My record"), stats.games > 0 && h("a", { class: "button", href: "/api/me/records", download: "number-duels.jsonl" }, "Export all records"));
  if (stats.games === 0) {
    fill(at("main"), header, h("p", { class: "lead" }, "No finished game yet. What you play in this browser is counted here: results, and how much of your winning chances you threw away."), h("p", {}, h("a", { class: "button primary", href: "/" }, "Play a game")));
    return;
  }
  fill(at("main"), header, headline(stats), overTime(stats), phases(stats), tables(stats), latest(stats));
}

/** Show the record, and again while games are being graded. */
async function load() {
  try {
    const stats = /** @type {Statistics} */ (await get("/api/me/statistics"));
    draw(stats);
    if (stats.waiting > 0) setTimeout(load, GRADING_INTERVAL_MS);
  } catch (refused) {
    fill(at("main"), h("p", { class: "problem" }, sentence(refused)));
  }
}

load();
