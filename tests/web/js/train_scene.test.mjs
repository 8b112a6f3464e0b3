import assert from "node:assert/strict";
import { test } from "node:test";

import { heard, read, scene, told } from "./page.mjs";
const { h } = await import("../../../src/number_duels/web/static/js/dom.js");
const { drawRemark, drawVerdict, Session, spoken } = await import("../../../src/number_duels/web/static/js/train_session.js");

const { drawFigures } = Session.prototype;
const drawn = (shown) => h("section", {}, drawVerdict(shown), drawFigures(shown));
const texts = (element, selector) => [...element.querySelectorAll(selector)].map(read);

for (const right of [true, false]) {
  test(`an answer that is ${right ? "right" : "wrong"} has its verdict, its words and its reasons`, () => {
    const { verdict, ...rest } = scene("drills", told(right));
    const found = drawn({ verdict, ...rest });
    assert.equal(found.querySelector("h2").className, `verdict ${right ? "right" : "wrong"}`);
    assert.deepEqual(texts(found, "h2"), [`${right ? "✓" : "✗"}${verdict.headline}`]);
    assert.match(verdict.sentences[0], /^Your answer: (add|subtract) \d\.$/);
    assert.equal(texts(found, "p")[0], verdict.sentences.join(" "));
    assert.equal(spoken({ verdict, ...rest }), [verdict.headline, ...verdict.sentences].join(" "));
  });
}

test("a mixed strategy is told in words", () => {
  const { verdict } = scene("mixed", told(true));
  assert.match(verdict.sentences[0], /^Your answer: \d \(\d+%\), \d/);
});

test("every option is in a table, with its figures and a bar", () => {
  const shown = scene("drills", ({ tables }) => tables.length === 2);
  const found = drawn(shown);
  assert.deepEqual(texts(found, "thead th"), shown.tables.flatMap(({ head }) => [head, "chance"]));
  const rows = shown.tables.flatMap((table) => table.rows);
  assert.deepEqual(texts(found, ".named"), rows.map(({ short }) => short));
  const first = rows.filter(({ same }) => !same);
  assert.deepEqual(texts(found, "tbody .note"), first.map(({ said }) => said));
  assert.deepEqual(texts(found, "tbody .value"), first.map(({ cells }) => cells[0]));
  const bars = [...found.querySelectorAll(".bar")].map((bar) => Number(bar.style.getPropertyValue("--share")));
  assert.deepEqual(bars, first.map(({ share }) => share));
});

test("a series shows what was chosen, how sure that is, and perfect play", () => {
  const shown = scene("one spot", ({ tables }) => tables.at(-1)?.sentences.length > 0);
  const { title, sentences, rows } = shown.tables.at(-1);
  const found = drawn(shown).querySelector(".series");
  assert.deepEqual(texts(found, "summary"), [`Your ${title}, compared with perfect play`]);
  assert.deepEqual(texts(found, "p"), sentences);
  const [{ words, cells, share, range, mark }] = rows;
  assert.equal(read(found.querySelector("tbody tr")), `${words}${cells[0]} (${cells[1]})${cells[2]}`);
  const style = found.querySelector(".range").style;
  const places = ["share", "low", "high", "perfect"].map((name) => Number(style.getPropertyValue(`--${name}`)));
  assert.deepEqual(places, [share, ...range, mark]);
});

test("the line to share is there once, and is copied", async () => {
  const shown = scene("the daily puzzle", ({ stage }) => stage === "over");
  assert.match(shown.share, /⬛⬛⬛/);
  const found = h("section", {}, drawRemark(shown), drawVerdict(shown), drawFigures(shown));
  assert.equal(read(found).split(shown.share).length, 2);
  assert.equal(spoken(shown), [shown.verdict.headline, ...shown.verdict.sentences].join(" "));
  const copied = [];
  navigator.clipboard.writeText = async (text) => void copied.push(text);
  found.querySelector("[data-key=copy]").click();
  await new Promise(setImmediate);
  assert.match(shown.share_path, /^\/daily\/\d{4}-\d\d-\d\d$/);
  assert.deepEqual(copied, [`${shown.share}\n${location.origin}${shown.share_path}`]);
  assert.equal(heard().at(-1), "Copied.");
});
