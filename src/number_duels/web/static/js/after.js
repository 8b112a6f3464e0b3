/** What there is to do when a game is over. */

import { get, post, sentence } from "./api.js";
import { fill, h } from "./dom.js";
import { Replay } from "./replay.js";
import { drawReview } from "./review.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Step} Step */

/**
 * Rematch, the record and the analysis board.
 * @param {View} view
 * @param {(problem: string) => void} onProblem
 */
export function drawEnding(view, onProblem) {
  const again = async () => {
    try {
      const { id } = await post(`/api/games/${view.id}/rematch`);
      location.assign(`/play/${id}#rematch`);
    } catch (problem) {
      onProblem(sentence(problem));
    }
  };
  const analyse = async () => {
    try {
      location.assign(await analysisLink(view));
    } catch (problem) {
      onProblem(sentence(problem));
    }
  };
  const record = `/api/games/${view.id}/record`;
  const offered = view.rematch !== null;
  return h(
    "div",
    { class: "ending" },
    view.you !== null && h("button", { type: "button", class: "primary", "data-key": "rematch", onclick: again }, offered ? "Go to the rematch" : "Rematch"),
    view.you === null && offered && h("a", { class: "button", href: `/play/${view.rematch}` }, "Watch the rematch"),
    h("button", { type: "button", "data-key": "analyse", onclick: analyse }, "Analyse"),
    h("a", { class: "button", href: record, download: `${view.game}-${view.id}.json` }, "Download record"),
    h("a", { class: "button", href: `/#${view.game}` }, "New game"),
  );
}

/**
 * The analysis board with this game's moves, settings and deal.
 * @param {View} view
 */
async function analysisLink(view) {
  const record = await get(`/api/games/${view.id}/record`);
  const query = new URLSearchParams({ moves: record.moves, ...record.settings });
  if (record.deal) query.set("deal", record.deal);
  return `/analysis/${view.game}?${query}`;
}

/**
 * Replay and review, as soon as the server has worked them out.
 * @param {View} view
 * @param {{replay: HTMLElement, review: HTMLElement}} places
 * @param {(step: Step) => void} onStep
 * @returns {Promise<Replay>}
 */
export async function drawAftermath(view, places, onStep) {
  /** @type {[string, string]} */
  const names = [view.players[0].name, view.players[1].name];
  /** @type {(turn: number) => void} */
  let mark = () => {};
  const replay = new Replay(await get(`/api/games/${view.id}/steps`), (step) => {
    mark(step.turn);
    onStep(step);
  });
  fill(places.replay, replay.element);
  fill(places.review, h("p", { class: "quiet-text" }, "Working out the review…"));
  get(`/api/games/${view.id}/review`).then(
    (review) => {
      const drawn = drawReview(review, names, (turn) => replay.goToTurn(turn));
      mark = drawn.mark;
      fill(places.review, drawn.element);
    },
    (problem) => fill(places.review, h("p", { class: "note" }, `No review: ${sentence(problem)}`)),
  );
  return replay;
}
