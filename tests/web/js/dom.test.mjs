import assert from "node:assert/strict";
import { test } from "node:test";

import { heard, main } from "./page.mjs";
const { fill, h, speak } = await import("../../../src/number_duels/web/static/js/dom.js");

test("an element has its attributes, its listeners, and text that is never markup", () => {
  let pressed = 0;
  const found = h("button", { class: "wide", hidden: true, title: null, onclick: () => (pressed += 1) }, "<b>", [1, false, null, [h("i")]]);
  found.click();
  assert.equal(pressed, 1);
  assert.equal(found.outerHTML, '<button class="wide" hidden="">&lt;b&gt;1<i></i></button>');
});

test("new content keeps the focus on what has the same key", () => {
  const buttons = () => ["one", "two"].map((key) => h("button", { "data-key": key }, key));
  fill(main, buttons());
  const before = main.querySelector("[data-key=two]");
  before.focus();
  fill(main, buttons());
  assert.notEqual(document.activeElement, before);
  assert.equal(document.activeElement.dataset.key, "two");
  fill(main);
  assert.equal(main.textContent, "");
});

test("what is said twice is heard once, and the last five lines stay", () => {
  for (const text of ["a", "a", "b", "c", "d", "e", "f"]) speak(text);
  assert.deepEqual(heard(), ["b", "c", "d", "e", "f"]);
});
