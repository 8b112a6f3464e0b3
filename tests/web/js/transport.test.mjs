import assert from "node:assert/strict";
import { test } from "node:test";

import { Window } from "happy-dom";

/** The page in a frame of the page without a server, and what it asked the page around it. */
const asked = [];
let hear = null;
const shell = {
  send: async (request) => (asked.push(request), { status: 201, headers: [["x-kind", "prepared"]], body: new TextEncoder().encode('{"id":7}') }),
  openEvents: (path, take) => ((hear = take), asked.push(path), () => asked.push("closed")),
  go: (path) => asked.push(path),
  setAddress: (path, push) => asked.push([path, push]),
};
const window = new Window({ url: "http://host/some/path/0123/pages/train.html?/train?game=x#lesson" });
for (const name of ["document", "Element", "location", "history", "MutationObserver"]) Object.defineProperty(globalThis, name, { value: window[name], configurable: true });
globalThis.window = window;
globalThis.parent = { shell };
globalThis.addEventListener = window.addEventListener.bind(window);
document.body.innerHTML = '<a id="page" href="/rules/x">Rules</a><a id="part" href="#book"><b>Book</b></a>';
const transport = await import("../../../src/number_duels/web/page/transport.js");

const click = (selector) => document.querySelector(selector).dispatchEvent(new window.MouseEvent("click", { bubbles: true, cancelable: true, button: 0 }));

test("a request is passed to the page around, and its answer is a response", async () => {
  const answer = await transport.send("/api/games", { method: "POST", headers: { a: "b" }, body: "{}" });
  assert.deepEqual(asked.pop(), { method: "POST", path: "/api/games", headers: { a: "b" }, body: "{}" });
  assert.deepEqual([answer.status, answer.headers.get("x-kind"), (await answer.json()).id], [201, "prepared", 7]);
});

test("the address is the one that a server would know", () => {
  const { pathname, search, hash } = transport.here();
  assert.deepEqual([pathname, search, hash], ["/train", "?game=x", "#lesson"]);
  assert.equal(transport.publicAddress("/daily/2026-01-05"), "http://host/some/path/#/daily/2026-01-05");
});

test("events arrive whole, however their chunks are cut", () => {
  const source = transport.openEvents("/api/events?game=7");
  const heard = [];
  for (const kind of ["view", "alive"]) source.addEventListener(kind, ({ data }) => heard.push([kind, JSON.parse(data)]));
  const text = 'retry: 1000\n\nevent: view\nid: 3\ndata: {"name":"é: 1"}\n\n: still here\nevent: alive\ndata:{"every_s":15}\n\n';
  for (const byte of new TextEncoder().encode(text)) hear(new Uint8Array([byte]));
  source.close();
  assert.deepEqual(heard, [["view", { name: "é: 1" }], ["alive", { every_s: 15 }]]);
  assert.deepEqual(asked.splice(0), ["/api/events?game=7", "closed"]);
});

test("links lead to pages of the page around, also those drawn later", async () => {
  document.body.insertAdjacentHTML("beforeend", '<a id="new" href="/daily/1">Daily</a>');
  await window.happyDOM.waitUntilComplete();
  for (const id of ["page", "new"]) assert.match(document.getElementById(id).getAttribute("href"), /^http:\/\/host\/some\/path\/#\//);
  click("#new");
  click("#part b");
  assert.deepEqual(asked.splice(0), ["/daily/1", "/train?game=x#book"]);
});
