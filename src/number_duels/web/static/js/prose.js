/** The sections of a game's rules: headings, lists, paragraphs. */

import { h } from "./dom.js";

/** @typedef {import("./types.js").Section} Section */
/** @typedef {import("./types.js").Block} Block */
/** @typedef {import("./types.js").Words} Words */

/**
 * The elements of a page of rules, without what only a keyboard needs.
 * @param {Section[]} sections
 * @returns {HTMLElement[]}
 */
export function drawSections(sections) {
  return sections
    .filter((section) => !section.for_keyboard)
    .flatMap(({ title, blocks }) => [...(title ? [h("h2", {}, sentenceCase(title))] : []), ...blocks.map(drawBlock)]);
}

/**
 * @param {Block} block
 * @returns {HTMLElement}
 */
function drawBlock({ kind, items }) {
  if (kind === "paragraph") return h("p", {}, items[0].map(inWords));
  return h(kind === "numbered" ? "ol" : "ul", {}, items.map((item) => h("li", {}, item.map(inWords))));
}

/** @param {Words} words */
const inWords = (words) => (typeof words === "string" ? words : `the setting “${words.name}: ${words.value}”`);

/** @param {string} title */
const sentenceCase = (title) => title.charAt(0) + title.slice(1).toLowerCase();
