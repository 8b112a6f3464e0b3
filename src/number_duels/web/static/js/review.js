/** The review of a finished game: where it turned, the chart, both players' figures, every mistake. */

import { drawChart } from "./chart.js";
import { h } from "./dom.js";
import { cost, luckWords } from "./percent.js";
import { YOU, shownName, shownNames, within } from "./words.js";

/** @typedef {import("./types.js").Review} Review */
/** @typedef {import("./types.js").Grade} Grade */
/** @typedef {import("./types.js").View} View */

/**
 * @typedef {object} Actions
 * @property {(turn: number) => void} onTurn
 * @property {(grade: Grade, from: HTMLElement) => void} onLine how it is punished, on the board
 * @property {(grade: Grade) => void} onAgain the same position once more
 */

/**
 * @param {Review} review
 * @param {View} view
 * @param {Actions} actions
 * @returns {{element: HTMLElement, mark: (turn: number) => void}}
 */
export function drawReview(review, view, actions) {
  const names = shownNames(view);
  const mistakes = review.grades.filter((grade) => grade.loss > 0);
  const point = turningPoint(review);
  const chart = drawChart({ skill: review.skill, luck: review.luck, names, mistakes, onTurn: actions.onTurn });
  const element = h(
    "div",
    { class: "review" },
    h("h2", {}, "Review"),
    point && turned(point, names),
    h("div", { class: "picture" }, chart.element),
    figures(review, names),
    h("h3", {}, "Mistakes"),
    mistakes.length === 0
      ? h("p", { class: "note" }, "None: both played perfectly.")
      : h("ol", { class: "mistakes" }, turnsOf(mistakes).map((made) => mistake(made, view, actions))),
  );
  return { element, mark: chart.mark };
}

/**
 * Where the game turned: the last decisive mistake, else the costliest one.
 * @param {Review} review
 * @returns {Grade | null}
 */
export function turningPoint({ grades }) {
  const decisive = grades.findLast((grade) => grade.decisive);
  if (decisive) return decisive;
  const costliest = Math.max(0, ...grades.map((grade) => grade.loss));
  return costliest > 0 ? (grades.find((grade) => grade.loss === costliest) ?? null) : null;
}

/**
 * The same in words.
 * @param {Grade} grade
 * @param {[string, string]} names
 */
const turned = ({ turn, seat, words, decisive }, names) => h("p", {}, decisive ? `The game turned in turn ${turn}: ` : `The costliest mistake was made in turn ${turn}: `, names[seat - 1] === YOU ? "your" : [h("bdi", {}, names[seat - 1]), "'s"], ` ${words}.`);

/**
 * @param {Review} review
 * @param {[string, string]} names
 */
function figures(review, names) {
  return h(
    "table",
    { class: "figures" },
    h("caption", { class: "unseen" }, "Both players' figures"),
    h("thead", {}, h("tr", {}, ["Player", "Accuracy", "Mistakes cost", "Luck"].map((name) => h("th", { scope: "col" }, name)))),
    h(
      "tbody",
      {},
      names.map((name, index) => {
        const { accuracy, loss, luck } = review.players[index + 1];
        return h("tr", {}, h("th", { scope: "row", class: `seat-${index + 1}` }, h("bdi", {}, name)), h("td", {}, accuracy === null ? "–" : `${Math.round(accuracy)}%`), h("td", {}, cost(loss)), h("td", {}, luckWords(luck)));
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
 * @param {View} view
 * @param {Actions} actions
 */
function mistake(made, view, actions) {
  const turn = made[0].turn;
  return h(
    "li",
    { class: made.some((grade) => grade.decisive) ? "decisive" : null },
    h("button", { type: "button", class: "quiet", onclick: () => actions.onTurn(turn) }, `Turn ${turn}`),
    h("div", {}, made.length > 1 && h("p", {}, "Both went wrong."), made.map((grade) => [h("p", { class: `seat-${grade.seat}` }, grade.why, grade.decisive && h("strong", {}, " Decisive.")), whatToDo(grade, view, actions)])),
  );
}

/**
 * See it punished, and do it better.
 * @param {Grade} grade
 * @param {View} view
 * @param {Actions} actions
 */
function whatToDo(grade, view, actions) {
  const what = `turn ${grade.turn}, ${within(shownName(view, grade.seat))}`;
  return h(
    "div",
    { class: "row" },
    grade.line && h("button", { type: "button", "data-key": `line ${grade.turn} ${grade.seat}`, "aria-label": `See it punished: ${what}`, onclick: (event) => actions.onLine(grade, event.currentTarget) }, "See it punished"),
    view.you === grade.seat && h("button", { type: "button", "data-key": `again ${grade.turn}`, "aria-label": `Try again from here: ${what}`, title: "A new game against the computer, from this position", onclick: () => actions.onAgain(grade) }, "Try again from here"),
  );
}
