/** Winning chances, costs and shares in percent, as the terminal writes them (`review/words.py`). */

const TOLERANCE = 1e-9;
/** So many decimals write out every figure that is an exact half. */
const EXACT = 30;

/**
 * A figure with so many decimals at most, and exact halves to even, as Python rounds: 12.5 is 12.
 * @param {number} figure
 * @param {number} decimals
 */
function rounded(figure, decimals) {
  const [whole, fraction] = figure.toFixed(EXACT).split(".");
  const below = Number(`${whole}.${fraction.slice(0, decimals)}`);
  const isEven = Number((whole + fraction.slice(0, decimals)).at(-1)) % 2 === 0;
  return isEven && /^50*$/.test(fraction.slice(decimals)) ? below : Number(figure.toFixed(decimals));
}

/**
 * A share from 0 to 1; an uncertain one never reads 0% or 100%.
 * @param {number} share
 */
export function percent(share) {
  if (share > TOLERANCE && share < 0.005) return "<1%";
  return share > 0.995 && share < 1 - TOLERANCE ? ">99%" : `${rounded(100 * share, 0)}%`;
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
  const figure = 50 * loss;
  if (figure > TOLERANCE && figure < 0.01) return "<0.01%";
  return figure > TOLERANCE && figure < 9.95 ? `${rounded(figure, figure >= 1 ? 1 : 2)}%` : percent(loss / 2);
}
