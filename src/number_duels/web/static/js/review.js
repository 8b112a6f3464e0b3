/** The review of a finished game: turning point, chart, mistakes and figures. */

import { drawChart } from "./chart.js";
import { h } from "./dom.js";
import { drawSmallBoard } from "./small_board.js";

/** The actions that every reader sees. The others are folded, with the answer. */
const FIRST_ACTIONS = ["punished", "retry"];
/** The action that unfolds the answer, which the page does by itself. */
const SOLVE = "solve";

/**
 * @typedef {object} Use
 * @property {(turn: number) => void} onTurn
 * @property {(key: string, finding: Finding, from: HTMLElement) => void} onAction
 */

/**
 * @param {Scene} scene
 * @param {Use} use
 * @returns {{element: HTMLElement, mark: (turn: number) => void}}
 */
export function drawReview(scene, use) {
  const mistakes = scene.findings.filter(({ verdict }) => !verdict.right);
  const mixed = scene.findings.filter(({ often }) => often);
  const chart = drawChart(scene, use.onTurn);
  const element = h(
    "div",
    { class: "review" },
    h("h2", {}, "Review"),
    h("p", {}, scene.headline),
    scene.prompt && h("p", {}, scene.prompt),
    h("p", { class: "note" }, scene.detail),
    chart.element,
    mistakes.length > 0 && [h("h3", {}, mistakes.length === 1 ? "The mistake" : `The ${mistakes.length} mistakes`), h("ol", { class: "mistakes" }, mistakes.map((finding) => drawMistake(finding, use)))],
    h("h3", {}, "Figures"),
    scene.tables.map(drawFigures),
    scene.notes.map((text) => h("p", { class: "note" }, text)),
    mixed.length > 0 && h("details", {}, h("summary", {}, "Mixed strategies"), drawMixed(mixed, use)),
  );
  return { element, mark: chart.mark };
}

/** @param {Table} table */
function drawFigures({ title, columns, rows }) {
  return h(
    "table",
    { class: "figures" },
    h("caption", { class: "unseen" }, title),
    h("thead", {}, h("tr", {}, h("td"), columns.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, rows.map(({ words, cells, seat }) => h("tr", {}, h("th", { scope: "row", class: `seat-${seat}` }, h("bdi", {}, words)), cells.map((text) => h("td", {}, text))))),
  );
}

/**
 * Draw how often perfect play makes each choice where it mixes.
 * @param {Finding[]} mixed
 * @param {Use} use
 */
function drawMixed(mixed, { onTurn }) {
  const row = (/** @type {Finding} */ { turn, seat, title, words, often, kind }) =>
    h("tr", {}, h("th", { scope: "row", class: `seat-${seat}` }, h("button", { type: "button", class: "quiet", onclick: () => onTurn(turn) }, title)), h("td", {}, words), h("td", {}, often), h("td", {}, kind === "right" ? "" : kind));
  return [
    h("p", { class: "note" }, "In how many games perfect play makes the same choice:"),
    h("table", { class: "figures mixed" }, h("thead", {}, h("tr", {}, h("td"), ["Choice", "Perfect play", "Grade"].map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, mixed.map(row))),
  ];
}

/**
 * Draw a mistake: its board, one sentence, and the ways to learn from it. The rest is folded, so
 * that the mistake can be tried again without the answer.
 * @param {Finding} finding
 * @param {Use} use
 */
function drawMistake(finding, { onTurn, onAction }) {
  const { key, turn, seat, title, verdict, right, decisive, before, actions } = finding;
  const [sentence, ...reasons] = [...verdict.sentences, right].filter(Boolean);
  const draw = (/** @type {Action} */ action) =>
    h("button", { type: "button", "data-key": `${action.key} ${key}`, "aria-label": `${action.label}: ${title}`, onclick: (event) => onAction(action.key, finding, event.currentTarget) }, action.label);
  const isFirst = (/** @type {Action} */ action) => FIRST_ACTIONS.includes(action.key);
  return h(
    "li",
    { class: `${decisive ? "decisive " : ""}seat-${seat}` },
    h("button", { type: "button", class: "quiet", onclick: () => onTurn(turn) }, title),
    h("div", { class: "position" }, drawSmallBoard(before.board, seat)),
    h("p", {}, decisive && h("strong", {}, verdict.headline, " "), sentence),
    h("div", { class: "row" }, actions.filter(isFirst).map(draw)),
    h("details", {}, h("summary", {}, "Answer and more"), reasons.map((text) => h("p", {}, text)), h("div", { class: "row" }, actions.filter((action) => !isFirst(action) && action.key !== SOLVE).map(draw))),
  );
}
