/** The words of a table: players' names, action labels, log lines and announcements. */

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

/** Announcements: one per turn, and those that a player needs between turns. */
export class Unsaid {
  /** @param {(text: string) => void} speak */
  constructor(speak) {
    this.speak = speak;
    this.told = "";
    this.standing = "";
  }

  /**
   * @param {string} told the new lines of the log
   * @param {View} view
   * @param {string[]} now the state of the game and the question
   */
  add(told, view, now) {
    const standing = now.filter(Boolean).map((text) => (/[.!?]$/.test(text) ? text : `${text}.`)).join(" ");
    const first = this.standing === "";
    const changed = standing !== this.standing;
    this.standing = standing;
    this.told = first ? "" : `${this.told} ${told}`.trim();
    const over = Object.keys(view.last?.moves ?? {}).length > 0;
    // A computer answers in a moment. A turn that has only begun is announced when it is done.
    const soon = view.scene.stage === "working" && (this.told === "" || !over);
    if (!first && (soon || (!changed && this.told === ""))) return;
    this.speak(`${this.told} ${standing}`.trim());
    this.told = "";
  }
}
