/** Options with their exact values, as a table with bars. */

import { h } from "./dom.js";

/** @typedef {import("./types.js").Option} Option */

const TOLERANCE = 1e-7;

/**
 * A value with its sign, as `+0.220`; nothing has none.
 * @param {number} value
 */
export function signed(value) {
  const figure = Math.abs(value).toFixed(3);
  if (Number(figure) === 0) return figure;
  return `${value < 0 ? "−" : "+"}${figure}`;
}

/**
 * A value between -1 and 1 as the share of the points that it wins.
 * @param {number} value
 */
export const share = (value) => Math.min(1, Math.max(0, (1 + value) / 2));

/**
 * How often a move is played, in percent.
 * @param {number} probability
 */
function often(probability) {
  if (probability <= TOLERANCE) return "–";
  return probability < 0.005 ? "<1%" : `${Math.round(probability * 100)}%`;
}

/**
 * Options, best first; with a listener each name is a button. Where both choose at once there is
 * a column for what is left against somebody who expects the move.
 * @param {Option[]} options
 * @param {string} caption
 * @param {{choose?: (option: Option) => void, picked?: string, both?: boolean}} [use]
 */
export function optionsTable(options, caption, { choose, picked, both = false } = {}) {
  const mixes = options.some((option) => option.probability > TOLERANCE && option.probability < 1 - TOLERANCE);
  const top = Math.max(...options.map((option) => option.value));
  return h(
    "table",
    { class: "options" },
    h("caption", {}, caption),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Move"), h("th", { scope: "col", colspan: both ? 1 : 2 }, "Value"), mixes && h("th", { scope: "col", class: "odds" }, "How often"), both && h("th", { scope: "col", class: "odds" }, "If expected"))),
    h("tbody", {}, options.map((option) => row(option, option.value >= top - TOLERANCE, mixes, both, choose, picked))),
  );
}

/**
 * @param {Option} option
 * @param {boolean} best
 * @param {boolean} mixes
 * @param {boolean} both
 * @param {((option: Option) => void) | undefined} choose
 * @param {string | undefined} picked
 */
function row(option, best, mixes, both, choose, picked) {
  const name = option.label ?? option.move;
  const chosen = picked === option.move;
  const button = choose && h("button", { type: "button", class: "move", "data-key": `move ${option.move}`, "aria-pressed": picked === undefined ? null : String(chosen), onclick: () => choose(option) }, name);
  const bar = h("div", { class: "bar", "aria-hidden": "true" }, h("i"));
  bar.style.setProperty("--share", String(share(option.value)));
  return h(
    "tr",
    { class: best ? "best" : null },
    h("th", { scope: "row" }, button ?? name),
    !both && h("td", { class: "wide" }, bar),
    h("td", { class: "value" }, signed(option.value), best && h("span", { class: "unseen" }, " best")),
    mixes && h("td", { class: "odds" }, often(option.probability)),
    both && h("td", { class: "odds" }, `${Math.round(100 * share(option.guarantee))}%`),
  );
}
