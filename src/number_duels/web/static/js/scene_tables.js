/** The tables of a scene: options with bars, mixed strategies as areas, and shares of past choices. */

import { h, whole } from "./dom.js";

/** Handles a chosen row. @typedef {(row: Row) => void} Choose */

/** If a row has more moves, only the first few are shown and the others can be unfolded. */
const MAX_SHOWN = 12;
const FEW = 8;
/** Narrower areas show no percentage. Even narrower ones show no move. */
const MIN_COUNTED_SHARE = 0.12;
const MIN_NAMED_SHARE = 0.05;

/**
 * Remove the kind of move from a label: "Add: 8 + 3 = 11" becomes "8 + 3 = 11".
 * @param {string} label
 */
export const shortened = (label) => label.split(": ").at(-1) ?? label;

/**
 * @param {Table} table
 * @param {Choose} [choose]
 */
export function drawTable(table, choose) {
  /** @type {Record<string, (table: Table, choose?: Choose) => HTMLElement>} */
  const drawings = { options: drawOptions, mixed: drawMix, series: drawSeries, balance: drawBalance, draws: drawDraws };
  return drawings[table.kind](table, choose);
}

/**
 * Draw a bar, filled by a share from 0 to 1.
 * @param {string} shape
 * @param {number} share
 */
const drawBar = (shape, share) => h("div", { class: shape, "aria-hidden": "true", "--share": share }, h("i"));

/**
 * @param {Table} table
 * @param {Choose} [choose]
 */
function drawOptions({ head, columns, rows }, choose) {
  const picked = rows.some(({ here }) => here);
  const draw = (/** @type {Row} */ row) => drawMove(row, picked, choose);
  return h(
    "table",
    { class: "options" },
    h("thead", {}, h("tr", {}, [head, ...columns].map((name, index) => h("th", { scope: "col", class: index > 1 ? "odds" : null }, name)))),
    h("tbody", {}, folded(rows).map((group) => drawGroup(group, draw))),
  );
}

/**
 * Group rows with the same figures.
 * @param {Row[]} rows
 */
function folded(rows) {
  /** @type {Row[][]} */
  const groups = [];
  for (const row of rows) {
    if (row.same) groups[groups.length - 1].push(row);
    else groups.push([row]);
  }
  return groups;
}

/**
 * Draw a few moves, fold the others, and draw the figures that they share.
 * @param {Row[]} group
 * @param {(row: Row) => HTMLElement} draw
 */
function drawGroup(group, draw) {
  const shown = group.length > MAX_SHOWN ? FEW : group.length;
  const more = group.slice(shown);
  const [{ cells: [first, ...others], share, good, key, said }] = group;
  return h(
    "tr",
    { class: good ? "best" : null },
    h("th", { scope: "row" }, h("div", { class: "equal" }, group.slice(0, shown).map(draw)), more.length > 0 && h("details", {}, h("summary", {}, `${more.length} more`), h("div", { class: "equal" }, more.map(draw))), !key && h("span", { class: "note" }, said)),
    h("td", { class: "value" }, h("span", {}, first), drawBar("bar", share)),
    others.map((text) => h("td", { class: "odds" }, text)),
  );
}

/**
 * Draw a move as text or as a button. The picked one looks pressed.
 * @param {Row} row
 * @param {boolean} picked
 * @param {Choose} [choose]
 */
function drawMove(row, picked, choose) {
  const { words, short, key, seat, here } = row;
  if (!choose || !key) return h("span", { class: "named" }, whole(short || words));
  return h("button", { type: "button", class: "move", "data-key": `${seat} ${words}`, "aria-label": words, "aria-pressed": picked ? String(here) : null, onclick: () => choose(row) }, whole(short));
}

/** @param {Table} table */
function drawMix({ title, rows }) {
  const areas = rows.map(({ words, short, cells: [often], share }) =>
    h("span", { class: "area", title: `${words}: ${often}`, "--share": share }, share >= MIN_NAMED_SHARE && h("b", {}, short), share >= MIN_COUNTED_SHARE && h("small", {}, often)));
  const said = rows.map(({ words, cells }) => `${words} ${cells[0]}`).join(", ");
  return h("figure", { class: `mix seat-${rows[0].seat}` }, h("figcaption", {}, title), h("div", { class: "areas", role: "img", "aria-label": said }, areas));
}

/** @param {Table} table */
function drawBalance({ rows: [{ words, cells, share }] }) {
  return h("div", {}, h("p", { class: "note" }, `${words}: ${cells[0]}`), drawBar("balance", share));
}

/**
 * @param {Table} table
 * @param {Choose} [choose]
 */
function drawDraws({ rows }, choose) {
  const button = (/** @type {Row} */ row) => h("button", { type: "button", class: "answer", "data-key": row.words, "aria-label": row.words, onclick: () => choose?.(row) }, h("span", { class: "big" }, row.short), h("span", { class: "becomes" }, row.cells[0]));
  return h("div", { class: "answers" }, rows.map(button));
}

/** @param {Table} table */
function drawSeries({ title, sentences, head, columns: [you, , perfect], rows }) {
  return h(
    "details",
    { class: "series" },
    h("summary", {}, `Your ${title}, compared with perfect play`),
    sentences.map((text) => h("p", {}, text)),
    h("table", { class: "shares" }, h("thead", {}, h("tr", {}, [head, you, perfect].map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, rows.map(seriesRow))),
  );
}

/** @param {Row} row */
function seriesRow({ words, cells: [you, between, perfect], share, range, mark }) {
  const places = { "--share": share, "--low": range?.[0], "--high": range?.[1], "--perfect": mark };
  const bar = h("div", { class: "range", "aria-hidden": "true", ...places }, ["between", "mine", "theirs"].map((name) => h("i", { class: name })));
  return h("tr", {}, h("th", { scope: "row" }, words), h("td", {}, you, h("span", { class: "note" }, ` (${between})`), bar), h("td", {}, perfect));
}
