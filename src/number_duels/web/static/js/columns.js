/** Winning chances thrown away over time, as a small picture of columns. */

import { svg } from "./dom.js";
import { cost } from "./percent.js";

const WIDTH = 640;
const HEIGHT = 180;
const EDGE = { left: 60, right: 4, top: 10, bottom: 6 };
/** More values than this share columns, as at the terminal. */
const MAX_COLUMNS = 60;
/** Less than this is not drawn larger. */
const MIN_TOP = 0.1;

/**
 * @param {number[]} shares each from 0 to 1, oldest first
 * @returns {SVGElement}
 */
export function drawColumns(shares) {
  const means = meansOf(shares);
  const top = Math.max(MIN_TOP, ...means);
  const inner = { x: WIDTH - EDGE.left - EDGE.right, y: HEIGHT - EDGE.top - EDGE.bottom };
  const step = inner.x / Math.max(means.length, 12);
  const bottom = HEIGHT - EDGE.bottom;
  return svg(
    "svg",
    { class: "columns", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `From the first to the last: ${means.map(thrown).join(", ")}` },
    [top, top / 2, 0].map((share) => {
      const y = bottom - (inner.y * share) / top;
      return [svg("line", { class: "axis", x1: EDGE.left, x2: WIDTH - EDGE.right, y1: y, y2: y }), svg("text", { x: EDGE.left - 8, y: y + 4, "text-anchor": "end" }, thrown(share))];
    }),
    means.map((share, index) => {
      const height = Math.max(2, (inner.y * share) / top);
      return svg("rect", { class: "column", x: EDGE.left + step * index + step * 0.12, y: bottom - height, width: step * 0.76, height, rx: 2 }, svg("title", {}, thrown(share)));
    }),
  );
}

/** @param {number} share */
const thrown = (share) => cost(2 * share);

/**
 * As many means of neighbours as there is room for.
 * @param {number[]} values
 */
function meansOf(values) {
  const width = Math.min(MAX_COLUMNS, values.length);
  return Array.from({ length: width }, (_, place) => {
    const part = values.slice(Math.floor((place * values.length) / width), Math.floor(((place + 1) * values.length) / width));
    return part.reduce((sum, value) => sum + value, 0) / part.length;
  });
}
