/** The text of a game's rules, for the rules page and other pages. */

import { catalogue, sentence } from "./api.js";
import { fill, h } from "./dom.js";
import { labelOf, valueInWords } from "./settings.js";

/**
 * Draw the sections of a game's rules, without those about the keyboard.
 * @param {GameInfo} game
 * @returns {HTMLElement[]}
 */
export function drawSections(game) {
  return game.sections
    .filter((section) => !section.for_keyboard)
    .flatMap(({ title, blocks }) => [...(title ? [h("h2", {}, sentenceCase(title))] : []), ...blocks.map((block) => drawBlock(game, block))]);
}

/**
 * @param {GameInfo} game
 * @param {Block} block
 * @returns {HTMLElement}
 */
function drawBlock(game, { kind, items }) {
  const drawn = items.map((item) => item.map((words) => inWords(game, words)));
  if (kind === "paragraph") return h("p", {}, drawn[0]);
  return h(kind === "numbered" ? "ol" : "ul", {}, drawn.map((item) => h("li", {}, item)));
}

/**
 * Return a part of a sentence, with a setting as the form for a new game shows it.
 * @param {GameInfo} game
 * @param {Words} words
 */
function inWords(game, words) {
  if (typeof words === "string") return words;
  const setting = game.settings[words.name];
  return `the setting “${labelOf(words.name, setting)}: ${valueInWords(setting, words.value)}”`;
}

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
      fill(text, game ? drawSections(game) : "This server has no rules for this game.");
    } catch (problem) {
      fill(text, sentence(problem));
    }
  };
  return h("details", { class: "folded-rules", ontoggle: load }, h("summary", {}, `Rules of ${title}`), text);
}
