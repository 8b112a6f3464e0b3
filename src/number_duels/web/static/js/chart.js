/** What skill and luck made of a game, as a small picture of two lines. */

import { svg } from "./dom.js";
import { chance, luckWords } from "./percent.js";
import { YOU, within } from "./words.js";

/** @typedef {import("./types.js").Grade} Grade */
/** @typedef {{turn: number, height: number, grade?: Grade}} Point */

/** @param {string} name */
const winning = (name) => (name === YOU ? "You win" : `${name} wins`);

const WIDTH = 640;
const HEIGHT = 260;
/** Room for names above the highest point and below the lowest. */
const MARGIN = 0.35;
/** With more mistakes than this the names would cover each other; every point still has its title. */
const MAX_NAMED = 8;
const EDGE = { left: 12, right: 12, top: 32, bottom: 56 };

/** @typedef {{skill: number[], luck: number[], names: [string, string], mistakes: Grade[], onTurn: (turn: number) => void}} Course */

/**
 * The line of skill; where both went wrong in one turn Player 1's mistake stands half a turn
 * earlier, so that every mistake of Player 1 ends a falling piece and every one of Player 2 a rising one.
 * @param {number[]} skill
 * @param {Grade[]} mistakes
 * @returns {Point[]}
 */
export function skillPoints(skill, mistakes) {
  return skill.flatMap((height, turn) => {
    const made = mistakes.filter((grade) => grade.turn === turn);
    if (made.length < 2) return [{ turn, height, grade: made[0] }];
    const [one, two] = made;
    return [
      { turn: turn - 0.5, height: height - two.loss, grade: one },
      { turn, height, grade: two },
    ];
  });
}

/**
 * Skill and luck for Player 1; mistakes are marked in the colour of who made them, and named.
 * @param {Course} what
 * @returns {{element: SVGElement, mark: (turn: number) => void}}
 */
export function drawChart({ skill, luck, names, mistakes, onTurn }) {
  const inner = { x: WIDTH - EDGE.left - EDGE.right, y: HEIGHT - EDGE.top - EDGE.bottom };
  const last = Math.max(1, skill.length - 1);
  const points = skillPoints(skill, mistakes);
  const heights = [...points.map((point) => point.height), ...luck];
  const [low, high] = [Math.min(-1, ...heights) - MARGIN, Math.max(1, ...heights) + MARGIN];
  const x = (/** @type {number} */ turn) => EDGE.left + (inner.x * turn) / last;
  const y = (/** @type {number} */ height) => EDGE.top + (inner.y * (high - height)) / (high - low);
  const place = (/** @type {number} */ turn, /** @type {number} */ height) => `${x(turn).toFixed(1)},${y(height).toFixed(1)}`;
  const cursor = svg("line", { class: "cursor", y1: EDGE.top, y2: HEIGHT - EDGE.bottom, x1: x(last), x2: x(last) });
  const every = Math.ceil(last / 12);
  const element = svg(
    "svg",
    { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": summary(skill, luck, names, mistakes) },
    svg("line", { class: "axis", x1: EDGE.left, x2: WIDTH - EDGE.right, y1: y(0), y2: y(0) }),
    Array.from({ length: last + 1 }, (_, turn) => turn)
      .filter((turn) => turn % every === 0)
      .map((turn) => [
        svg("line", { class: "axis", x1: x(turn), x2: x(turn), y1: HEIGHT - EDGE.bottom, y2: HEIGHT - EDGE.bottom + 5 }),
        svg("text", { x: x(turn), y: HEIGHT - EDGE.bottom + 22, "text-anchor": turn === 0 ? "start" : turn === last ? "end" : "middle" }, String(turn)),
      ]),
    cursor,
    svg("polyline", { class: "course luck", points: luck.map((height, turn) => place(turn, height)).join(" ") }),
    svg("polyline", { class: "course", points: points.map((point) => place(point.turn, point.height)).join(" ") }),
    points.map(({ turn, height, grade }) => grade && mistakes.length <= MAX_NAMED && svg("text", { class: `seat-${grade.seat}`, x: x(turn) + (turn === last ? -8 : 8), y: y(height) + (grade.seat === 1 ? 16 : -6), "text-anchor": turn === last ? "end" : "start" }, grade.words)),
    points.map(({ turn, height, grade }) => grade && svg("circle", { class: `mistake seat-${grade.seat}`, cx: x(turn), cy: y(height), r: 6 }, svg("title", {}, `${names[grade.seat - 1]}: ${grade.words}`))),
    svg("text", { x: EDGE.left, y: 20, class: "seat-1" }, winning(names[0])),
    svg("text", { x: EDGE.left, y: HEIGHT - 6, class: "seat-2" }, winning(names[1])),
    svg("text", { x: WIDTH / 2, y: HEIGHT - 6, "text-anchor": "middle" }, "skill ━  luck ┅"),
    svg("text", { x: WIDTH - EDGE.right, y: HEIGHT - 6, "text-anchor": "end" }, "turn"),
  );
  element.addEventListener("click", (event) => {
    const box = element.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * WIDTH;
    onTurn(Math.round(Math.min(1, Math.max(0, (at - EDGE.left) / inner.x)) * last));
  });
  const mark = (/** @type {number} */ turn) => {
    const at = String(x(Math.min(turn, last)));
    cursor.setAttribute("x1", at);
    cursor.setAttribute("x2", at);
  };
  return { element, mark };
}

/**
 * The picture in words.
 * @param {number[]} skill
 * @param {number[]} luck
 * @param {[string, string]} names
 * @param {Grade[]} mistakes
 */
function summary(skill, luck, names, mistakes) {
  const marked = mistakes.map((grade) => `turn ${grade.turn}, ${within(names[grade.seat - 1])}, ${grade.words}`).join("; ");
  return `For ${within(names[0])} after each turn: skill ${skill.map(chance).join(", ")}; luck ${luck.map(luckWords).join(", ")}. Mistakes: ${marked || "none"}.`;
}
