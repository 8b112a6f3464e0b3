/** Winning chances, costs and shares in percent, as the terminal writes them (`review/words.py`). */

const TOLERANCE = 1e-7;
/** Less luck than this reads as none. */
const MIN_LUCK = 0.0005;

/**
 * A share from 0 to 1; an uncertain one never reads 0% or 100%.
 * @param {number} share
 */
export function percent(share) {
  if (share > TOLERANCE && share < 0.005) return "<1%";
  return share > 0.995 && share < 1 - TOLERANCE ? ">99%" : `${Math.round(share * 100)}%`;
}

/**
 * A value from -1 to 1 as the winning chance that people read; a draw counts half.
 * @param {number} value
 */
export const chance = (value) => percent((1 + value) / 2);

/**
 * A difference of values as percent of the winning chance; small ones have two digits.
 * @param {number} loss
 */
export function cost(loss) {
  const lost = 50 * loss;
  if (lost > TOLERANCE && lost < 0.01) return "<0.01%";
  return lost > TOLERANCE && lost < 9.95 ? `${Number(lost.toPrecision(2))}%` : percent(loss / 2);
}

/**
 * What luck did to a player's winning chance.
 * @param {number} value
 */
export function luckWords(value) {
  if (Math.abs(value) < MIN_LUCK) return "none";
  return `${value > 0 ? "brought" : "cost"} ${cost(Math.abs(value))}`;
}
