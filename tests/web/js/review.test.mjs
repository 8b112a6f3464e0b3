import assert from "node:assert/strict";
import { test } from "node:test";

import { main, read, reviews } from "./page.mjs";
const { fill, h } = await import("../../../src/number_duels/web/static/js/dom.js");
const { drawBoard } = await import("../../../src/number_duels/web/static/js/board.js");
const { markStep } = await import("../../../src/number_duels/web/static/js/board.js");
const { Replay } = await import("../../../src/number_duels/web/static/js/replay.js");
const { pinBoard } = await import("../../../src/number_duels/web/static/js/game_over.js");
const { drawReview } = await import("../../../src/number_duels/web/static/js/review.js");

const texts = (element, selector) => [...element.querySelectorAll(selector)].map(read);

const buttons = (element) => [...element.querySelectorAll("button[data-key]")].map(({ dataset }) => dataset.key);

for (const [name, { scene, frames }] of Object.entries(reviews)) {
  const wrong = scene.findings.filter(({ verdict }) => !verdict.right);
  /** A review whose board is the replay: a turn that is asked for is shown. */
  const draw = (use = {}) => {
    const review = drawReview(scene, { onTurn: (turn) => review.mark(turn), onAction: () => {}, ...use });
    return review;
  };

  test(`all that the review of ${name} says is on the page`, () => {
    const { element, mark } = draw();
    const card = element.querySelector(".finding");
    const { headline, detail, prompt, tables, notes } = scene;
    const rows = tables.flatMap((table) => [table.title, ...table.columns, ...table.rows.flatMap(({ words, cells }) => [words, ...cells])]);
    const mixed = scene.findings.filter(({ often }) => often).flatMap(({ title, words, often }) => [title, words, often]);
    for (const cell of texts(element, ".mixed tbody td")) assert.notEqual(cell, "");
    const page = read(element);
    assert.deepEqual([headline, wrong.some(({ seat }) => seat === 1) ? "" : prompt, scene.chart.note, ...rows, ...notes, ...mixed].filter((text) => !page.includes(text)), []);
    assert.equal(element.querySelectorAll(".mistakes li").length, wrong.length);
    mark(0);
    assert.ok(read(card).includes(detail));
  });

  test(`a mistake of ${name} is told once, with its reason, and its answer is shown on demand`, () => {
    const { element } = draw();
    const card = element.querySelector(".finding");
    for (const finding of wrong) {
      const row = element.querySelector(`[data-key="mistake ${finding.key}"]`);
      row.click();
      assert.deepEqual([...element.querySelectorAll(".mistakes [aria-current]")], [row]);
      // The row is read as it looks.
      assert.equal(read(row), `${finding.title} ${finding.words} -${finding.cost}`);
      assert.equal(row.getAttribute("aria-label") ?? row.title, "");
      // The grade is a label; there is one sentence, and one line of buttons.
      const { headline, sentences: [first, ...others] } = finding.verdict;
      assert.equal(`${read(card.querySelector("h3 small"))}.`, headline);
      assert.deepEqual([...card.children].filter(({ tagName }) => tagName === "P").map(read), [first]);
      assert.doesNotMatch(first, /[.!?] /);
      const own = finding.seat === 1;
      const { key } = finding;
      const few = own ? ["better", "again", "analyze", "card"].map((each) => `${each} ${key}`) : [`analyze ${key}`];
      assert.equal(card.querySelectorAll(".row").length, 1);
      assert.deepEqual(buttons(card), [own ? `retry ${key}` : `better ${key}`, `punished ${key}`, ...few]);
      assert.ok(!read(card).includes(finding.right));
      card.querySelector("[data-key^=better]").click();
      assert.equal(read(card.querySelector(".right")), [finding.right, ...others].join(""));
      assert.ok(finding.better.length > 0);
    }
  });

  test(`the biggest of the reader's mistakes in ${name} can be tried at once`, () => {
    const own = [...wrong].filter(({ seat }) => seat === 1).sort((a, b) => b.loss - a.loss);
    const found = draw().element.querySelector(".finding [data-key^=retry]");
    assert.equal(found?.dataset.key, own[0] && `retry ${own[0].key}`);
  });

  test(`the reader's own mistakes of ${name} come first, the biggest first`, () => {
    const { element } = draw();
    const listed = buttons(element).filter((key) => key.startsWith("mistake ")).map((key) => wrong.find((finding) => `mistake ${finding.key}` === key));
    const expected = [...wrong].sort((a, b) => a.seat - b.seat || b.loss - a.loss);
    assert.deepEqual(listed.map(({ seat, loss }) => [seat, loss]), expected.map(({ seat, loss }) => [seat, loss]));
    for (const { seat, key } of wrong) if (seat === 2 && wrong[0].seat === 1) assert.ok(element.querySelector(`details [data-key="mistake ${key}"]`));
    // The same order leads through the reader's own. After the last there is no next one.
    const next = () => element.querySelector("[data-key='next mistake']");
    const own = listed.filter(({ seat }) => seat === 1);
    const shown = [];
    for (; next(); shown.push(element.querySelector(".mistakes [aria-current]").dataset.key)) next().click();
    assert.deepEqual(shown, own.map(({ key }) => `mistake ${key}`));
  });

  test(`every step of ${name} shows the verdict on its move`, () => {
    const { element, mark } = draw();
    const cursor = element.querySelector(".here");
    const places = frames.slice(1).map(({ turn }) => {
      mark(turn);
      const told = read(element.querySelector(".finding"));
      assert.ok(scene.findings.some((finding) => finding.turn === turn && told.includes(finding.title)), told);
      return Number(cursor.getAttribute("cx"));
    });
    assert.deepEqual(places, [...places].sort((a, b) => a - b));
    assert.equal(new Set(places).size, places.length);
  });

  test(`the chart of ${name} is drawn as it comes`, () => {
    const { element } = drawReview(scene, { onTurn: () => {}, onAction: () => {} });
    const chart = element.querySelector(".chart");
    assert.equal(chart.getAttribute("aria-label"), scene.chart.said);
    const lines = [...chart.querySelectorAll("polyline")].map((line) => line.getAttribute("points").split(" ").length);
    assert.deepEqual(lines, scene.chart.curves.map(({ points }) => points.length));
    assert.deepEqual(texts(chart, ".mistake title"), scene.chart.marks.map(({ seat, words, change }) => `${scene.sides[seat - 1].name}: ${words}${change && `; ${change}`}`));
    const [{ points }] = scene.chart.curves;
    const jumps = points.filter(([turn, height], index) => index > 0 && Math.abs(height - points[index - 1][1]) >= 0.2 && !scene.chart.marks.some((each) => each.turn === turn));
    assert.deepEqual(texts(chart, ".luck title").filter((text) => jumps.some(([turn]) => text.endsWith(` ${turn}: luck`))).length, jumps.length);
    const shown = texts(chart, "text");
    for (const [, label] of scene.chart.axis) assert.ok(shown.includes(label), label);
    assert.ok(shown.includes(Object.keys(frames[1].moves).length === 2 ? "Round" : "Turn"));
    assert.equal(chart.querySelectorAll(".hollow").length, scene.chart.marks.filter(({ own }) => !own).length);
    assert.equal(read(element.querySelector("figcaption")), scene.chart.title);
    assert.deepEqual(texts(element, ".legend [class^=seat-]"), scene.chart.legend);
    const [full, none] = [1, 0].map((height) => Number(chart.querySelectorAll("line.axis")[scene.chart.axis.findIndex(([each]) => each === height)].getAttribute("y1")));
    const y = (height) => (none + (full - none) * height).toFixed(3);
    assert.deepEqual([...chart.querySelectorAll(".mistake")].map((mark) => Number(mark.getAttribute("cy")).toFixed(3)), scene.chart.marks.map(({ height }) => y(height)));
  });

  test(`what can be done about a mistake in ${name} is sent with it`, () => {
    const sent = [];
    const { element } = draw({ onAction: (key, finding) => sent.push(`${key} ${finding.key}`) });
    const offered = wrong.flatMap(({ key }) => {
      element.querySelector(`[data-key="mistake ${key}"]`).click();
      const found = [...element.querySelectorAll(".finding button:not([data-key='next mistake'])")];
      for (const button of found) button.click();
      return found.map(({ dataset }) => dataset.key);
    });
    assert.deepEqual(sent, offered);
  });

  test(`the turns of ${name} are walked through, and every change is marked`, () => {
    const board = h("div", {});
    const replay = new Replay(frames, (frame) => {
      fill(board, drawBoard(frame.board, { 1: h("div", { class: "player" }), 2: h("div", { class: "player" }) }, 1));
      markStep(board, frame);
    });
    fill(main, board, replay.element);
    replay.go(0);
    assert.equal(read(main.querySelector(".told")), frames[0].said);
    for (const frame of frames.slice(1)) {
      main.querySelector("[data-key=Forward]").click();
      const said = frame.lines.filter((text, index) => text.trim() && frame.kinds[index] === "said");
      // One sentence, and the rest folded.
      assert.equal(read(main.querySelector(".told > p")), frame.said);
      assert.ok(!main.querySelector(".told details").hasAttribute("open"));
      const page = read(main.querySelector(".told details"));
      assert.deepEqual(said.filter((text) => !page.includes(text.replace(/\s+/g, " ").trim())), []);
      assert.equal(board.querySelectorAll(".just").length, frame.changed.length);
      assert.deepEqual(texts(board, ".made").sort(), Object.values(frame.short).sort());
      const gains = frame.changed.filter(({ place, note }) => place === null && note).map(({ note }) => note.replaceAll("\u2212", "-"));
      assert.deepEqual(texts(board, ".gain").sort(), gains.sort());
    }
    if (wrong.length === 0) return;
    replay.follow(wrong[0].frames, { title: wrong[0].line, board, leave: () => {} });
    // The board says above it that this did not happen, and leads back.
    assert.equal(read(board.previousElementSibling), `What if ${wrong[0].line}Back to the game`);
    // It begins with the reply.
    const [, made, reply] = wrong[0].frames;
    assert.equal(read(main.querySelector(".told > p")), (Object.keys(made.moves).length > 1 ? made : reply).said);
    replay.leave();
    assert.equal(main.querySelector(".what-if"), null);
    // The board shows the mistake again.
    assert.equal(read(main.querySelector(".told > p")), frames.find(({ turn }) => turn === wrong[0].turn).said);
  });
}

test("the last of several changes decides whether the board is pinned", () => {
  let report;
  globalThis.IntersectionObserver = class {
    constructor(callback) { report = callback; }
    observe() {}
  };
  const [play, review] = [h("div", {}), h("div", {})];
  fill(main, play, review);
  pinBoard(play, review);
  report([{ isIntersecting: false }, { isIntersecting: true }]);
  assert.ok(play.classList.contains("pinned"));
  report([{ isIntersecting: true }, { isIntersecting: false }]);
  assert.ok(!play.classList.contains("pinned"));
});
