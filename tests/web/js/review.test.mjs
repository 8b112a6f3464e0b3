import assert from "node:assert/strict";
import { test } from "node:test";

import { main, read, reviews } from "./page.mjs";
const { fill, h } = await import("../../../src/number_duels/web/static/js/dom.js");
const { drawBoard } = await import("../../../src/number_duels/web/static/js/board.js");
const { markStep } = await import("../../../src/number_duels/web/static/js/board.js");
const { Replay } = await import("../../../src/number_duels/web/static/js/replay.js");
const { drawReview } = await import("../../../src/number_duels/web/static/js/review.js");

const texts = (element, selector) => [...element.querySelectorAll(selector)].map(read);

for (const [name, { scene, frames }] of Object.entries(reviews)) {
  const wrong = scene.findings.filter(({ verdict }) => !verdict.right);

  test(`all that the review of ${name} says is on the page`, () => {
    const { element } = drawReview(scene, { onTurn: () => {}, onAction: () => {} });
    const { headline, detail, prompt, tables, notes } = scene;
    const rows = tables.flatMap((table) => [table.title, ...table.columns, ...table.rows.flatMap(({ words, cells }) => [words, ...cells])]);
    const mixed = scene.findings.filter(({ often }) => often).flatMap(({ title, words, often, kind }) => [title, words, often, kind === "right" ? "" : kind]);
    const found = wrong.flatMap(({ title, verdict, right, actions }) => [title, ...verdict.sentences, right, ...actions.filter(({ key }) => key !== "solve").map(({ label }) => label)]);
    const page = read(element);
    assert.deepEqual([headline, detail, prompt, ...rows, ...notes, ...found, ...mixed].filter((text) => !page.includes(text)), []);
    assert.equal(element.querySelectorAll(".mistakes li").length, wrong.length);
    // One sentence, one board and two ways to learn; the answer is folded, to try again without it.
    for (const [index, mistake] of [...element.querySelectorAll(".mistakes > li")].entries()) {
      const [sentence, ...others] = [...mistake.children].filter(({ tagName }) => tagName === "P");
      assert.ok(read(sentence).endsWith(wrong[index].verdict.sentences[0]));
      assert.deepEqual(others, []);
      assert.equal(mistake.querySelectorAll(".small-board").length, 1);
      const keys = [...mistake.querySelector(".row").children].map((button) => button.dataset.key.split(" ")[0]);
      assert.deepEqual(keys, wrong[index].seat === 1 ? ["retry", "punished"] : ["punished"]);
      assert.ok(!mistake.querySelector("details").hasAttribute("open"));
    }
    assert.deepEqual(texts(element, ".decisive strong"), wrong.filter(({ decisive }) => decisive).map(({ verdict }) => `${verdict.headline} `));
  });

  test(`the chart of ${name} is drawn as it comes`, () => {
    const { element } = drawReview(scene, { onTurn: () => {}, onAction: () => {} });
    const chart = element.querySelector(".chart");
    assert.equal(chart.getAttribute("aria-label"), scene.chart.said);
    const lines = [...chart.querySelectorAll("polyline")].map((line) => line.getAttribute("points").split(" ").length);
    assert.deepEqual(lines, scene.chart.curves.map(({ points }) => points.length));
    assert.deepEqual(texts(chart, "circle title"), scene.chart.marks.map(({ seat, words }) => `${scene.sides[seat - 1].name}: ${words}`));
    const shown = texts(chart, "text");
    for (const [, label] of scene.chart.axis) assert.ok(shown.includes(label), label);
    assert.equal(chart.querySelectorAll(".hollow").length, scene.chart.marks.filter(({ own }) => !own).length);
    assert.equal(read(element.querySelector("figcaption")), scene.chart.title);
    assert.deepEqual(texts(element, ".legend span"), scene.chart.legend);
  });

  test(`what can be done about a mistake in ${name} is sent with it`, () => {
    const sent = [];
    const { element } = drawReview(scene, { onTurn: (turn) => sent.push(turn), onAction: (key, finding) => sent.push([key, finding.key]) });
    for (const button of element.querySelectorAll(".mistakes button")) button.click();
    assert.deepEqual(sent, wrong.flatMap(({ key, turn, actions }) => [turn, ...actions.filter((action) => action.key !== "solve").map((action) => [action.key, key])]));
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
      const gains = frame.changed.filter(({ place, note }) => place === null && note).map(({ note }) => note);
      assert.deepEqual(texts(board, ".gain").sort(), gains.sort());
    }
    if (wrong.length === 0) return;
    replay.follow(wrong[0].frames, { title: wrong[0].line, leave: () => {} });
    assert.ok(read(main.querySelector(".what-if")).startsWith(wrong[0].line));
    assert.equal(read(main.querySelector(".told > p")), wrong[0].frames[1].said);
    replay.leave();
    assert.equal(main.querySelector(".what-if"), null);
  });
}
