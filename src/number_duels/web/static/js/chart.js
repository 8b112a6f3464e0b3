/** The course of a game as a line chart. */

import { h, svg } from "./dom.js";

const WIDTH = 640;
const HEIGHT = 230;
/** Room for names above the highest point and below the lowest. */
const MARGIN = 0.175;
/** With more marks, the names would overlap. Every point still has a tooltip. */
const MAX_NAMED = 8;
/** Largest number of turns with a label. */
const MAX_NUMBERED = 12;
const EDGE = { left: 76, right: 12, top: 12, bottom: 34 };

/**
 * Draw the chart of a scene. Marks have the colour and the name of their player.
 * @param {Scene} scene
 * @param {(turn: number) => void} onTurn
 * @returns {{element: HTMLElement, mark: (turn: number) => void}}
 */
export function drawChart({ chart, sides }, onTurn) {
  const { curves, marks, axis, title, said, legend } = /** @type {NonNullable<Scene["chart"]>} */ (chart);
  const inner = { x: WIDTH - EDGE.left - EDGE.right, y: HEIGHT - EDGE.top - EDGE.bottom };
  const points = curves.flatMap((curve) => curve.points);
  const last = Math.max(1, ...points.map(([turn]) => turn));
  const heights = [...axis, ...points.map(([, height]) => [height])].map(([height]) => Number(height));
  const [low, high] = [Math.min(...heights) - MARGIN, Math.max(...heights) + MARGIN];
  const x = (/** @type {number} */ turn) => EDGE.left + (inner.x * turn) / last;
  const y = (/** @type {number} */ height) => EDGE.top + (inner.y * (high - height)) / (high - low);
  const bottom = HEIGHT - EDGE.bottom;
  const cursor = svg("line", { class: "cursor", y1: EDGE.top, y2: bottom, x1: x(last), x2: x(last) });
  const every = Math.ceil(last / MAX_NUMBERED);
  const turns = Array.from({ length: last + 1 }, (_, turn) => turn).filter((turn) => turn % every === 0);
  const picture = svg(
    "svg",
    { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": said },
    axis.map(([height, name]) => [svg("line", { class: "axis", x1: EDGE.left, x2: WIDTH - EDGE.right, y1: y(height), y2: y(height) }), svg("text", { x: EDGE.left - 8, y: y(height) + 5, "text-anchor": "end" }, name)]),
    turns.map((turn) => [
      svg("line", { class: "axis", x1: x(turn), x2: x(turn), y1: bottom, y2: bottom + 5 }),
      svg("text", { x: x(turn), y: bottom + 22, "text-anchor": turn === 0 ? "start" : turn === last ? "end" : "middle" }, String(turn)),
    ]),
    cursor,
    curves.map((curve) => svg("polyline", { class: "course", points: curve.points.map(([turn, height]) => `${x(turn).toFixed(1)},${y(height).toFixed(1)}`).join(" ") })),
    marks.length <= MAX_NAMED && marks.map(({ turn, height, seat, words, own }) => svg("text", { class: `seat-${seat}`, x: x(turn) + (turn === last ? -8 : 8), y: y(height) + (own ? 16 : -6), "text-anchor": turn === last ? "end" : "start" }, words)),
    marks.map(({ turn, height, seat, words, own }) => svg("circle", { class: own ? `mistake seat-${seat}` : `mistake hollow seat-${seat}`, cx: x(turn), cy: y(height), r: 6 }, svg("title", {}, `${sides[seat - 1].name}: ${words}`))),
    svg("text", { x: EDGE.left - 8, y: bottom + 22, "text-anchor": "end" }, "Turn"),
  );
  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * WIDTH;
    onTurn(Math.round(Math.min(1, Math.max(0, (at - EDGE.left) / inner.x)) * last));
  });
  const mark = (/** @type {number} */ turn) => {
    const at = String(x(Math.min(turn, last)));
    cursor.setAttribute("x1", at);
    cursor.setAttribute("x2", at);
  };
  return { element: h("figure", { class: "picture" }, h("figcaption", {}, title), picture, h("p", { class: "note legend", "aria-hidden": "true" }, legend.map((entry) => h("span", {}, entry)))), mark };
}
