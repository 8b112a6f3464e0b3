/** The review of a finished game: turning point, chart, figures and all mistakes. */

import { drawChart } from "./chart.js";
import { h } from "./dom.js";

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
  const chart = drawChart(scene, use.onTurn);
  const element = h(
    "div",
    { class: "review" },
    h("h2", {}, "Review"),
    h("p", {}, scene.headline),
    h("p", { class: "note" }, scene.detail),
    chart.element,
    scene.tables.map(drawFigures),
    scene.notes.map((text) => h("p", { class: "note" }, text)),
    mistakes.length > 0 && [h("h3", {}, "Mistakes"), h("ol", { class: "mistakes" }, mistakes.map((finding) => drawMistake(finding, use)))],
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
 * @param {Finding} finding
 * @param {Use} use
 */
function drawMistake(finding, { onTurn, onAction }) {
  const { key, turn, seat, title, verdict, decisive, actions } = finding;
  return h(
    "li",
    { class: decisive ? "decisive" : null },
    h("button", { type: "button", class: "quiet", onclick: () => onTurn(turn) }, title),
    h("p", { class: `seat-${seat}` }, decisive && h("strong", {}, verdict.headline, " "), verdict.sentences.join(" ")),
    h("div", { class: "row" }, actions.map((action) => h("button", { type: "button", "data-key": `${action.key} ${key}`, "aria-label": `${action.label}: ${title}`, onclick: (event) => onAction(action.key, finding, event.currentTarget) }, action.label))),
  );
}
