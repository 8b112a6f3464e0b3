/** What is said at a table: names that are written from right to left, and what is heard of it. */

/** @type {Seat[]} */
export const SEATS = [1, 2];

/**
 * What both players are called on the page.
 * @param {Shown} view
 */
export const shownNames = (view) => view.scene.sides.map(({ name }) => name);

/**
 * A name written from right to left, shut off so that it leaves the line around it alone.
 * @param {string} name
 */
const isolated = (name) => (/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(name) ? `\u2068${name}\u2069` : name);

/**
 * Words with the players' names in them, each shut off where it needs to be.
 * @param {Shown} view
 * @param {string} text
 */
export const withNames = (view, text) => shownNames(view).reduce((line, name) => (isolated(name) === name ? line : line.replaceAll(name, isolated(name))), text);

/**
 * Whether it is the holder who must act.
 * @param {Shown} view
 */
export const yours = (view) => view.scene.stage === "asked";

/**
 * What can be done, by its key, as a button says it.
 * @param {Scene} scene
 * @returns {Record<string, string | undefined>}
 */
export const labels = ({ actions }) => Object.fromEntries(actions.map(({ key, label }) => [key, label]));

/**
 * Lines worth reading beside a board: what was said, and the headings over it.
 * @param {{lines: string[], kinds: Kind[]}} told
 * @returns {{text: string, kind: Kind}[]}
 */
export function readable({ lines, kinds }) {
  const left = lines.map((text, index) => ({ text, kind: kinds[index] })).filter(({ text, kind }) => text.trim() && (kind === "said" || kind === "heading"));
  return left.filter(({ kind }, index) => kind === "said" || left[index + 1]?.kind === "said");
}

/** What is to be said aloud: once a turn, and what a player has to know between turns. */
export class Unsaid {
  /** @param {(text: string) => void} speak */
  constructor(speak) {
    this.speak = speak;
    this.told = "";
    this.standing = "";
  }

  /**
   * @param {string} told what is new in the log
   * @param {View} view
   * @param {string[]} now how the game stands, and what is asked
   */
  add(told, view, now) {
    const standing = now.filter(Boolean).map((text) => (/[.!?]$/.test(text) ? text : `${text}.`)).join(" ");
    const first = this.standing === "";
    const changed = standing !== this.standing;
    this.standing = standing;
    this.told = first ? "" : `${this.told} ${told}`.trim();
    const over = Object.keys(view.last?.moves ?? {}).length > 0;
    // A computer answers in a moment, and a turn that has only begun is told when it is done.
    const soon = view.scene.stage === "working" && (this.told === "" || !over);
    if (!first && (soon || (!changed && this.told === ""))) return;
    this.speak(`${this.told} ${standing}`.trim());
    this.told = "";
  }
}
