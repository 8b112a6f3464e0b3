/** What a scene of the trainer says: what an answer was worth, why, and the figures behind it. */

import { h, speak } from "./dom.js";

/** @typedef {import("./types.js").Scene} Scene */
/** @typedef {import("./types.js").Table} Table */
/** @typedef {import("./types.js").Row} Row */

/** @type {Record<string, string>} */
const CAPTIONS = { good: "Good: these cost nothing", bad: "Mistakes, the least first" };

/**
 * What is said without being asked; the line to share has a place of its own.
 * @param {Scene} scene
 */
export const drawRemark = ({ lines, share }) => lines.filter((line) => line !== share).map((line) => h("p", { class: "lead" }, line));

/** @param {Scene} scene */
export function drawScene({ verdict, tables, notes, share }) {
  return [
    verdict && h("h2", { class: `verdict ${verdict.right ? "right" : "wrong"}` }, h("span", { "aria-hidden": "true" }, verdict.right ? "✓" : "✗"), verdict.headline),
    verdict && h("p", { class: "note" }, `Your answer: ${verdict.answer}`),
    verdict?.sentences.map((text) => h("p", {}, text)),
    share && drawShare(share),
    tables.map((table) => (table.sentences.length > 0 ? drawSeries(table) : drawOptions(table))),
    notes.map((text) => h("p", { class: "note" }, text)),
  ];
}

/**
 * The words of a scene for a screen reader.
 * @param {Scene} scene
 */
export const spoken = ({ lines, prompt, verdict }) => (verdict ? [verdict.headline, ...verdict.sentences] : [...lines, prompt]).filter(Boolean).join(" ");

/** @param {Table} table */
function drawOptions({ title, columns, rows }) {
  return h("div", { class: title }, h("table", { class: "options" }, h("caption", {}, CAPTIONS[title]), h("thead", {}, h("tr", {}, ["move", ...columns].map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, rows.map(optionRow))));
}

/** @param {Row} row */
function optionRow({ words, cells, share }) {
  const [first, ...others] = cells;
  const bar = h("div", { class: "bar", "aria-hidden": "true" }, h("i"));
  bar.style.setProperty("--share", String(share));
  return h("tr", {}, h("th", { scope: "row" }, words), h("td", { class: "value" }, h("span", {}, first), bar), others.map((text) => h("td", { class: "odds" }, text)));
}

/** @param {Table} table */
function drawSeries({ title, sentences, columns, rows }) {
  const [you, , perfect] = columns;
  return h(
    "div",
    { class: "series" },
    h("h3", {}, title),
    sentences.map((text) => h("p", {}, text)),
    h("table", { class: "shares" }, h("thead", {}, h("tr", {}, ["move", you, perfect].map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, rows.map(seriesRow))),
  );
}

/** @param {Row} row */
function seriesRow({ words, cells: [you, between, perfect], share, range, mark }) {
  const bar = h("div", { class: "range", "aria-hidden": "true" }, h("i", { class: "between" }), h("i", { class: "mine" }), h("i", { class: "theirs" }));
  for (const [name, value] of Object.entries({ share, low: range?.[0], high: range?.[1], perfect: mark })) bar.style.setProperty(`--${name}`, String(value));
  return h("tr", {}, h("th", { scope: "row" }, words), h("td", {}, you, h("span", { class: "note" }, ` (${between})`), bar), h("td", {}, perfect));
}

/** @param {string} line */
function drawShare(line) {
  const copy = async () => {
    // Only where the browser lets a page have the clipboard; the line can be selected everywhere.
    await navigator.clipboard?.writeText(line).then(() => speak("Copied."), () => {});
  };
  return h("p", { class: "squares" }, h("span", {}, line), h("button", { type: "button", class: "quiet", "data-key": "copy", onclick: copy }, "Copy"));
}
