import assert from "node:assert/strict";
import { test } from "node:test";

import "./page.mjs";
const { Chooser } = await import("../../../src/number_duels/web/static/js/question.js");

const answer = (text, rest) => ({ text, label: text, at: [], note: "", ...rest });
const number = (text, moves) => answer(text, { next: { text: "", answers: moves.map((move) => answer(move, { move })) } });

test("a hint frames the numbers of its first move if most numbers lead to one", () => {
  const chooser = new Chooser(document.createElement("div"), () => {}, () => {});
  const answers = [number("8", ["8-3", "8+1"]), number("3", ["8-3"]), number("1", ["8+1"])];
  const framed = () => answers.filter((each) => chooser.isBest(each)).map(({ text }) => text);
  chooser.ask({ text: "", answers });
  chooser.best = ["8-3", "8+1"];
  assert.deepEqual(framed(), ["8", "3"]);
  answers.push(number("5", ["5"]), number("6", ["6"]), number("7", ["7"]));
  assert.deepEqual(framed(), ["8", "3", "1"]);
});
