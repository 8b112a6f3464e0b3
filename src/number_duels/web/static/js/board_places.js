/** Places on a board: their keys, and their neighbours in each direction. */

/** The weight of sideways distance, compared with distance in the direction of the arrow key. */
const SIDEWAYS_COST = 3;

/**
 * Return the key of a place. It is the same in every drawing of a board.
 * @param {Place} place
 */
export const keyOf = ({ part, place }) => `${part}.${place ?? "all"}`;

/**
 * Return the filled share, from 0 to 1.
 * @param {number} value
 * @param {number} full
 */
export const shareOf = (value, full) => Math.min(1, Math.max(0, value / Math.max(full, 1)));

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Return the nearest element in the direction of an arrow key, or undefined for other keys.
 * @param {string} key
 * @param {Element | null} from
 * @param {HTMLElement[]} among
 * @returns {HTMLElement | undefined}
 */
export function neighbour(key, from, among) {
  const arrow = ARROWS[key];
  if (!arrow || among.length === 0) return undefined;
  if (!from || !among.includes(/** @type {HTMLElement} */ (from))) return among.find((each) => !each.classList.contains("chosen"));
  const start = middle(from);
  let best = /** @type {HTMLElement} */ (from);
  let nearest = Infinity;
  for (const candidate of among) {
    const point = middle(candidate);
    const [x, y] = [point.x - start.x, point.y - start.y];
    const ahead = x * arrow[0] + y * arrow[1];
    const aside = Math.abs(x * arrow[1]) + Math.abs(y * arrow[0]);
    const distance = ahead + aside * SIDEWAYS_COST;
    if (candidate !== from && ahead > 1 && distance < nearest) [best, nearest] = [candidate, distance];
  }
  return best;
}

/** @param {Element} element */
export function middle(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}
