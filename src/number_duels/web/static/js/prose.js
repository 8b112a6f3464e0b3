/** Rules as they are written for a terminal, set as a page: headings, lists, paragraphs. */

import { h } from "./dom.js";

/** Sections that say how to type on a terminal. */
const FOR_TERMINALS = /^(AT THE KEYBOARD|SETTINGS\b)/;

/**
 * The elements of a page of rules.
 * @param {string} text
 * @returns {HTMLElement[]}
 */
export function setProse(text) {
  return sections(text)
    .filter(({ title }) => !FOR_TERMINALS.test(title))
    .flatMap(({ title, lines }) => [...(title ? [h("h2", {}, sentenceCase(title))] : []), ...blocks(lines)]);
}

/**
 * A text cut at its headings, which are in capitals.
 * @param {string} text
 */
function sections(text) {
  const found = [{ title: "", lines: /** @type {string[]} */ ([]) }];
  for (const line of text.split("\n")) {
    if (/^[A-Z][A-Z ]+/.test(line) && line === line.toUpperCase()) found.push({ title: line, lines: [] });
    else found[found.length - 1].lines.push(line);
  }
  return found;
}

/**
 * Paragraphs and lists; a line that is indented further goes on with its item.
 * @param {string[]} lines
 * @returns {HTMLElement[]}
 */
function blocks(lines) {
  /** @type {{kind: string, text: string}[]} */
  const items = [];
  let open = false;
  for (const line of lines) {
    const item = /^\s+(-|\d+\.) (.*)$/.exec(line);
    if (item) items.push({ kind: item[1] === "-" ? "ul" : "ol", text: item[2] });
    else if (line.trim() && open) items[items.length - 1].text += ` ${line.trim()}`;
    else if (line.trim()) items.push({ kind: "p", text: line.trim() });
    open = line.trim() !== "";
  }
  /** @type {HTMLElement[]} */
  const made = [];
  for (const { kind, text } of items) {
    const last = made.at(-1);
    if (kind === "p") made.push(h("p", {}, plainSettings(text)));
    else if (last?.localName === kind) last.append(h("li", {}, plainSettings(text)));
    else made.push(h(kind, {}, h("li", {}, plainSettings(text))));
  }
  return made;
}

/** @param {string} text */
const plainSettings = (text) => text.replace(/--set (\w+)=([\w-]+)/g, "the setting “$1: $2”");

/** @param {string} title */
const sentenceCase = (title) => title.charAt(0) + title.slice(1).toLowerCase();
