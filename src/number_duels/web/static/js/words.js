/** The words of a table: players' names, action labels, and the lines of a turn. */

import { h, whole } from "./dom.js";

/** @type {Seat[]} */
export const SEATS = [1, 2];

/**
 * Return both players' names as the page shows them.
 * @param {Shown} view
 */
export const shownNames = (view) => view.scene.sides.map(({ name }) => name);

/**
 * Isolate a right-to-left name, so that it does not change the order of the text around it.
 * @param {string} name
 */
const isolated = (name) => (/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(name) ? `\u2068${name}\u2069` : name);

/**
 * Return a text with the players' right-to-left names isolated.
 * @param {Shown} view
 * @param {string} text
 */
export const withNames = (view, text) => shownNames(view).reduce((line, name) => (isolated(name) === name ? line : line.replaceAll(name, isolated(name))), text);

/**
 * Return true if this player must act.
 * @param {Shown} view
 */
export const yours = (view) => view.scene.stage === "asked";

/**
 * Return the button labels of the possible actions, by key.
 * @param {Scene} scene
 * @returns {Record<string, string | undefined>}
 */
export const labels = ({ actions }) => Object.fromEntries(actions.map(({ key, label }) => [key, label]));

/**
 * Return the lines to read beside a board: the sentences, and the headings above them.
 * @param {{lines: string[], kinds: Kind[]}} told
 * @returns {{text: string, kind: Kind}[]}
 */
export function readable({ lines, kinds }) {
  const left = lines.map((text, index) => ({ text, kind: kinds[index] })).filter(({ text, kind }) => text.trim() && (kind === "said" || kind === "heading"));
  return left.filter(({ kind }, index) => kind === "said" || left[index + 1]?.kind === "said");
}

/**
 * Draw the lines to read beside a board.
 * @param {ReturnType<typeof readable>} lines
 */
export const drawLines = (lines) => lines.map(({ text, kind }) => h("p", { class: kind === "heading" ? "fact" : null }, whole(text)));
