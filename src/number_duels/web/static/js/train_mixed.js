/** A mixed strategy as an answer: a slider for how often to choose each move. Together they make 100%. */

import { shortened } from "./scene_tables.js";
import { fill, h } from "./dom.js";

const FULL = 100;
/** The step of a slider, in percent. Buttons and keys move it by 1. */
const JUMP = 5;

/**
 * Return every move that a question leads to, with its label.
 * @param {Question | null} question
 * @returns {{move: string, label: string}[]}
 */
const movesOf = (question) =>
  (question?.answers ?? []).flatMap(({ label, move, next }) => (next ? movesOf(next) : [{ move: String(move), label: shortened(label) }]));

/**
 * Draw a slider per move, a bar of the shares set so far, and the share that is left.
 * @param {Question | null} question
 * @param {Seat} seat
 * @param {(answer: string) => void} onAnswer
 */
export function drawSliders(question, seat, onAnswer) {
  const rows = movesOf(question).map(({ move, label }, index) => {
    const input = /** @type {HTMLInputElement} */ (h("input", { type: "range", id: `share-${index}`, min: 0, max: FULL, value: 0, oninput: () => set(row, input.valueAsNumber) }));
    const row = { move, label, input, value: 0, said: h("span", { class: "share", "aria-hidden": "true" }) };
    return row;
  });
  const bar = h("div", { class: "areas", "aria-hidden": "true" });
  const total = h("p", { class: "total", role: "status" });
  const answer = h("button", { class: "primary", "data-key": "answer" }, "Answer");
  const [split, empty] = [h("button", { type: "button", "data-key": "divide", onclick: divide }), h("button", { type: "button", "data-key": "clear", onclick: clear }, "Clear")];
  /** The word with which all labels begin. The bar has no room for it. */
  const [word = ""] = /^\p{L}+ /u.exec(rows[0]?.label ?? "") ?? [];
  const start = rows.every(({ label }) => label.startsWith(word)) ? word.length : 0;
  const left = () => rows.reduce((rest, { value }) => rest - value, FULL);

  /**
   * Set a share, but no more than is left.
   * @param {typeof rows[number]} row
   * @param {number} wanted
   */
  function set(row, wanted) {
    const near = Math.abs(wanted - row.value) > 1 ? JUMP * Math.round(wanted / JUMP) : wanted;
    row.value = Math.max(0, Math.min(near, row.value + left()));
    tell();
  }

  function tell() {
    for (const { input, said, value } of rows) {
      input.value = said.textContent = String(value);
      said.append("%");
      input.style.setProperty("--share", String(value));
      input.setAttribute("aria-valuetext", `${value}%`);
    }
    const rest = left();
    fill(bar, rows.filter(({ value }) => value > 0).map(({ label, value }) => h("span", { class: "area", "--share": value }, h("b", {}, label.slice(start)))), rest > 0 && h("span", { class: "area rest", "--share": rest }));
    split.textContent = rest === FULL ? "Even split" : "Divide the rest";
    split.setAttribute("aria-disabled", String(rest === 0));
    empty.setAttribute("aria-disabled", String(rest === FULL));
    total.textContent = rest === 0 ? "100% set." : `${FULL - rest}% set, ${rest}% left.`;
    answer.setAttribute("aria-disabled", String(rest > 0));
  }

  /** Divide the rest equally among the moves without a share, or among all if each has one. */
  function divide() {
    const others = rows.filter(({ value }) => value === 0);
    const among = others.length > 0 ? others : rows;
    const rest = left();
    among.forEach((row, index) => { row.value += Math.floor(rest / among.length) + (index < rest % among.length ? 1 : 0); });
    tell();
  }

  function clear() {
    for (const row of rows) row.value = 0;
    tell();
  }

  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (left() === 0) onAnswer(rows.filter(({ value }) => value > 0).map(({ move, value }) => `${move}:${value}`).join(" "));
  };
  const button = (/** @type {typeof rows[number]} */ row, /** @type {string} */ name, /** @type {string} */ sign, /** @type {number} */ by) =>
    h("button", { type: "button", "aria-label": `${name}: ${row.label}`, onclick: () => set(row, row.value + by) }, sign);
  tell();
  return h(
    "form",
    { class: `sliders seat-${seat}`, onsubmit: submit, "aria-label": "How often you make each choice" },
    h("header", {}, h("p", {}, "Set how often you make each choice, until it adds up to 100%."), split, empty),
    rows.map((row) => h("div", { class: "slider" }, h("label", { for: row.input.id }, row.label), button(row, "Less", "−", -1), row.input, button(row, "More", "+", 1), row.said)),
    h("footer", {}, bar, total, answer),
  );
}
