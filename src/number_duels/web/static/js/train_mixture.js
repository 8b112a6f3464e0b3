/** A mixture as an answer: a slider for how often to choose each move. */

import { shortened } from "./scene_tables.js";
import { h } from "./dom.js";

const STEP = 5;
const FULL = 100;

/**
 * Return every move that a question leads to, with its label.
 * @param {Question | null} question
 * @returns {{move: string, label: string}[]}
 */
const movesOf = (question) =>
  (question?.answers ?? []).flatMap(({ label, move, next }) => (next ? movesOf(next) : [{ move: String(move), label: shortened(label) }]));

/**
 * Draw sliders for all moves. Each value counts by its share of the total.
 * @param {Question | null} question
 * @param {(answer: string) => void} onAnswer
 */
export function drawSliders(question, onAnswer) {
  const moves = movesOf(question);
  const rows = moves.map(({ move, label }, index) => {
    const input = /** @type {HTMLInputElement} */ (h("input", { type: "range", id: `share-${index}`, min: 0, max: FULL, step: STEP, value: 0, oninput: () => tell() }));
    return { move, label, input, said: h("span", { class: "share", "aria-hidden": "true" }) };
  });
  const total = h("p", { class: "total", role: "status" });
  const answer = h("button", { class: "primary", "data-key": "answer" }, "Answer");
  const sum = () => rows.reduce((all, { input }) => all + input.valueAsNumber, 0);

  function tell() {
    const all = sum();
    for (const { input, said } of rows) {
      const share = all ? Math.round((FULL * input.valueAsNumber) / all) : 0;
      said.textContent = `${share}%`;
      input.setAttribute("aria-valuetext", `${input.value}, which is ${share}% of all`);
    }
    total.textContent = all === 0 ? "Give at least one choice more than 0%." : all === FULL ? "Total: 100." : `Total: ${all}. Each choice counts by its share of it.`;
    answer.setAttribute("aria-disabled", String(all === 0));
  }

  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (sum()) onAnswer(rows.filter(({ input }) => input.valueAsNumber > 0).map(({ move, input }) => `${move}:${input.value}`).join(" "));
  };
  tell();
  return h(
    "form",
    { class: "sliders", onsubmit: submit, "aria-label": "How often you make each choice" },
    rows.map(({ label, input, said }) => h("div", { class: "slider" }, h("label", { for: input.id }, label), input, said)),
    total,
    answer,
  );
}
