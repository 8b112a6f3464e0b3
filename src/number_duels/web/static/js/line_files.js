/** Files with one entry per line, which the user adds to a book or a record. */

import { h } from "./dom.js";

/** A request has at most this many bytes of a file. */
const MAX_BYTES = 48_000;

/**
 * Return a button that opens a file.
 * @param {string} label
 * @param {(text: string) => Promise<void>} read
 * @param {(problem: unknown) => void} onProblem
 */
export function fileButton(label, read, onProblem) {
  const open = async (/** @type {Event} */ event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    const file = input.files?.[0];
    if (!file) return;
    try {
      await read(await file.text());
    } catch (problem) {
      onProblem(problem);
    }
    input.value = "";
  };
  return h("label", { class: "button file" }, label, h("input", { type: "file", accept: ".json,.jsonl,application/x-ndjson", class: "unseen", onchange: open }));
}

/**
 * Send the lines of a file, as many at once as a request may have.
 * @param {string} text
 * @param {number} most lines per request
 * @param {(lines: string[]) => Promise<void>} send
 */
export async function sendLines(text, most, send) {
  /** @type {string[]} */
  let lines = [];
  let size = 0;
  for (const line of text.split("\n").filter((each) => each.trim())) {
    const bytes = new TextEncoder().encode(JSON.stringify(line)).length;
    if (lines.length === most || (lines.length > 0 && size + bytes > MAX_BYTES)) {
      await send(lines);
      [lines, size] = [[], 0];
    }
    lines.push(line);
    size += bytes;
  }
  if (lines.length > 0) await send(lines);
}
