/** The review of a finished game: turning point, chart, figures and all mistakes. */

import { drawChart } from "./chart.js";
import { h } from "./dom.js";

/** The action that shows the right move. It is hidden at first, so that the user can try it again. */
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
    scene.tables.map(drawFigures),
    h("p", {}, scene.prompt),
    h("p", { class: "note" }, scene.detail),
    chart.element,
    scene.notes.map((text) => h("p", { class: "note" }, text)),
    mistakes.length > 0 && [h("h3", {}, "Mistakes"), h("ol", { class: "mistakes" }, mistakes.map((finding) => drawMistake(finding, use)))],
    mixed.length > 0 && drawMixed(mixed, use),
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
    h("h3", {}, "Mixed strategies"),
    h("p", { class: "note" }, "In how many games perfect play makes the same choice:"),
    h("table", { class: "figures mixed" }, h("thead", {}, h("tr", {}, h("td"), ["Choice", "Perfect play", "Grade"].map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, mixed.map(row))),
  ];
}

/**
 * @param {Finding} finding
 * @param {Use} use
 */
function drawMistake(finding, { onTurn, onAction }) {
  const { key, turn, seat, title, verdict, decisive, actions, right } = finding;
  const hidden = actions.some((action) => action.key === SOLVE);
  const answer = h("p", { class: `right seat-${seat}`, hidden }, right);
  const act = (/** @type {string} */ name, /** @type {HTMLElement} */ from) => {
    if (name !== SOLVE) return onAction(name, finding, from);
    answer.hidden = false;
    return from.remove();
  };
  return h(
    "li",
    { class: decisive ? "decisive" : null },
    h("button", { type: "button", class: "quiet", onclick: () => onTurn(turn) }, title),
    h("p", { class: `seat-${seat}` }, decisive && h("strong", {}, verdict.headline, " "), verdict.sentences.join(" ")),
    answer,
    h("div", { class: "row" }, actions.map((action) => h("button", { type: "button", "data-key": `${action.key} ${key}`, "aria-label": `${action.label}: ${title}`, onclick: (event) => act(action.key, event.currentTarget) }, action.label))),
  );
}
