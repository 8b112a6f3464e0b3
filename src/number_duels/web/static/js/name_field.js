/** The field for a player's name. */

import { h } from "./dom.js";

/** The largest number of characters that the server accepts. */
const MAX_NAME = 20;
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * Shorten a name to the length that the server accepts, without splitting an emoji.
 * @param {string} name
 */
export function cutName(name) {
  let kept = "";
  for (const { segment } of graphemes.segment(name)) {
    if ([...kept, ...segment].length > MAX_NAME) break;
    kept += segment;
  }
  return kept;
}

/**
 * Draw the field. It accepts no more characters than the server.
 * @param {string} id
 * @param {string} value
 * @param {string} [name]
 */
export function nameField(id, value, name = "name") {
  const field = /** @type {HTMLInputElement} */ (h("input", { id, name, autocomplete: "nickname", dir: "auto", value, "data-key": id, oninput: (event) => !event.isComposing && cut(), oncompositionend: () => cut() }));
  const cut = () => {
    const kept = cutName(field.value);
    if (kept !== field.value) field.value = kept;
  };
  return field;
}
