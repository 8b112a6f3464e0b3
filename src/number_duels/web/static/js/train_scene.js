/** What a scene of the trainer says: what an answer was worth, why, and the figures behind it. */

import { h, speak } from "./dom.js";
import { drawTable } from "./tables.js";

/** @typedef {import("./types.js").Scene} Scene */

/**
 * What is said without being asked; the line to share has a place of its own.
 * @param {Scene} scene
 */
export const drawRemark = ({ lines, share }) => lines.filter((line) => line !== share).map((line) => h("p", { class: "lead" }, line));

/** @param {Scene} scene */
export function drawScene({ verdict, tables, notes, share }) {
  return [
    verdict && h("h2", { class: `verdict ${verdict.right ? "right" : "wrong"}` }, h("span", { "aria-hidden": "true" }, verdict.right ? "✓" : "✗"), verdict.headline),
    verdict && h("p", { class: "note" }, `Your answer: ${verdict.answer}`),
    verdict?.sentences.map((text) => h("p", {}, text)),
    share && drawShare(share),
    tables.map((table) => drawTable(table)),
    notes.map((text) => h("p", { class: "note" }, text)),
  ];
}

/**
 * The words of a scene for a screen reader.
 * @param {Scene} scene
 */
export const spoken = ({ lines, prompt, verdict }) => (verdict ? [verdict.headline, ...verdict.sentences] : [...lines, prompt]).filter(Boolean).join(" ");

/** @param {string} line */
function drawShare(line) {
  const copy = async () => {
    // Only where the browser lets a page have the clipboard; the line can be selected everywhere.
    await navigator.clipboard?.writeText(line).then(() => speak("Copied."), () => {});
  };
  return h("p", { class: "squares" }, h("span", {}, line), h("button", { type: "button", class: "quiet", "data-key": "copy", onclick: copy }, "Copy"));
}
