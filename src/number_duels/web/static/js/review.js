/** The review of a finished game: the chart, both players' figures, every mistake. */

import { signed } from "./bars.js";
import { drawChart } from "./chart.js";
import { h } from "./dom.js";

/** @typedef {import("./types.js").Review} Review */
/** @typedef {import("./types.js").Grade} Grade */

/** Smaller losses are in the figures, and not in the list. */
const MIN_NAMED_LOSS = 0.01;

/**
 * @param {Review} review
 * @param {[string, string]} names
 * @param {(turn: number) => void} onTurn
 * @returns {{element: HTMLElement, mark: (turn: number) => void}}
 */
export function drawReview(review, names, onTurn) {
  const mistakes = review.grades.filter((grade) => grade.loss >= MIN_NAMED_LOSS);
  const chart = drawChart({ course: review.course, grades: review.grades, names, mistakes, onTurn });
  const element = h(
    "div",
    { class: "review" },
    h("h2", {}, "Review"),
    h("div", { class: "picture" }, chart.element),
    figures(review, names),
    h("h3", {}, "Mistakes"),
    mistakes.length === 0
      ? h("p", { class: "note" }, "None: both played perfectly.")
      : h("ol", { class: "mistakes" }, mistakes.map((grade) => mistake(grade, names, review.decisive, onTurn))),
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
        return h("tr", {}, h("th", { scope: "row", class: `seat-${index + 1}` }, name), h("td", {}, `${Math.round(accuracy)}%`), h("td", {}, loss.toFixed(3)), h("td", {}, signed(luck)));
      }),
    ),
  );
}

/**
 * @param {Grade} grade
 * @param {[string, string]} names
 * @param {Grade | null} decisive
 * @param {(turn: number) => void} onTurn
 */
function mistake(grade, names, decisive, onTurn) {
  const first = decisive !== null && decisive.turn === grade.turn && decisive.seat === grade.seat;
  const better = grade.best.slice(0, 3).join(", ");
  return h(
    "li",
    {},
    h("button", { type: "button", class: "quiet", onclick: () => onTurn(grade.turn) }, `Turn ${grade.turn}`),
    h("span", {}, h("span", { class: `seat-${grade.seat}` }, names[grade.seat - 1]), ` played ${grade.move}, which cost ${grade.loss.toFixed(3)}; better: ${better}.`, first && h("strong", {}, " The first decisive mistake.")),
  );
}
