/** The text of a game's rules, for the rules page and other pages. */

import { catalogue, sentence } from "./api.js";
import { fill, h } from "./dom.js";

/**
 * Draw the sections of the rules, without those about the keyboard.
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

/**
 * Draw rules that unfold in place. They are requested when they are unfolded.
 * @param {string} name
 * @param {string} title
 */
export function drawFoldedRules(name, title) {
  const text = h("div", { class: "rule-text" });
  const load = async () => {
    if (text.childElementCount) return;
    try {
      const game = (await catalogue()).games.find((each) => each.name === name);
      fill(text, game ? drawSections(game.sections) : "This server has no rules for this game.");
    } catch (problem) {
      fill(text, sentence(problem));
    }
  };
  return h("details", { class: "folded-rules", ontoggle: load }, h("summary", {}, `Rules of ${title}`), text);
}
