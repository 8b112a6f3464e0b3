/** Starts games, and remembers the last game and level. */

import { post, Refused } from "./api.js";
import { keepProfile } from "./profile.js";
import { openTable } from "./setting_up.js";
import { isSolved } from "./settings.js";
import { recall, remember, takesCookies } from "./storage.js";

const GAME_KEY = "duels-game";
const LEVEL_KEY = "duels-level";
const USUAL_LEVEL = "level:2";
export const NO_COOKIES = "This browser refuses cookies from this page. A cookie tells the server which player you are. To play, allow cookies for this address. You can watch without them.";

/**
 * Start a game and open its table.
 * @param {{game: string, name: string, opponent: string, opponent_name?: string, settings?: object, seat?: number, first?: number | string}} wish
 */
export const startGame = (wish) => openTable(async () => {
  if (!takesCookies()) throw new Refused(0, NO_COOKIES);
  keepGame(wish.game);
  await keepProfile(wish.name);
  return (await post("/api/games", wish)).id;
});

/**
 * Return the game played last, or the first one.
 * @param {GameInfo[]} games
 */
export const keptGame = (games) => games.find(({ name }) => name === recall(GAME_KEY)) ?? games[0];

/** @param {string} name */
export const keepGame = (name) => remember(GAME_KEY, name);

/**
 * Return the computer level chosen last, or the usual one.
 * @param {Opponent[]} computers
 * @returns {Opponent}
 */
export const keptLevel = (computers) =>
  computers.find(({ who }) => who === recall(LEVEL_KEY)) ?? computers.find(({ who }) => who === USUAL_LEVEL) ?? computers[0];

/** @param {string} who */
export const keepLevel = (who) => remember(LEVEL_KEY, who);

/**
 * Return the chosen opponent, or one that needs no solution if the server can't solve the game.
 * @param {GameInfo} game
 * @param {Opponent[]} computers
 * @param {Opponent} chosen
 */
export const opponentAt = (game, computers, chosen) =>
  chosen.solves && !isSolved(game, {}) ? computers.find(({ solves }) => !solves) ?? chosen : chosen;
