/** How the chances moved in a game, as a small picture. */

import { svg } from "./dom.js";
import { share, signed } from "./bars.js";

/** @typedef {import("./types.js").Grade} Grade */

const WIDTH = 640;
const HEIGHT = 210;
const EDGE = { left: 12, right: 12, top: 32, bottom: 34 };

/** @typedef {{course: number[], grades: Grade[], names: [string, string], mistakes: Grade[], onTurn: (turn: number) => void}} Course */

/**
 * The course of Player 1's chances; mistakes are marked in the colour of who made them.
 * @param {Course} what
 * @returns {{element: SVGElement, mark: (turn: number) => void}}
 */
export function drawChart({ course, names, mistakes, onTurn }) {
  const inner = { x: WIDTH - EDGE.left - EDGE.right, y: HEIGHT - EDGE.top - EDGE.bottom };
  const last = Math.max(1, course.length - 1);
  const x = (/** @type {number} */ turn) => EDGE.left + (inner.x * turn) / last;
  const y = (/** @type {number} */ value) => EDGE.top + inner.y * (1 - share(value));
  const points = course.map((value, turn) => `${x(turn).toFixed(1)},${y(value).toFixed(1)}`);
  const middle = y(0);
  const area = `${x(0)},${middle} ${points.join(" ")} ${x(course.length - 1)},${middle}`;
  const cursor = svg("line", { class: "cursor", y1: EDGE.top, y2: HEIGHT - EDGE.bottom, x1: x(last), x2: x(last) });
  const element = svg(
    "svg",
    { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": summary(course, names, mistakes) },
    svg("clipPath", { id: "above" }, svg("rect", { x: 0, y: 0, width: WIDTH, height: middle })),
    svg("clipPath", { id: "below" }, svg("rect", { x: 0, y: middle, width: WIDTH, height: HEIGHT - middle })),
    svg("polygon", { class: "area seat-1", points: area, "clip-path": "url(#above)" }),
    svg("polygon", { class: "area seat-2", points: area, "clip-path": "url(#below)" }),
    svg("line", { class: "axis", x1: EDGE.left, x2: WIDTH - EDGE.right, y1: middle, y2: middle }),
    cursor,
    svg("polyline", { class: "course", points: points.join(" ") }),
    mistakes.map((grade) => {
      const turn = Math.min(grade.turn, course.length - 1);
      return svg("circle", { class: `mistake seat-${grade.seat}`, cx: x(turn), cy: y(course[turn]), r: 6 });
    }),
    svg("text", { x: EDGE.left, y: 20, class: "seat-1" }, `${names[0]} wins`),
    svg("text", { x: EDGE.left, y: HEIGHT - 10, class: "seat-2" }, `${names[1]} wins`),
    svg("text", { x: WIDTH - EDGE.right, y: HEIGHT - 10, "text-anchor": "end" }, `turn ${course.length - 1}`),
  );
  element.addEventListener("click", (event) => {
    const box = element.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * WIDTH;
    onTurn(Math.round(Math.min(1, Math.max(0, (at - EDGE.left) / inner.x)) * last));
  });
  const mark = (/** @type {number} */ turn) => {
    const place = String(x(Math.min(turn, last)));
    cursor.setAttribute("x1", place);
    cursor.setAttribute("x2", place);
  };
  return { element, mark };
}

/**
 * The picture in words.
 * @param {number[]} course
 * @param {[string, string]} names
 * @param {Grade[]} mistakes
 */
function summary(course, names, mistakes) {
  const marked = mistakes.map((grade) => `turn ${grade.turn}, ${names[grade.seat - 1]}`).join("; ");
  return `${names[0]}'s expected result after each turn: ${course.map(signed).join(", ")}. Mistakes: ${marked || "none"}.`;
}
