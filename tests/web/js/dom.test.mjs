import assert from "node:assert/strict";
import { test } from "node:test";

import { heard, main } from "./page.mjs";
const { fill, h, speak, whole } = await import("../../../src/number_duels/web/static/js/dom.js");

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

test("no line breaks within a sum, a fall of a winning chance, or a word with a hyphen", () => {
  const text = "High-Low Battle: 9 - 8 = 1: it lowers it from 100% to 50.5%, at -1 on 2026-11-18, 8 + 6, 31 / 48.";
  const found = h("p", {}, whole(text));
  assert.equal(found.textContent, text.replaceAll(" -", " \u2212"));
  assert.deepEqual([...found.querySelectorAll(".whole")].map((each) => each.textContent), ["High-Low", "9 \u2212 8 = 1:", "100% to 50.5%", "8 + 6", "31 / 48."]);
  assert.equal(h("p", {}, whole("")).childNodes.length, 0);
});
