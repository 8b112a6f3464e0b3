import assert from "node:assert/strict";
import { test } from "node:test";

import { read } from "./page.mjs";
const { folded, mixture, share, shortened } = await import("../../../src/number_duels/web/static/js/bars.js");

const option = (move, value, probability = 0) => ({ move, label: `Bid ${move}`, value, guarantee: value, probability });

test("a value is a share, and a label is as short as it can be", () => {
  assert.deepEqual([-1, 0, 1.1].map(share), [0, 0.5, 1]);
  assert.equal(shortened("Add: 8 + 3 = 11"), "8 + 3 = 11");
});

test("options that read the same are one group, in the order of their numbers", () => {
  const groups = folded([option("10", 1), option("9", 1), option("1", 0)], false);
  assert.deepEqual(groups.map((group) => group.map(({ move }) => move)), [["9", "10"], ["1"]]);
});

test("a mixture has an area for each choice that is made, and one choice is none", () => {
  const found = mixture([option("1", 0, 0.75), option("2", 0, 0.25), option("3", 0)]);
  assert.deepEqual([...found.querySelectorAll("b")].map(read), ["1", "2"]);
  assert.equal(mixture([option("1", 0, 1)]), null);
});
