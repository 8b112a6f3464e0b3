/** The review of a finished game: the chart, the move on the board, the mistakes and the figures. */

import { drawChart } from "./chart.js";
import { fill, h, whole } from "./dom.js";
import { more } from "./more.js";
import { here } from "./transport.js";

/** The actions in the menu of a mistake. */
const FEW_ACTIONS = ["again", "analyze", "card"];

/**
 * @typedef {object} Use
 * @property {(turn: number) => void} onTurn
 * @property {(key: string, finding: Finding, from: HTMLElement) => void} onAction
 */

/**
 * Draw a review. `mark` is called with the turn that the board shows.
 * @param {Scene} scene
 * @param {Use} use
 * @returns {{element: HTMLElement, rest: HTMLElement, mark: (turn: number) => void}} `rest` is folded
 */
export function drawReview(scene, use) {
  const { headline, detail, prompt, findings, groups, tables, notes, actions, chart } = scene;
  const order = groups.flatMap(({ keys }) => keys).map((key) => /** @type {Finding} */ (findings.find((each) => each.key === key)));
  const mixed = findings.filter(({ often }) => often);
  const decided = findings.find((each) => actions.some(({ key }) => key === `go ${each.key}`));
  const go = (/** @type {number} */ turn) => {
    use.onTurn(turn);
    card.scrollIntoView({ block: "nearest" });
  };
  /** In a narrow window the board is small, and in sight, above the card. */
  const isNarrow = () => matchMedia("(max-width: 56rem)").matches;
  const graph = drawChart(scene, go);
  const card = h("section", { class: "finding", "aria-label": "The move on the board" });
  /** The decision that the card describes. @type {Finding | undefined} */
  let shown;
  const select = (/** @type {Finding} */ finding) => {
    shown = finding;
    fill(card);
    go(finding.turn);
    if (isNarrow()) card.scrollIntoView();
  };
  const own = order.filter((finding) => finding.actions.some(({ key }) => key === "retry"));
  const next = () => {
    const following = own[shown ? own.indexOf(shown) + 1 : 0];
    return following && h("button", { type: "button", class: shown ? "quiet" : null, "data-key": "next mistake", onclick: () => select(following) }, shown ? actions.find(({ key }) => key === "mistake")?.label : "Show the mistake");
  };
  /** Stays beside the heading of the list, or below the card, whatever the card describes. */
  const following = h("span", {});
  const rows = new Map(order.map((finding) => [finding, drawRow(finding, () => select(finding))]));
  const list = (/** @type {string[]} */ keys) => h("ol", { class: "mistakes" }, order.filter(({ key }) => keys.includes(key)).map((finding) => h("li", {}, rows.get(finding))));
  const mark = (/** @type {number} */ turn) => {
    graph.mark(turn);
    const here = findings.filter((each) => each.turn === turn);
    const found = here.find((each) => each === shown) ?? order.find((each) => each.turn === turn) ?? here.find((each) => each.seat === chart?.seat) ?? here[0];
    for (const [finding, row] of rows) row.toggleAttribute("aria-current", finding === found);
    // The focus stays in a card that is not drawn again.
    if (found && found === shown && card.childElementCount > 0) return;
    shown = found;
    fill(following, next());
    card.className = `finding${found ? ` seat-${found.seat}` : ""}`;
    fill(card, found ? drawFinding(found, use) : h("p", {}, detail));
  };
  const decides = decided && h("button", { type: "button", "data-key": decided.key, onclick: () => select(decided) }, actions.find(({ key }) => key === `go ${decided.key}`)?.label);
  fill(card, h("p", {}, whole(headline)), own.length === 0 && prompt && h("p", { class: "note" }, prompt), h("div", { class: "row" }, own.length > 0 && drawAction("retry", own[0], use), decides, next()));
  // A single mistake has the card alone.
  const isFolded = (/** @type {{folded: boolean}} */ { folded }) => folded || own.length === 1;
  const rest = h(
    "details",
    {},
    h("summary", {}, "More about this game"),
    groups.filter(isFolded).map(({ title, keys }) => [h("h3", {}, title), list(keys)]),
    tables.map(drawFigures),
    mixed.length > 0 && [h("h3", {}, "Mixed strategies"), drawMixed(mixed, use)],
    notes.map((text) => h("p", { class: "note" }, text)),
  );
  const element = h(
    "div",
    { class: "review" },
    h("h2", {}, "Review"),
    card,
    own.length === 1 && h("div", { class: "row" }, following),
    groups.filter((group) => !isFolded(group)).map(({ title, keys }, index) => [h("div", { class: "listed" }, h("h3", {}, title), index === 0 && following), list(keys)]),
    graph.element,
    rest,
  );
  /** Put the reader's biggest mistake on the board. */
  const open = () => {
    if (!element.isConnected || own.length === 0) return;
    select(own[0]);
    card.querySelector("button")?.focus({ preventScroll: true });
  };
  addEventListener("click", ({ target }) => target instanceof Element && target.closest("[href='#review']") && open());
  // The caller shows the review first.
  if (here().hash === "#review") queueMicrotask(open);
  return { element, rest, mark };
}

/**
 * Draw both players' figures side by side.
 * @param {Table} table
 */
function drawFigures({ title, columns, rows }) {
  return h(
    "table",
    { class: "figures" },
    h("caption", { class: "unseen" }, title),
    h("thead", {}, h("tr", {}, h("td"), rows.map(({ words, seat }) => h("th", { scope: "col", class: `seat-${seat}` }, h("bdi", {}, words))))),
    h("tbody", {}, columns.map((name, index) => h("tr", {}, h("th", { scope: "row" }, name), rows.map(({ cells }) => h("td", {}, whole(cells[index])))))),
  );
}

/**
 * Draw the probability of each choice where perfect play is mixed.
 * @param {Finding[]} mixed
 * @param {Use} use
 */
function drawMixed(mixed, { onTurn }) {
  const graded = mixed.some(({ kind }) => kind !== "right");
  const row = (/** @type {Finding} */ { turn, seat, title, words, often, kind }) =>
    h("tr", {}, h("th", { scope: "row", class: `seat-${seat}` }, h("button", { type: "button", class: "quiet", onclick: () => onTurn(turn) }, title)), h("td", {}, whole(words)), h("td", {}, often), graded && h("td", {}, kind));
  return [
    h("p", { class: "note" }, "How often perfect play makes the same choice:"),
    h("table", { class: "figures mixed" }, h("thead", {}, h("tr", {}, h("td"), ["Choice", "Perfect play", ...(graded ? ["Grade"] : [])].map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, mixed.map(row))),
  ];
}

/**
 * Draw a mistake as a line of the list.
 * @param {Finding} finding
 * @param {() => void} onSelect
 */
function drawRow({ key, seat, title, words, cost }, onSelect) {
  return h("button", { type: "button", class: `seat-${seat}`, "data-key": `mistake ${key}`, onclick: onSelect }, h("span", {}, title), " ", h("b", {}, whole(words)), " ", h("span", { class: "cost" }, `−${cost}`));
}

/**
 * Draw the button of an action, if a decision offers it.
 * @param {string} wanted
 * @param {Finding} finding
 * @param {Use} use
 */
function drawAction(wanted, finding, { onAction }) {
  const { key, title, actions } = finding;
  const action = actions.find((each) => each.key === wanted);
  return action && h("button", { type: "button", "data-key": `${wanted} ${key}`, "aria-label": `${action.label}: ${title}`, onclick: (event) => onAction(wanted, finding, event.currentTarget) }, action.label);
}

/**
 * Draw a decision: its grade and cost, a sentence, and one line of buttons. The better move and
 * the other sentences are shown on demand, so that a mistake can be tried again without them.
 * @param {Finding} finding
 * @param {Use} use
 */
function drawFinding(finding, use) {
  const { key, title, words, verdict: { headline, sentences: [sentence, ...others], right: good }, right, cost, kind, blunder } = finding;
  const draw = (/** @type {string} */ wanted) => drawAction(wanted, finding, use);
  const told = [h("h3", {}, h("span", {}, `${title}: `, whole(words), " ", h("small", { class: blunder ? "blunder" : kind }, headline.replace(/\.$/, ""))), cost && h("span", { class: "cost" }, `−${cost}`)), sentence && h("p", {}, whole(sentence))];
  if (good) return [told, others.length > 0 && h("p", { class: "note" }, whole(others.join(" ")))];
  const answer = h("div", { class: "right", role: "status" });
  const show = (/** @type {{currentTarget: HTMLElement}} */ { currentTarget }) => {
    fill(answer, [right, ...others].map((text) => h("p", {}, whole(text))));
    currentTarget.closest("details")?.removeAttribute("open");
    use.onAction("better", finding, currentTarget);
  };
  const again = draw("retry");
  again?.classList.add("primary");
  const better = right && h("button", { type: "button", "data-key": `better ${key}`, onclick: show }, "Show the better move");
  return [told, h("div", { class: "row" }, again || better, draw("punished"), more(again && better, FEW_ACTIONS.map(draw))), answer];
}
