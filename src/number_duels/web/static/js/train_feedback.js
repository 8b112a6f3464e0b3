/** What an answer was worth: the verdict, why, and every option, the good ones and the mistakes. */

import { mixture, optionsTable } from "./bars.js";
import { h } from "./dom.js";

/** @typedef {import("./types.js").Feedback} Feedback */
/** @typedef {import("./types.js").Exercise} Exercise */
/** @typedef {import("./types.js").Option} Option */

/** @param {Feedback} feedback */
export const drawVerdict = ({ right, headline }) => h("h2", { class: `verdict ${right ? "right" : "wrong"}` }, h("span", { "aria-hidden": "true" }, right ? "✓" : "✗"), headline);

/**
 * @param {Feedback} feedback
 * @param {Exercise} exercise
 */
export function drawDetails({ options, best, answer, sentences }, { view }) {
  const both = view.to_move.length === 2;
  const table = (/** @type {Option[]} */ some, /** @type {string} */ caption, /** @type {string} */ shape) =>
    some.length > 0 && h("div", { class: shape }, optionsTable(some, caption, { both }));
  return [
    h("p", { class: "note" }, `Your answer: ${options.find(({ move }) => move === answer)?.label ?? answer}`),
    sentences.map((text) => h("p", {}, text)),
    mixture(options, view.you),
    table(options.filter(({ move }) => best.includes(move)), "Good: these cost nothing", "good"),
    table(options.filter(({ move }) => !best.includes(move)), "Mistakes, the least first", "bad"),
  ];
}

/**
 * The same in a few words, for who listens.
 * @param {Feedback} feedback
 */
export const spoken = ({ headline, sentences }) => [headline, ...sentences].join(" ");
