import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const { chance, cost, percent } = await import("../../../src/number_duels/web/static/js/percent.js");
/** What the terminal writes. @type {{value: number, percent: string, chance: string, cost: string}[]} */
const figures = JSON.parse(readFileSync(process.env.FIGURES, "utf8"));

test("the page writes figures as the terminal does", () => {
  assert.ok(figures.length > 1000);
  for (const { value, ...written } of figures) {
    const share = Math.min(value, 1);
    assert.deepEqual({ percent: percent(share), chance: chance(share), cost: cost(value) }, written, `${value}`);
  }
});
