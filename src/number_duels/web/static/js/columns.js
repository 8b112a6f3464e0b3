/** A chart of a scene as columns: winning chances thrown away over time. */

import { svg } from "./dom.js";

const WIDTH = 640;
const HEIGHT = 180;
const EDGE = { left: 60, right: 4, top: 10, bottom: 6 };
/** Fewer columns are no wider. */
const MIN_COLUMNS = 12;

/**
 * @param {import("./types.js").Chart} chart
 * @returns {SVGElement}
 */
export function drawColumns({ curves: [{ points }], axis, said }) {
  const inner = { x: WIDTH - EDGE.left - EDGE.right, y: HEIGHT - EDGE.top - EDGE.bottom };
  const step = inner.x / Math.max(points.length, MIN_COLUMNS);
  const bottom = HEIGHT - EDGE.bottom;
  return svg(
    "svg",
    { class: "columns", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": said },
    axis.map(([share, name]) => {
      const y = bottom - inner.y * share;
      return [svg("line", { class: "axis", x1: EDGE.left, x2: WIDTH - EDGE.right, y1: y, y2: y }), svg("text", { x: EDGE.left - 8, y: y + 4, "text-anchor": "end" }, name)];
    }),
    points.map(([place, share]) => {
      const height = Math.max(2, inner.y * share);
      return svg("rect", { class: "column", x: EDGE.left + step * place + step * 0.12, y: bottom - height, width: step * 0.76, height, rx: 2 });
    }),
  );
}
