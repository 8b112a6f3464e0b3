/** The user's statistics: results and what moves cost, counted as in the terminal. */

import { get, post, sentence } from "./api.js";
import { at, fill, h, speak, svg } from "./dom.js";
import { day } from "./dates.js";
import { fileButton, sendLines } from "./line_files.js";
import { more } from "./more.js";
import { outcomeMark } from "./own_games.js";
import { keepProfile } from "./profile.js";

/** Number of games listed. The export has all of them. */
const MAX_LISTED = 20;
/** A request has at most this many records of a file. */
const MAX_RECORDS = 50;
/** What became of the last imported file. */
let imported = "";
/** Delay before the next request while games are being graded. */
const GRADING_INTERVAL_MS = 3000;
const WIDTH = 640;
const HEIGHT = 180;
const EDGE = { left: 72, right: 4, top: 20, bottom: 6 };
const MAX_COLUMN = 48;

/** @param {Scene} scene */
function headline({ tables, lines }) {
  const [{ columns, rows: [{ cells }] }] = tables.filter(({ kind }) => kind === "totals");
  const results = ["won", "drawn", "lost"].map((name) => {
    const part = h("i", { class: name });
    part.style.flexGrow = cells[columns.indexOf(name)];
    part.hidden = part.style.flexGrow === "0";
    return part;
  });
  return h(
    "section",
    { class: "headline-figures" },
    h("dl", {}, columns.slice(1).map((name, index) => h("div", {}, h("dt", {}, name), h("dd", {}, cells[index + 1])))),
    h("div", { class: "result-bar", "aria-hidden": "true" }, results),
    h("p", { class: "note" }, lines.join(" ")),
  );
}

/**
 * Draw what moves cost, from several games in which they cost something.
 * @param {Statistics} stats
 */
function overTime({ scene: { chart, notes }, waiting }) {
  const points = chart?.curves[0].points ?? [];
  const drawn = chart && points.length > 1 && points.some(([, share]) => share > 0);
  return h(
    "section",
    {},
    h("h2", {}, drawn ? chart.title : "Cost per move"),
    drawn ? drawColumns(chart) : waiting === 0 && h("div", { class: "empty" }, h("p", {}, points.length > 0 && points.every(([, share]) => share === 0) ? "No move has cost you anything yet. A chart appears here after a mistake." : "A chart of what your moves cost appears here after two games."), h("a", { class: "button primary", href: "/" }, "Play a game")),
    h("details", { open: waiting > 0 }, h("summary", {}, "What is counted"), notes.map((text) => h("p", { class: "note" }, text))),
  );
}

/**
 * Draw the cost per move over time, as columns.
 * @param {Chart} chart
 * @returns {SVGElement}
 */
function drawColumns({ curves: [{ points }], axis, said }) {
  const inner = { x: WIDTH - EDGE.left - EDGE.right, y: HEIGHT - EDGE.top - EDGE.bottom };
  const step = inner.x / points.length;
  const width = Math.min(MAX_COLUMN, step * 0.76);
  const bottom = HEIGHT - EDGE.bottom;
  return svg(
    "svg",
    { class: "columns", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": said },
    axis.map(([share, name]) => {
      const y = bottom - inner.y * share;
      return [svg("line", { class: "axis", x1: EDGE.left, x2: WIDTH - EDGE.right, y1: y, y2: y }), svg("text", { x: EDGE.left - 8, y: y + 4, "text-anchor": "end" }, name)];
    }),
    points.map(([place, share]) => {
      const height = share && Math.max(2, inner.y * share);
      return svg("rect", { class: "column", x: EDGE.left + step * (place + 0.5) - width / 2, y: bottom - height, width, height, rx: 2 });
    }),
  );
}

/** @param {Table} table */
function phases({ title, rows }) {
  if (rows.every(({ share }) => share === 0)) return null;
  const draw = (/** @type {Row} */ { words, cells, share }) => h("li", {}, h("span", {}, words), h("div", { class: "bar", "aria-hidden": "true", "--share": share }, h("i")), h("span", {}, cells[0]));
  return h("section", {}, h("h2", {}, title), h("ul", { class: "phases" }, rows.map(draw)));
}

/** @param {Table} table */
function scores({ title, columns, rows }) {
  const draw = (/** @type {Row} */ { words, cells }) => h("tr", {}, h("th", { scope: "row" }, h("bdi", {}, words)), cells.map((text) => h("td", {}, text)));
  return h("table", { class: "scores" }, h("caption", {}, title), h("thead", {}, h("tr", {}, h("td"), columns.map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, rows.map(draw)));
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
  const content = [outcomeMark(game.result), h("span", {}, h("strong", {}, title), " against ", h("bdi", {}, game.against)), h("span", { class: "thrown" }, game.cost !== null && [game.cost, h("span", { class: "word" }, " per move")]), h("time", { datetime: game.finished }, day(game.finished))];
  return game.id ? h("a", { href: `/play/${game.id}` }, content) : h("span", {}, content);
}

/** @param {Statistics} stats */
function draw(stats) {
  const header = h("header", { class: "heading" }, h("h1", {}, "My record"), files(), h("p", { class: "note" }, imported));
  if (stats.games === 0) {
    fill(at("main"), header, h("p", { class: "lead" }, "No finished games yet. This page shows your results in this browser, and what your moves cost."), h("p", {}, h("a", { class: "button primary", href: "/" }, "Play a game")));
    return;
  }
  const drawn = (/** @type {string} */ kind, /** @type {(table: Table) => HTMLElement | null} */ draw) => stats.scene.tables.filter((table) => table.kind === kind).map(draw);
  fill(at("main"), header, headline(stats.scene), overTime(stats), drawn("shares", phases), h("section", { class: "tables" }, drawn("scores", scores)), latest(stats));
}

/** Draw the menu that takes games to and from another browser or a terminal. */
const files = () =>
  more(
    h("a", { class: "button", href: "/api/me/records", download: "number-duels.jsonl" }, "Export all records"),
    fileButton("Import records", read, (problem) => show(sentence(problem))),
  );

/**
 * Add all records of a file to this browser's profile.
 * @param {string} text
 */
async function read(text) {
  await keepProfile("");
  let added = 0;
  /** @type {Record<string, number>} */
  const left = {};
  await sendLines(text, MAX_RECORDS, async (records) => {
    const found = await post("/api/me/records", { records });
    added += found.added;
    for (const [why, games] of Object.entries(found.left_out)) left[why] = (left[why] ?? 0) + games;
  });
  const reasons = Object.entries(left).map(([why, games]) => `${why} (${games})`);
  await show(`${added} new game${added === 1 ? "" : "s"}.${reasons.length > 0 ? ` Left out: ${reasons.join(", ")}.` : ""}`);
}

/** @param {string} said what became of an imported file */
async function show(said) {
  imported = said;
  speak(said);
  await load();
}

/** Show the statistics, and refresh them while games are being graded. */
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
