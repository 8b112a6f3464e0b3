/** A position on the analysis board, as written in the page's address. */

/** The position before the first move. */
export const START = "start";

/** @typedef {[string, string]} Names */
/** @typedef {{deal: string, settings: Record<string, string>, names: Names | null}} Start */
/** @typedef {{moves: string, line: string, start: Start}} Place a position and its line */

/**
 * Read a position from an address.
 * @param {URLSearchParams} query
 * @returns {Place}
 */
export function readAddress(query) {
  const names = query.getAll("player");
  const { moves = "", line = "", deal = "", player: _, ...settings } = Object.fromEntries(query);
  return {
    moves,
    line,
    start: { deal, settings, names: names.length === 2 ? [names[0], names[1]] : null },
  };
}

/**
 * @param {string} game
 * @param {Place} place
 * @returns {string} an address
 */
export function analysisAddress(game, { moves, line, start }) {
  const query = new URLSearchParams({
    ...(moves && { moves }),
    ...(line && line !== moves && { line }),
    ...(start.deal && { deal: start.deal }),
    ...start.settings,
  });
  for (const name of start.names ?? []) query.append("player", name);
  return `/analysis/${game}${query.size > 0 ? `?${query}` : ""}`;
}

/**
 * Return the request to the server for a position.
 * @param {string} game
 * @param {Place} place
 */
export function analysisRequest(game, { moves, line, start: { deal, settings, names } }) {
  const query = rules(game, settings);
  query.set("moves", moves);
  if (line) query.set("line", line);
  if (deal) query.set("deal", deal);
  for (const name of names ?? []) query.append("player", name);
  return `/api/analysis?${query}`;
}

/**
 * Return the request for the server's progress in solving a game.
 * @param {string} game
 * @param {Record<string, string | number>} settings
 */
export const solvingRequest = (game, settings) => `/api/solving?${rules(game, settings)}`;

/**
 * @param {string} game
 * @param {Record<string, string | number>} settings
 */
function rules(game, settings) {
  const query = new URLSearchParams({ game });
  for (const [name, value] of Object.entries(settings)) {
    if (name === "first") query.set(name, String(value));
    else query.append("set", `${name}=${value}`);
  }
  return query;
}
