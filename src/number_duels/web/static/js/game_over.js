/** The options after a game: rematch, record, analysis, replay and review. */

import { get, post, sentence } from "./api.js";
import { drawPlayed } from "./board_middle.js";
import { keyOf } from "./board_places.js";
import { drawChallenge } from "./challenge.js";
import { fill, h, whole } from "./dom.js";
import { more } from "./more.js";
import { drawScore } from "./players.js";
import { START, analysisAddress, solvingRequest } from "./position.js";
import { keepProfile } from "./profile.js";
import { Replay, ReplayBoard } from "./replay.js";
import { drawReview } from "./review.js";
import { ReviewTry } from "./review_try.js";
import { openTable } from "./setting_up.js";
import { recall, remember } from "./storage.js";
import { go } from "./transport.js";
import { labels, shownNames, withNames } from "./words.js";
import { working } from "./working.js";

/** @type {Map<string, Promise<Scene>>} */
const reviews = new Map();

/** The position that the replay shows, or "" at its end. */
let replayed = "";

/**
 * Return the review of a game, which is requested only once.
 * @param {View} view
 * @returns {Promise<Scene>}
 */
function reviewOf(view) {
  const found = reviews.get(view.id) ?? get(`/api/games/${view.id}/review`).then(({ scene }) => scene);
  reviews.set(view.id, found);
  found.catch(() => reviews.delete(view.id));
  return found;
}

/** @type {Record<string, Seat>} */
export const WINNERS = { "1-0": 1, "0-1": 2 };

/**
 * Draw the result between the players: the score, a sentence, and buttons for the next actions.
 * Before the end of a replay, draw the sentence of the step in a card of the same size.
 * @param {View} view
 * @param {Seat} near
 * @param {boolean} both true to show the last two cards
 * @param {boolean} ended
 * @param {(problem: string) => void} onProblem
 */
export function drawResult(view, near, both, ended, onProblem) {
  const { scene } = view;
  const { rematch, review, again: other } = labels(scene);
  const start = (/** @type {string} */ path, /** @type {object} */ body = {}) =>
    openTable(async () => (await post(path, body)).id).catch((problem) => onProblem(sentence(problem)));
  const again = () => start(`/api/games/${view.id}/rematch`);
  const harder = scene.actions.find(({ key }) => key.startsWith("harder "));
  const raise = (/** @type {string} */ opponent) =>
    start("/api/games", { game: view.game, settings: view.settings, name: view.players[near - 1].name, opponent });
  const said = view.log.at(-1)?.short ?? "";
  const winner = ended ? WINNERS[view.result] : undefined;
  const beaten = ended ? levelBeaten(view) : "";
  // After a loss, the review is what helps most. After a level's first defeat, the next level is.
  const reviewed = view.you === null ? !view.here : winner && winner !== view.you;
  const main = reviewed ? "review" : beaten && harder ? "harder" : "rematch";
  const look = (/** @type {string} */ key) => (key === main ? "button primary" : "button");
  const reviewing = h("a", { class: look("review"), "data-key": "review", href: "#review" }, review);
  return h(
    "section",
    { class: `${both ? "tray both" : "tray"} result seat-${winner ?? "none"}${ended ? " ending" : ""}${winner && winner === view.you ? " won" : ""}`, "aria-label": ended ? "Result" : "The turn" },
    both && drawPlayed(view, near),
    beaten && h("p", { class: "beaten" }, h("span", { "aria-hidden": "true" }, "★ "), `First win against ${beaten}`),
    h("div", { class: "asked" }, ended && [h("p", { class: "headline" }, withNames(view, scene.headline)), drawScore(scene) ?? h("p", { class: "reason" }, withNames(view, scene.detail))], said !== scene.detail && h("p", { class: "said" }, whole(withNames(view, said)))),
    both && drawPlayed(view, near === 1 ? 2 : 1),
    ended && h(
      "div",
      { class: "ways" },
      reviewed && reviewing,
      rematch && (view.you === null && !view.here ? h("a", { class: "button", href: `/play/${view.rematch}` }, rematch) : h("button", { type: "button", class: look("rematch"), "data-key": "rematch", onclick: again }, rematch)),
      harder && h("button", { type: "button", class: look("harder"), "data-key": "harder", onclick: () => raise(harder.key.split(" ")[1]) }, harder.label),
      !reviewed && reviewing,
      h("a", { class: "button", "data-key": "again", href: `/#${view.game}` }, other),
    ),
  );
}

/**
 * Return the name of the computer's level that the player here beats for the first time in this
 * game, or "". This browser remembers the game in which each level was first beaten.
 * @param {View} view
 */
function levelBeaten({ id, game, you, result, players, scene }) {
  if (!you || WINNERS[result] !== you || players[2 - you].who === "human") return "";
  const key = `duels-beaten ${game} ${players[2 - you].who}`;
  if (!recall(key)) remember(key, id);
  return recall(key) === id ? scene.sides[2 - you].note.split(": ")[0] : "";
}

/**
 * Draw the buttons for the analysis board and the record.
 * @param {View} view
 * @param {(problem: string) => void} onProblem
 */
function drawTools(view, onProblem) {
  const at = async () => replayed || (await reviewOf(view).then((scene) => scene.at, () => view.moves));
  const analyze = () => at().then((moves) => analyzeAt(view, moves)).catch((problem) => onProblem(sentence(problem)));
  return h(
    "div",
    { class: "row" },
    h("button", { type: "button", "data-key": "analyze", onclick: analyze }, "Analyze"),
    more(h("a", { class: "button", href: `/api/games/${view.id}/record`, download: `${view.game}-${view.id}.json` }, "Download record")),
  );
}

/**
 * Open the analysis board with this game, at one of its positions.
 * @param {View} view
 * @param {string} moves
 */
async function analyzeAt(view, moves) {
  const record = await get(`/api/games/${view.id}/record`);
  go(analysisAddress(view.game, { moves, line: record.moves, start: { deal: record.deal ?? "", settings: record.settings, names: shownNames(view) } }));
}

/**
 * Start a game from the same position against the computer.
 * @param {View} view
 * @param {Finding} finding the decision to make again
 */
const tryAgain = (view, { seat, before }) => openTable(async () => {
  const record = await get(`/api/games/${view.id}/record`);
  const other = view.players[2 - seat].who;
  const { id } = await post("/api/games", {
    game: view.game,
    settings: record.settings,
    moves: before.at,
    seat,
    name: view.players[seat - 1].name,
    opponent: other === "human" ? "perfect" : other,
    ...(record.deal ? { deal: record.deal } : {}),
  });
  return id;
});

/**
 * Return the position of a decision, as a book stores it.
 * @param {View} view
 * @param {Finding} finding
 */
async function spotOf(view, { seat, before }) {
  const { deal, settings } = await get(`/api/games/${view.id}/record`);
  return { game: view.game, settings, deal, moves: before.at, seat };
}

/**
 * Add a decision to the user's book.
 * @param {View} view
 * @param {Finding} finding
 * @param {HTMLElement} from the button, which is replaced by a confirmation
 */
async function addCard(view, finding, from) {
  const spot = await spotOf(view, finding);
  await keepProfile("");
  await post("/api/train/book", { spot, source: "game", cost: finding.loss });
  from.replaceWith(h("span", { class: "note", role: "status" }, "In your book."));
}

/**
 * Draw the replay, and the review as soon as the server has computed it.
 * @param {View} view
 * @param {{play: HTMLElement, standing: HTMLElement, board: HTMLElement, replay: HTMLElement, review: HTMLElement}} places
 * @param {(shown: View) => Child} drawCard draws the result with the cards of a step
 * @param {(step: Frame) => void} onEnd draws the last step
 * @param {(problem: string) => void} onProblem
 * @returns {Promise<{key: (event: KeyboardEvent) => void}>} takes the keys
 */
export async function drawAftermath(view, places, drawCard, onEnd, onProblem) {
  /** @type {(turn: number) => void} */
  let mark = () => {};
  /** The mistake that is tried again. @type {ReviewTry | null} */
  let trying = null;
  const board = new ReplayBoard(places.board, drawCard);
  const arrived = () => places.review.classList.remove("awaited");
  places.review.classList.add("awaited");
  /** @type {Frame[]} */
  const steps = await get(`/api/games/${view.id}/steps`).catch((problem) => {
    arrived();
    throw problem;
  });
  const replay = new Replay(steps, (step, before) => {
    trying?.leave();
    if (!replay.line) mark(step.turn);
    const ended = step === steps.at(-1);
    replayed = ended ? "" : step.at || START;
    tellTurn(ended ? "" : step.when || step.said);
    return board.show(step, before, view, ended ? () => onEnd(step) : undefined);
  });
  // Say why the game is over only at its end.
  const tellTurn = (/** @type {string} */ text) => {
    places.standing.querySelector(".when")?.remove();
    if (text) places.standing.append(h("p", { class: "headline when" }, text));
  };
  const showBetter = async (/** @type {Finding} */ { turn, before, better, right }) => {
    replay.goToTurn(turn);
    tellTurn(before.said);
    replay.element.querySelector(".told > p")?.replaceChildren(right);
    await board.show({ ...before, said: right, changed: [] }, null, view);
    for (const place of better) places.board.querySelector(`[data-tile="${keyOf(place)}"]`)?.classList.add("better");
  };
  fill(places.replay, replay.element, drawTools(view, onProblem));
  /** @type {Record<string, (finding: Finding, from: HTMLElement) => unknown>} */
  const actions = {
    better: showBetter,
    punished: (finding, from) => showLine(replay, finding, from, places.board),
    retry: async (finding, from) => {
      replay.goToTurn(finding.turn);
      trying = new ReviewTry(view, await spotOf(view, finding), finding.title, places, () => {
        trying = null;
        from.focus({ preventScroll: true });
      });
      await trying.next();
    },
    again: (finding) => tryAgain(view, finding),
    analyze: ({ before }) => analyzeAt(view, before.at),
    card: (finding, from) => addCard(view, finding, from),
  };
  const act = async (/** @type {string} */ key, /** @type {Finding} */ finding, /** @type {HTMLElement} */ from) => {
    try {
      await actions[key](finding, from);
    } catch (problem) {
      onProblem(sentence(problem));
    }
  };
  working(places.review, "Working out the review", reviewOf(view), solvingRequest(view.game, view.settings)).then(
    (scene) => {
      // Show nothing for a game without decisions.
      if (scene.findings.length === 0) return fill(places.review);
      const drawn = drawReview(scene, { onTurn: (turn) => replay.goToTurn(turn), onAction: act });
      mark = drawn.mark;
      fill(places.review, drawn.element);
      pinBoard(places.play, places.review);
      return drawChallenge(view, scene).then((link) => link && drawn.rest.append(link), () => {});
    },
    (problem) => fill(places.review, h("p", { class: "note" }, `No review: ${sentence(problem)}`)),
  ).finally(arrived);
  return { key: (event) => (trying ?? replay).key(event) };
}

/**
 * Show on the board how a mistake is punished.
 * @param {Replay} replay
 * @param {Finding} finding
 * @param {HTMLElement} from the pressed button, which gets the focus back
 * @param {HTMLElement} board
 */
function showLine(replay, { frames, line }, from, board) {
  replay.leave();
  replay.follow(frames, { title: line, board, leave: () => from.focus({ preventScroll: true }) });
  from.closest(".finding")?.scrollIntoView({ block: "nearest" });
}

/**
 * On a narrow screen, shrink the board and keep it at the top while the user reads the review.
 * @param {HTMLElement} play
 * @param {HTMLElement} review
 */
export function pinBoard(play, review) {
  const seen = new IntersectionObserver((changes) => {
    // A fast scroll reports several changes at once. The last one counts.
    const { isIntersecting } = changes[changes.length - 1];
    if (isIntersecting && !play.classList.contains("pinned")) play.parentElement?.style.setProperty("--reserved", `${play.offsetHeight}px`);
    play.classList.toggle("pinned", isIntersecting);
    if (isIntersecting) play.parentElement?.style.setProperty("--pinned", `${play.offsetHeight}px`);
  }, { rootMargin: "0px 0px -55%" });
  seen.observe(review);
}
