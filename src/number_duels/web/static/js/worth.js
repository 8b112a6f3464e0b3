/** How good a position is: a verdict, what to choose by chance, and every option. */

import { mixture, optionsTable, share } from "./bars.js";
import { h } from "./dom.js";
import { chance } from "./percent.js";
import { YOU, whose } from "./words.js";

/** @typedef {import("./types.js").Analysis} Analysis */
/** @typedef {import("./types.js").Option} Option */

/**
 * @typedef {object} Use
 * @property {import("./position.js").Names} names
 * @property {Record<string, string>} picked what each seat would choose, where both choose at once
 * @property {(seat: string, option: Option) => void} onMove
 * @property {(card: string) => void} onDraw
 */

/**
 * @param {Analysis} shown
 * @param {Use} use
 */
export function drawWorth(shown, use) {
  const balance = h("div", { class: "balance", "aria-hidden": "true" }, h("i"));
  balance.style.setProperty("--share", String(share(shown.value)));
  const both = Object.keys(shown.options).length > 1;
  return [
    h("h2", {}, shown.result ? `Over: ${shown.result}` : "This position"),
    h("p", {}, `${shown.verdict} `, h("span", { class: "note" }, `(${whose(use.names[0])} winning chance: ${chance(shown.value)})`)),
    balance,
    shown.advice.map((line) => h("p", {}, line)),
    shown.draws.length > 0 && h("div", {}, h("h3", {}, "Draw a card"), h("div", { class: "answers" }, shown.draws.map((card) => h("button", { type: "button", class: "answer", "data-key": `draw ${card}`, "aria-label": `Draw ${card}`, onclick: () => use.onDraw(card) }, h("span", { class: "big" }, card))))),
    both && h("p", { class: "note" }, "Both choose at once: pick a move for each."),
    h("div", { class: "seats" }, Object.entries(shown.options).map(([seat, options]) => choicesOf(seat, options, both, use))),
  ];
}

/**
 * A seat's options, each a button; where both choose, what is picked stays pressed.
 * @param {string} seat
 * @param {Option[]} options
 * @param {boolean} both
 * @param {Use} use
 */
function choicesOf(seat, options, both, { names, picked, onMove }) {
  const name = names[Number(seat) - 1];
  const choose = (/** @type {Option} */ option) => onMove(seat, option);
  const own = name === YOU ? "Your" : whose(name);
  return h("section", { class: `choices-of seat-${seat}`, "aria-label": name }, both && h("h3", {}, h("bdi", {}, name)), mixture(options, seat), optionsTable(options, `${own} winning chance: a win is 100%, a draw 50%, a loss 0%`, { choose, picked: both ? (picked[seat] ?? "") : undefined, both }));
}
