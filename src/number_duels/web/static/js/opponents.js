/** The computers that can be played against, and the one that was chosen last. */

import { recall, remember } from "./storage.js";
import { isSolved } from "./settings.js";

/** @typedef {import("./types.js").GameInfo} GameInfo */
/** @typedef {import("./types.js").Opponent} Opponent */

const STORAGE_KEY = "duels-level";
const USUAL = "level:2";

/**
 * @param {Opponent[]} computers
 * @returns {Opponent}
 */
export const keptLevel = (computers) =>
  computers.find(({ who }) => who === recall(STORAGE_KEY)) ?? computers.find(({ who }) => who === USUAL) ?? computers[0];

/** @param {string} who */
export const keepLevel = (who) => remember(STORAGE_KEY, who);

/**
 * Who plays a game with its usual settings: the one that was chosen, or else one that needs no solution.
 * @param {GameInfo} game
 * @param {Opponent[]} computers
 * @param {Opponent} chosen
 */
export const opponentAt = (game, computers, chosen) =>
  chosen.solves && !isSolved(game, {}) ? computers.find(({ solves }) => !solves) ?? chosen : chosen;

/**
 * A computer's word as people say it: "Level 2".
 * @param {string} who
 */
export const called = (who) => who.charAt(0).toUpperCase() + who.slice(1).replace(":", " ");
