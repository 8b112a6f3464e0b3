/** Winning chances, costs and shares in percent, as the terminal writes them (`review/words.py`). */

const TOLERANCE = 1e-9;
/** Halves are rounded to even, as Python does: 12.5% and 87.5% are 12% and 88%. */
const ROUNDED = /** @type {const} */ ({ style: "percent", roundingMode: "halfEven", useGrouping: false });
const WHOLE = new Intl.NumberFormat("en", { ...ROUNDED, maximumFractionDigits: 0 });
const ONE_DIGIT = new Intl.NumberFormat("en", { ...ROUNDED, maximumSignificantDigits: 1 });
const TWO_DIGITS = new Intl.NumberFormat("en", { ...ROUNDED, maximumSignificantDigits: 2 });
/** Less luck than this reads as none. */
const MIN_LUCK = 0.0005;

/**
 * A share from 0 to 1; an uncertain one never reads 0% or 100%.
 * @param {number} share
 */
export function percent(share) {
  if (share > TOLERANCE && share < 0.005) return "<1%";
  return share > 0.995 && share < 1 - TOLERANCE ? ">99%" : WHOLE.format(share);
}

/**
 * A value from -1 to 1 as the winning chance that people read; a draw counts half.
 * @param {number} value
 */
export const chance = (value) => percent((1 + value) / 2);

/**
 * A difference of values as percent of the winning chance; small ones can be seen.
 * @param {number} loss
 */
export function cost(loss) {
  const share = loss / 2;
  if (share > TOLERANCE / 100 && share < 0.0001) return "<0.01%";
  const figure = share >= 0.001 ? TWO_DIGITS : ONE_DIGIT;
  return share > TOLERANCE / 100 && share < 0.0995 ? figure.format(share) : percent(share);
}

/**
 * What luck did to a player's winning chance.
 * @param {number} value
 */
export function luckWords(value) {
  if (Math.abs(value) < MIN_LUCK) return "none";
  return `${value > 0 ? "brought" : "cost"} ${cost(Math.abs(value))}`;
}
