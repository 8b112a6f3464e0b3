/** A position on the analysis board, as the address of the page writes it. */

/** @typedef {{deal: string, settings: Record<string, string>}} Start */

/**
 * What an address says: the moves, and from which start they are played.
 * @param {URLSearchParams} query
 * @returns {{moves: string, start: Start}}
 */
export function readAddress(query) {
  const { moves = "", deal = "", ...settings } = Object.fromEntries(query);
  return { moves: moves.trim().replace(/\s+/g, " "), start: { deal, settings } };
}

/**
 * @param {string} moves
 * @param {Start} start
 * @returns {string} an address
 */
export function writeAddress(moves, { deal, settings }) {
  const query = new URLSearchParams({ ...(moves && { moves }), ...(deal && { deal }), ...settings });
  return `${location.pathname}${query.size > 0 ? `?${query}` : ""}`;
}

/**
 * The same as a question to the server.
 * @param {string} game
 * @param {string} moves
 * @param {Start} start
 */
export function writeRequest(game, moves, { deal, settings }) {
  const query = new URLSearchParams({ game, moves });
  if (deal) query.set("deal", deal);
  for (const [name, value] of Object.entries(settings)) {
    if (name === "first") query.set(name, value);
    else query.append("set", `${name}=${value}`);
  }
  return `/api/analysis?${query}`;
}

/**
 * Every position on the way to one: the start, and after each turn.
 * @param {string} moves
 * @returns {string[]}
 */
export function waypoints(moves) {
  const turns = moves.split(" ").filter(Boolean);
  return ["", ...turns.map((_, last) => turns.slice(0, last + 1).join(" "))];
}

/**
 * A position without its last turn.
 * @param {string} moves
 */
export const before = (moves) => moves.split(" ").slice(0, -1).join(" ");

/**
 * A position's last turn.
 * @param {string} moves
 */
export const lastTurn = (moves) => moves.split(" ").at(-1) ?? "";
