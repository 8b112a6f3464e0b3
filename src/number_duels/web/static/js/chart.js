/** The course of a game as a line chart. */

import { h, svg } from "./dom.js";

const WIDTH = 300;
const HEIGHT = 150;
/** Room above the highest point and below the lowest. */
const MARGIN = 0.08;
/** Largest number of turns with a label. */
const MAX_NUMBERED = 10;
/** A change by at least this much without a mistake is marked as luck. */
const MIN_LUCK = 0.1;
const EDGE = { left: 46, right: 10, top: 4, bottom: 26 };

/**
 * Draw the chart of a scene. Marks have the colour of their player.
 * @param {Scene} scene
 * @param {(turn: number) => void} onTurn
 * @returns {{element: HTMLElement, mark: (turn: number) => void}}
 */
export function drawChart({ chart, sides }, onTurn) {
  const { curves, marks, axis, title, said, legend, unit, note, seat: own } = /** @type {NonNullable<Scene["chart"]>} */ (chart);
  const inner = { x: WIDTH - EDGE.left - EDGE.right, y: HEIGHT - EDGE.top - EDGE.bottom };
  const points = curves.flatMap((curve) => curve.points);
  const last = Math.max(1, ...points.map(([turn]) => turn));
  const heights = [...axis, ...points.map(([, height]) => [height])].map(([height]) => Number(height));
  const [low, high] = [Math.min(...heights), Math.max(...heights)];
  const x = (/** @type {number} */ turn) => EDGE.left + (inner.x * turn) / last;
  const y = (/** @type {number} */ height) => EDGE.top + (inner.y * (high + MARGIN - height)) / (high - low + 2 * MARGIN);
  const bottom = HEIGHT - EDGE.bottom;
  const cursor = svg("line", { class: "cursor", y1: EDGE.top, y2: bottom });
  const here = svg("circle", { class: "here", r: 9 });
  const every = Math.ceil(last / MAX_NUMBERED);
  const turns = Array.from({ length: last + 1 }, (_, turn) => turn).filter((turn) => turn > 0 && turn % every === 0);
  const places = (/** @type {Curve} */ { points }) => points.map(([turn, height]) => `${x(turn).toFixed(1)},${y(height).toFixed(1)}`).join(" ");
  const lucky = curves.flatMap(({ points: course }) => course.filter(([turn, height], index) => index > 0 && Math.abs(height - course[index - 1][1]) >= MIN_LUCK * (high - low) && !marks.some((each) => each.turn === turn)));
  const picture = svg(
    "svg",
    { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": said },
    axis.map(([height, name]) => [svg("line", { class: "axis", x1: EDGE.left, x2: WIDTH - EDGE.right, y1: y(height), y2: y(height) }), svg("text", { x: EDGE.left - 6, y: y(height) + 4, "text-anchor": "end" }, name)]),
    turns.map((turn) => svg("text", { x: x(turn), y: bottom + 18, "text-anchor": turn === last ? "end" : "middle" }, String(turn))),
    svg("text", { x: EDGE.left - 6, y: bottom + 18, "text-anchor": "end" }, unit),
    cursor,
    curves.map((curve) => [svg("polygon", { class: `beneath-course seat-${own}`, points: `${x(0)},${y(low)} ${places(curve)} ${x(last)},${y(low)}` }), svg("polyline", { class: "course", points: places(curve) })]),
    here,
    lucky.map(([turn, height]) => svg("circle", { class: "luck", cx: x(turn), cy: y(height), r: 4 }, svg("title", {}, `${unit} ${turn}: luck`))),
    // Where both choose at once, a mark shows the choice alone, and a line leads to the curve.
    marks.map(({ turn, height, seat }) => svg("line", { class: `apart seat-${seat}`, x1: x(turn), x2: x(turn), y1: y(height), y2: y(points.find(([each]) => each === turn)?.[1] ?? height) })),
    marks.map(({ turn, height, seat, words, change, own: filled }) => svg("circle", { class: filled ? `mistake seat-${seat}` : `mistake hollow seat-${seat}`, cx: x(turn), cy: y(height), r: 5 }, svg("title", {}, [`${sides[seat - 1].name}: ${words}`, change].filter(Boolean).join("; ")))),
  );
  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * WIDTH;
    onTurn(Math.round(Math.min(1, Math.max(0, (at - EDGE.left) / inner.x)) * last));
  });
  const mark = (/** @type {number} */ turn) => {
    const [at, height] = points.find(([each]) => each === turn) ?? points[points.length - 1];
    for (const [shape, name, value] of /** @type {[Element, string, number][]} */ ([[cursor, "x1", x(at)], [cursor, "x2", x(at)], [here, "cx", x(at)], [here, "cy", y(height)]])) shape.setAttribute(name, String(value));
  };
  mark(last);
  return { element: h("figure", { class: "picture" }, h("figcaption", {}, title), picture, h("p", { class: "legend", "aria-hidden": "true" }, legend.map((entry) => h("span", { class: `seat-${entry.startsWith("●") ? own : 3 - Number(own)}` }, entry)), lucky.length > 0 && h("span", { class: "luck" }, "○ luck")), note && h("p", { class: "note" }, note)), mark };
}
