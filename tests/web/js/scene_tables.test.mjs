import assert from "node:assert/strict";
import { test } from "node:test";

import { read, scene } from "./page.mjs";
const { h } = await import("../../../src/number_duels/web/static/js/dom.js");
const { drawChoices } = await import("../../../src/number_duels/web/static/js/choices.js");
const { drawTable, shortened } = await import("../../../src/number_duels/web/static/js/scene_tables.js");

const texts = (element, selector) => [...element.querySelectorAll(selector)].map(read);
const mixed = scene("an analysis", ({ path }) => path === "at the start");
const picked = scene("an analysis", ({ path }) => path.startsWith("at the start, "));
const table = ({ tables }, wanted) => tables.find(({ kind }) => kind === wanted);

test("a label is as short as it can be", () => {
  assert.equal(shortened("Add: 8 + 3 = 11"), "8 + 3 = 11");
});

test("options that read the same are in one row, each a button with its key", () => {
  const chosen = [];
  const options = table(mixed, "options");
  const found = drawTable(options, ({ key }) => chosen.push(key));
  assert.deepEqual([...found.querySelectorAll("tbody tr")].map((row) => texts(row, "button")), [["2", "3", "4"], ["1"]]);
  assert.deepEqual(texts(found, "thead th"), ["Play", "chance", "often", "at worst"]);
  assert.deepEqual(texts(found, "tbody tr:first-child td"), options.rows[0].cells);
  for (const button of found.querySelectorAll("button")) button.click();
  assert.deepEqual(chosen, options.rows.map(({ key }) => key));
  assert.equal(found.querySelectorAll(".best").length, 1);
});

test("without anything to choose, moves are words", () => {
  const found = drawTable(table(mixed, "options"));
  assert.equal(found.querySelectorAll("button").length, 0);
  assert.deepEqual(texts(found, ".named"), ["2", "3", "4", "1"]);
});

test("many moves that read the same are folded away", () => {
  const [row] = table(mixed, "options").rows;
  const rows = Array.from({ length: 20 }, (_, n) => ({ ...row, short: String(n), same: n > 0 }));
  const found = drawTable({ ...table(mixed, "options"), rows });
  assert.deepEqual(texts(found, "summary"), ["12 more"]);
  assert.equal(found.querySelectorAll(".named").length, 20);
});

test("what is picked stays pressed", () => {
  const found = h("div", {}, drawChoices(picked.tables, () => {}));
  assert.deepEqual(texts(found, "[aria-pressed=true]"), ["2"]);
  assert.equal(found.querySelectorAll(".seat-2 [aria-pressed]").length, 0);
});

test("each seat has its advice, its mixed strategy, and its options", () => {
  const found = h("div", {}, drawChoices(mixed.tables, () => {}));
  assert.deepEqual(texts(found, "h3"), ["Player 1", "Player 2"]);
  const said = mixed.tables.filter(({ kind }) => kind === "options").flatMap(({ sentences }) => sentences);
  assert.deepEqual(texts(found, "p"), said);
  assert.deepEqual(texts(found, ".seat-1 .area b"), ["2", "3", "4"]);
  assert.equal(found.querySelector(".areas").getAttribute("aria-label"), "play 2 33%, play 3 33%, play 4 33%");
});

test("what may be drawn has its odds and its key", () => {
  const shown = scene("an analysis with cards", ({ tables }) => tables.some(({ kind }) => kind === "draws"));
  const chosen = [];
  const draws = table(shown, "draws");
  const found = drawTable(draws, ({ key }) => chosen.push(key));
  assert.deepEqual(texts(found, "button"), draws.rows.map(({ short, cells }) => `${short}${cells[0]}`));
  found.querySelector("button").click();
  assert.deepEqual(chosen, [draws.rows[0].key]);
});

test("how it stands is a bar and a figure", () => {
  const found = drawTable(table(mixed, "balance"));
  assert.equal(read(found), "Player 1's winning chance: 50%");
  assert.equal(found.querySelector(".balance").style.getPropertyValue("--share"), "0.5");
});
