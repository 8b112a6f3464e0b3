/** The review of a finished game: the chart, both players' figures, every mistake. */

import { signed } from "./bars.js";
import { drawChart } from "./chart.js";
import { h } from "./dom.js";

/** @typedef {import("./types.js").Review} Review */
/** @typedef {import("./types.js").Grade} Grade */

/**
 * @param {Review} review
 * @param {[string, string]} names
 * @param {(turn: number) => void} onTurn
 * @returns {{element: HTMLElement, mark: (turn: number) => void}}
 */
export function drawReview(review, names, onTurn) {
  const mistakes = review.grades.filter((grade) => grade.loss > 0);
  const chart = drawChart({ skill: review.skill, luck: review.luck, names, mistakes, onTurn });
  const element = h(
    "div",
    { class: "review" },
    h("h2", {}, "Review"),
    h("div", { class: "picture" }, chart.element),
    figures(review, names),
    h("h3", {}, "Mistakes"),
    mistakes.length === 0
      ? h("p", { class: "note" }, "None: both played perfectly.")
      : h("ol", { class: "mistakes" }, turnsOf(mistakes).map((made) => mistake(made, onTurn))),
  );
  return { element, mark: chart.mark };
}

/**
 * @param {Review} review
 * @param {[string, string]} names
 */
function figures(review, names) {
  return h(
    "table",
    { class: "figures" },
    h("caption", { class: "unseen" }, "Both players' figures"),
    h("thead", {}, h("tr", {}, ["Player", "Accuracy", "Lost by mistakes", "Luck"].map((name) => h("th", { scope: "col" }, name)))),
    h(
      "tbody",
      {},
      names.map((name, index) => {
        const { accuracy, loss, luck } = review.players[index + 1];
        return h("tr", {}, h("th", { scope: "row", class: `seat-${index + 1}` }, name), h("td", {}, accuracy === null ? "–" : `${Math.round(accuracy)}%`), h("td", {}, loss.toFixed(3)), h("td", {}, signed(luck)));
      }),
    ),
  );
}

/**
 * Mistakes by turn: those of both players in one turn belong together.
 * @param {Grade[]} mistakes
 * @returns {Grade[][]}
 */
const turnsOf = (mistakes) => [...new Set(mistakes.map((grade) => grade.turn))].map((turn) => mistakes.filter((grade) => grade.turn === turn));

/**
 * @param {Grade[]} made
 * @param {(turn: number) => void} onTurn
 */
function mistake(made, onTurn) {
  const turn = made[0].turn;
  return h(
    "li",
    {},
    h("button", { type: "button", class: "quiet", onclick: () => onTurn(turn) }, `Turn ${turn}`),
    h(
      "div",
      {},
      made.length > 1 && h("p", {}, "Both went wrong."),
      made.map((grade) => h("p", { class: `seat-${grade.seat}` }, grade.why, grade.decisive && h("strong", {}, " Decisive."))),
    ),
  );
}
