/** What to choose by chance, as areas; and the winning chance of every option, equally good ones in one row. */

import { h } from "./dom.js";
import { chance, percent } from "./percent.js";

/** @typedef {import("./types.js").Option} Option */

const TOLERANCE = 1e-7;
/** Of more moves than this in one row, those after the first few are folded away. */
const MAX_SHOWN = 12;
const FEW = 8;
/** A longer list of moves is folded away. */
const MAX_LISTED_LENGTH = 40;
/** Narrower areas have no room for the percentage, and then none for the move. */
const MIN_COUNTED_SHARE = 0.12;
const MIN_NAMED_SHARE = 0.05;

/**
 * How much of a bar a value between -1 and 1 fills.
 * @param {number} value
 */
export const share = (value) => Math.min(1, Math.max(0, (1 + value) / 2));

/**
 * A label without what only names the kind of move: "8 + 3 = 11" of "Add: 8 + 3 = 11".
 * @param {string} label
 */
export const shortened = (label) => label.split(": ").at(-1) ?? label;

/** @param {Option} option */
const wordsOf = ({ label, move }) => shortened(label ?? move);

/**
 * The word that all begin with, if there is one: "Bid 7", "Bid 9" share "Bid ".
 * @param {string[]} words
 */
function sharedWord(words) {
  const first = words[0]?.match(/^\p{L}+ /u)?.[0] ?? "";
  return words.every((each) => each.startsWith(first)) ? first : "";
}

/**
 * Several as one phrase: "1, 2 and 10".
 * @param {string[]} words
 */
const listed = (words) => (words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words[0]);

/** @param {Option[]} options */
const inOrder = (options) => [...options].sort((a, b) => wordsOf(a).localeCompare(wordsOf(b), undefined, { numeric: true }));

/**
 * Options that read the same, together; best first, apart from those that only read as good.
 * @param {Option[]} options
 * @param {boolean} both
 * @returns {Option[][]}
 */
export function folded(options, both) {
  /** @type {Map<string, Option[]>} */
  const groups = new Map();
  const top = Math.max(...options.map(({ value }) => value));
  for (const option of options) {
    const key = `${option.value > top - TOLERANCE} ${chance(option.value)} ${both ? chance(option.guarantee) : ""}`;
    groups.set(key, [...(groups.get(key) ?? []), option]);
  }
  return [...groups.values()].map(inOrder);
}

/**
 * How often perfect play chooses what, where it leaves that to chance: each as large as it is likely.
 * @param {Option[]} options
 * @param {number | string | null} [seat] whose colour it has
 */
export function mixture(options, seat = null) {
  const played = inOrder(options.filter((option) => option.probability > TOLERANCE));
  if (played.length < 2) return null;
  const words = played.map(wordsOf);
  const first = sharedWord(words);
  const areas = played.map((option, index) => {
    const often = percent(option.probability);
    const named = option.probability >= MIN_NAMED_SHARE && h("b", {}, words[index].slice(first.length));
    const counted = option.probability >= MIN_COUNTED_SHARE && h("small", {}, often);
    const area = h("span", { class: "area", title: `${words[index]}: ${often}` }, named, counted);
    area.style.setProperty("--share", String(option.probability));
    return area;
  });
  const said = played.map((option, index) => `${words[index]} ${percent(option.probability)}`).join(", ");
  return h("figure", { class: `mixture seat-${seat}` }, h("figcaption", {}, "How often perfect play chooses what"), h("div", { class: "areas", role: "img", "aria-label": said }, areas));
}

/**
 * Options, best first; with a listener each is a button. Where both choose at once there is
 * a column for what is left against somebody who expects the move.
 * @param {Option[]} options
 * @param {string} caption
 * @param {{choose?: (option: Option) => void, picked?: string, both?: boolean}} [use]
 */
export function optionsTable(options, caption, { choose, picked, both = false } = {}) {
  const first = sharedWord(options.map(wordsOf));
  const groups = folded(options, both);
  const button = choose && ((/** @type {Option} */ option) => moveButton(option, wordsOf(option).slice(first.length), choose, picked));
  return h(
    "table",
    { class: "options" },
    h("caption", {}, caption),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, first.trim() || "Move"), h("th", { scope: "col" }, "Chance"), both && h("th", { scope: "col", class: "odds" }, "If expected"))),
    h("tbody", {}, groups.map((group, index) => row(group, button ? buttons(group, button) : inWords(group.map((option) => wordsOf(option).slice(first.length)), groups.length === 1), index === 0 && groups.length > 1, both))),
  );
}

/**
 * @param {Option[]} group
 * @param {import("./dom.js").Child} name
 * @param {boolean} best
 * @param {boolean} both
 */
function row(group, name, best, both) {
  const bar = h("div", { class: "bar", "aria-hidden": "true" }, h("i"));
  bar.style.setProperty("--share", String(share(group[0].value)));
  return h(
    "tr",
    { class: best ? "best" : null },
    h("th", { scope: "row" }, name),
    h("td", { class: "value" }, h("span", {}, chance(group[0].value)), bar, best && h("span", { class: "unseen" }, " best")),
    both && h("td", { class: "odds" }, chance(group[0].guarantee)),
  );
}

/**
 * A few moves as buttons; the others behind one more.
 * @param {Option[]} group
 * @param {(option: Option) => HTMLElement} button
 */
function buttons(group, button) {
  const shown = group.length > MAX_SHOWN ? FEW : group.length;
  const more = group.slice(shown);
  return [
    h("div", { class: "equal" }, group.slice(0, shown).map(button)),
    more.length > 0 && h("details", {}, h("summary", {}, `${more.length} more, as good`), h("div", { class: "equal" }, more.map(button))),
  ];
}

/**
 * @param {string[]} words
 * @param {boolean} all
 */
function inWords(words, all) {
  const said = listed(words);
  if (words.length === 1) return said;
  const equal = h("span", { class: "note" }, ": as good");
  if (said.length <= MAX_LISTED_LENGTH) return [said, equal];
  return h("details", {}, h("summary", {}, all ? "Every move" : `${words.slice(0, 2).join(", ")} and ${words.length - 2} more`, equal), said);
}

/**
 * @param {Option} option
 * @param {string} face
 * @param {(option: Option) => void} choose
 * @param {string | undefined} picked
 */
const moveButton = (option, face, choose, picked) =>
  h("button", { type: "button", class: "move", "data-key": `move ${option.move}`, "aria-label": option.label, "aria-pressed": picked === undefined ? null : String(picked === option.move), onclick: () => choose(option) }, face);
