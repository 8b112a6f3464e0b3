/** What there is to do when a game is over. */

import { get, post, sentence } from "./api.js";
import { fill, h } from "./dom.js";
import { markStep } from "./marks.js";
import { analysisAddress, positionBefore, solvingRequest } from "./position.js";
import { Replay } from "./replay.js";
import { drawReview, turningPoint } from "./review.js";
import { labels, shownName, shownNames, whose } from "./words.js";
import { working } from "./working.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Step} Step */
/** @typedef {import("./types.js").Grade} Grade */
/** @typedef {import("./types.js").Review} Review */

/** @type {Map<string, Promise<Review>>} */
const reviews = new Map();

/**
 * The review of a game, asked for once.
 * @param {View} view
 * @returns {Promise<Review>}
 */
function reviewOf(view) {
  const found = reviews.get(view.id) ?? get(`/api/games/${view.id}/review`);
  reviews.set(view.id, found);
  found.catch(() => reviews.delete(view.id));
  return found;
}

/**
 * Rematch, the record and the analysis board.
 * @param {View} view
 * @param {(problem: string) => void} onProblem
 */
export function drawEnding(view, onProblem) {
  const orSay = (/** @type {() => Promise<void>} */ act) => () => act().catch((problem) => onProblem(sentence(problem)));
  const again = orSay(async () => {
    const { id } = await post(`/api/games/${view.id}/rematch`);
    location.assign(`/play/${id}#rematch`);
  });
  const analyse = orSay(async () => location.assign(await analysisLink(view)));
  const record = `/api/games/${view.id}/record`;
  const { rematch } = labels(view.scene);
  return h(
    "div",
    { class: "ending" },
    rematch && (view.you === null ? h("a", { class: "button", href: `/play/${view.rematch}` }, rematch) : h("button", { type: "button", class: "primary", "data-key": "rematch", onclick: again }, rematch)),
    h("button", { type: "button", "data-key": "analyse", onclick: analyse }, "Analyse"),
    h("a", { class: "button", href: record, download: `${view.game}-${view.id}.json` }, "Download record"),
    h("a", { class: "button", href: `/#${view.game}` }, "New game"),
  );
}

/**
 * The analysis board with this game, where it turned if it did, else at its end.
 * @param {View} view
 */
async function analysisLink(view) {
  const [record, turned] = await Promise.all([get(`/api/games/${view.id}/record`), reviewOf(view).then(turningPoint, () => null)]);
  return analysisAddress(view.game, {
    moves: turned ? positionBefore(record.moves, turned) : record.moves,
    line: record.moves,
    start: { deal: record.deal ?? "", settings: record.settings, names: shownNames(view) },
  });
}

/**
 * The same position once more, against the computer.
 * @param {View} view
 * @param {Grade} grade the decision that is to be made again
 */
async function tryAgain(view, grade) {
  const record = await get(`/api/games/${view.id}/record`);
  const other = view.players[2 - grade.seat].who;
  const { id } = await post("/api/games", {
    game: view.game,
    settings: record.settings,
    moves: positionBefore(record.moves, grade),
    seat: grade.seat,
    name: view.players[grade.seat - 1].name,
    opponent: other === "human" ? "perfect" : other,
    ...(record.deal ? { deal: record.deal } : {}),
  });
  location.assign(`/play/${id}`);
}

/**
 * Replay and review, as soon as the server has worked them out.
 * @param {View} view
 * @param {{board: HTMLElement, replay: HTMLElement, review: HTMLElement, problem: HTMLElement}} places
 * @param {(step: Step) => void} onStep
 * @returns {Promise<Replay>}
 */
export async function drawAftermath(view, places, onStep) {
  /** @type {(turn: number) => void} */
  let mark = () => {};
  const replay = new Replay(await get(`/api/games/${view.id}/steps`), (step, before) => {
    if (!replay.line) mark(step.turn);
    onStep(step);
    markStep(places.board, step, before);
  });
  fill(places.replay, replay.element);
  working(places.review, "Working out the review", reviewOf(view), solvingRequest(view.game, view.settings)).then(
    (review) => {
      const drawn = drawReview(review, view, {
        onTurn: (turn) => replay.goToTurn(turn),
        onLine: (grade, from) => showLine(replay, view, grade, from, places.board),
        onAgain: (grade) => tryAgain(view, grade).catch((problem) => fill(places.problem, sentence(problem))),
      });
      mark = drawn.mark;
      fill(places.review, drawn.element);
    },
    (problem) => fill(places.review, h("p", { class: "note" }, `No review: ${sentence(problem)}`)),
  );
  return replay;
}

/**
 * How a mistake is punished, on the board.
 * @param {Replay} replay
 * @param {View} view
 * @param {Grade} grade
 * @param {HTMLElement} from the button that was pressed, which gets the focus back
 * @param {HTMLElement} board
 */
function showLine(replay, view, grade, from, board) {
  if (!grade.line) return;
  replay.leave();
  replay.follow(grade.line.steps, { title: `How ${whose(shownName(view, grade.seat))} ${grade.words} is punished`, leave: () => from.focus() });
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  board.scrollIntoView({ block: "start", behavior: still ? "auto" : "smooth" });
}
