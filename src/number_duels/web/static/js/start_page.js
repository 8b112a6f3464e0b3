/** The start page: the user's games, a quick start and all games. */

import { catalogue, sentence } from "./api.js";
import { at, fill, h, whole } from "./dom.js";
import { drawLevels } from "./levels.js";
import { keptGame, keptLevel, NO_COOKIES, opponentAt, startGame } from "./new_game.js";
import { startDialog } from "./new_game_dialog.js";
import { markTab } from "./notifications.js";
import { drawFinished, drawRunning, followGames, waits } from "./own_games.js";
import { DailyCard } from "./daily_card.js";
import { drawPreview } from "./demo_boards.js";
import { myProfile, readGames } from "./profile.js";
import { drawProfile } from "./profile_section.js";
import { keptName, remember, remembers, takesCookies } from "./storage.js";
import { codeInAddress, enterCode } from "./transfer.js";
import { here, setAddress } from "./transport.js";

const daily = new DailyCard();
const REFRESH_INTERVAL_MS = 15_000;
const problem = h("p", { class: "problem", role: "alert" });
const own = { running: h("div", { class: "own running-place" }), finished: h("div", { class: "own" }), profile: h("div", { class: "own" }) };
/** The data that each place shows now. @type {Map<HTMLElement, string>} */
const shownData = new Map();

/**
 * Play the computer at once, at the level chosen last. An error appears below the pressed button.
 * @param {{currentTarget: Element} | null} event
 * @param {GameInfo} game
 * @param {Opponent[]} computers
 */
async function playNow(event, game, computers) {
  problem.textContent = "";
  event?.currentTarget.closest(".row")?.after(problem);
  try {
    await startGame({ game: game.name, name: keptName(), opponent: opponentAt(game, computers, keptLevel(computers)).who });
  } catch (refused) {
    problem.textContent = sentence(refused);
  }
}

/** The heading for each result of the last game. @type {Record<string, string>} */
const RESULTS = { drawn: "You drew the last game.", lost: "You lost the last game." };

/**
 * Draw the heading for a returning user: their last game, and how it ended. Only a win is large.
 * @param {GameLine} last
 */
const welcome = ({ title, status, kept, id }) => [
  h("h1", {}, whole(status === "won" ? `You won ${title}` : title)),
  h("p", {}, RESULTS[status], " ", kept && h("a", { href: `/play/${id}` }, status === "won" ? "See how" : status === "drawn" ? "See the review" : "See what decided it, and try again")),
];

/**
 * Draw the main button: play the computer at the level chosen last. A returning user sees their
 * last result instead of the introduction.
 * @param {GameInfo} game
 * @param {Opponent[]} computers
 * @param {GameLine | undefined} last the last finished game
 */
function invite(game, computers, last) {
  const slogan = [...document.querySelectorAll(".invite > h1, .lead")];
  return h(
    "section",
    { class: "invite" },
    last ? welcome(last) : slogan,
    h("p", { class: "featured" }, last?.title !== game.title && [h("strong", {}, whole(game.title)), " "], game.summary),
    h(
      "p",
      { class: "row" },
      h("button", { type: "button", class: "primary first", "data-key": "play", onclick: (event) => playNow(event, game, computers) }, last?.title === game.title ? "Play again" : "Play the computer"),
      h("a", { class: "button first with-server", href: `#${game.name}` }, "Play a friend"),
    ),
    problem,
    drawLevels(game, computers, "level-note").element,
    h("p", {}, h("a", { href: "#games-title" }, "Choose another game")),
    missing(),
  );
}

/** Warn if this browser blocks cookies or storage, and say what is lost. */
function missing() {
  if (!takesCookies()) return h("p", { class: "note" }, NO_COOKIES);
  return !remembers() && h("p", { class: "note" }, "This browser doesn't store anything for this page. Your name, level and theme are lost when you leave.");
}

/**
 * @param {GameInfo} game
 * @param {Opponent[]} computers
 */
const entry = (game, computers) =>
  h(
    "li",
    { class: "game" },
    drawPreview(game.preview),
    h("h3", {}, whole(game.title)),
    h("p", { class: "summary" }, game.summary),
    h(
      "p",
      { class: "row" },
      h("button", { type: "button", "aria-label": `Play now: ${game.title}, against the computer`, onclick: (event) => playNow(event, game, computers) }, "Play now"),
      h("a", { class: "button", href: `#${game.name}`, "aria-label": `Play ${game.title} with a friend` }, "With a friend"),
    ),
    h(
      "p",
      { class: "row more" },
      h("a", { href: `/rules/${game.name}`, "aria-label": `Rules of ${game.title}` }, "Rules"),
      h("a", { href: `/analysis/${game.name}`, "aria-label": `Analysis of ${game.title}` }, "Analysis"),
    ),
  );

/** @param {PageInfo} page */
const pageEntry = (page) => h("a", { class: "page", href: page.path }, h("strong", {}, page.title), h("span", { class: "summary" }, page.note));

/**
 * Show the user's own data, and how many games wait. Unchanged parts and typed text stay.
 * @param {Me} me
 */
function drawMine(me) {
  const { running, finished, ...who } = me;
  const unfolded = own.running.querySelector("details")?.open ?? false;
  whenChanged(own.running, running, () => drawRunning(running, unfolded));
  // The next visit reserves room for the running games above the heading.
  remember("duels-own", own.running.offsetHeight && running.some(isPlayed) ? `${own.running.offsetHeight}px` : "");
  whenChanged(own.finished, finished, () => drawFinished(finished));
  whenChanged(own.profile, who, () => drawProfile(me, refresh));
  markTab("Number Duels", running.filter(waits).length);
  followGames(running, refresh);
}

/**
 * Return true if a game is more than an invitation that nobody has accepted yet.
 * @param {GameLine} line
 */
const isPlayed = (line) => line.seated;

/**
 * @param {HTMLElement} place
 * @param {object} data
 * @param {() => Child} drawn
 */
function whenChanged(place, data, drawn) {
  const text = JSON.stringify(data);
  if (shownData.get(place) === text) return;
  shownData.set(place, text);
  fill(place, drawn());
}

/** Request the user's own data again. Errors are ignored: a later refresh tries again. */
async function refresh() {
  await myProfile().then(drawMine, () => {});
}

/**
 * @param {Catalogue} offered
 * @param {Me} me
 */
function draw(offered, me) {
  const computers = offered.opponents;
  // The heading and the buttons are about the same game.
  const featured = offered.games.find(({ title }) => title === me.finished[0]?.title) ?? keptGame(offered.games);
  fill(
    at("main"),
    me.running.some(isPlayed) && own.running,
    h("div", { class: "hero" }, invite(featured, computers, me.finished[0]), daily.element),
    // Open invitations alone don't push the button to play down.
    !me.running.some(isPlayed) && own.running,
    h("section", { "aria-labelledby": "games-title" }, h("h2", { id: "games-title" }, "The games"), h("ul", { class: "games" }, offered.games.map((game) => entry(game, computers)), h("li", { class: "besides" }, offered.pages.map(pageEntry)))),
    own.finished,
    own.profile,
  );
  drawMine(me);
  // The mistakes of the last games count, too.
  if (me.finished.length > 0) readGames().then((found) => found && daily.refreshBeside(), () => {});
  const route = () => {
    document.querySelector("dialog")?.remove();
    if (codeInAddress()) enterCode(refresh, codeInAddress());
    const [wish, name = wish] = here().hash.slice(1).split("/");
    const game = offered.games.find((each) => each.name === name);
    if (wish === "play") {
      setAddress("/");
      return playNow(null, game ?? keptGame(offered.games), computers);
    }
    if (!game) return;
    const dialog = startDialog(game, computers);
    document.body.append(dialog);
    dialog.showModal();
  };
  addEventListener("hashchange", route);
  route();
  addEventListener("pageshow", (event) => event.persisted && refresh());
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && refresh());
  setInterval(() => document.visibilityState === "visible" && refresh(), REFRESH_INTERVAL_MS);
}

addEventListener("keydown", (event) => daily.element.contains(document.activeElement) && daily.key(event));
daily.open();
Promise.all([catalogue(), myProfile()]).then(([offered, me]) => draw(offered, me)).catch((refused) => fill(at("main"), h("p", { class: "problem" }, sentence(refused))));
