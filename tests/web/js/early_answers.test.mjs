import assert from "node:assert/strict";
import { test } from "node:test";

import { EarlyAnswers } from "../../../src/number_duels/web/page/early_answers.js";

const PREPARED = {
  "GET /api/catalogue ": { status: 200, body: '{"games":[]}', fixed: true },
  "GET /api/me ": { status: 200, body: '{"created":null}' },
  'POST /api/games {"game":"x"}': { status: 201, body: '{"id":"old"}', game: "old", seeds: 2 },
  "GET /api/games/old ": { status: 200, body: '{"id":"old","turn":1}' },
};
const VIEWS = ['{"id":"old","card":4}', '{"id":"old","turn":3,"card":4}', '{"id":"old","turn":3,"card":9}'];
/** With both seeds, a card is drawn and then kept. With the second one, it is another card, and it can't be kept. */
const REPLIES = { seeds: [[1, { 'draw {"turn":1}': [0, { 'moves {"move":"k"}': [1, {}] }] }], [2, { 'draw {"turn":1}': [2, {}] }]], views: VIEWS };
const get = (path) => ({ method: "GET", path, body: "" });
const post = (path, body) => ({ method: "POST", path, body: JSON.stringify(body) });
const read = async (answer) => JSON.parse(typeof (await answer).body === "string" ? (await answer).body : new TextDecoder().decode((await answer).body));
const settle = () => new Promise((resolve) => setTimeout(resolve));

/** Early answers, what Python was asked so far, and a function that lets it answer the oldest request. */
function before(kept = {}, ready = Promise.resolve(), load = async () => REPLIES) {
  const asked = [];
  const waiting = [];
  const memory = { texts: { ...kept }, recall: (name) => memory.texts[name] ?? "", keep: (name, text) => (memory.texts[name] = text) };
  const told = [];
  const early = new EarlyAnswers(PREPARED, load, (request) => (asked.push(request), new Promise((take) => waiting.push(take))), memory, () => told.push("running"), ready);
  const reply = async (data) => {
    waiting.shift()({ status: 200, headers: [], body: new TextEncoder().encode(JSON.stringify(data)) });
    await settle();
  };
  return { early, asked, reply, memory, told };
}

test("a game is shown before Python runs, and started under the same id when it does", async () => {
  const { early, asked, reply, told } = before();
  const { id } = await read(early.send(post("/api/games", { game: "x" })));
  assert.match(id, /^[0-9a-f]{24}$/);
  assert.deepEqual(await read(early.send(get(`/api/games/${id}`))), { id, turn: 1 });
  const moved = early.send(post(`/api/games/${id}/moves`, { move: "7" }));
  await settle();
  assert.deepEqual(asked.map(({ path, game }) => [path, game]), [["/api/games", id]]);
  await reply({ id });
  assert.deepEqual(told, ["running"]);
  await reply({ id, turn: 1 });
  await reply({ id, turn: 2 });
  assert.deepEqual(await read(moved), { id, turn: 2 });
  assert.deepEqual(asked.map(({ path }) => path), ["/api/games", `/api/games/${id}`, `/api/games/${id}/moves`]);
  assert.deepEqual(told, ["running"]);
});

test("a game that Python could not start is started when the page is open again", async () => {
  const { early, memory } = before({}, new Promise(() => {}));
  const { id } = await read(early.send(post("/api/games", { game: "x" })));
  const again = before(memory.texts);
  assert.deepEqual(await read(again.early.send(get(`/api/games/${id}`))), { id, turn: 1 });
  await settle();
  assert.deepEqual(again.asked.map(({ path, game }) => [path, game]), [["/api/games", id]]);
  await again.reply({ id });
  const third = before(again.memory.texts);
  await settle();
  assert.deepEqual(third.asked, []);
});

test("Python first does what was answered early", async () => {
  let start;
  const { early, asked, reply } = before({}, new Promise((resolve) => (start = resolve)));
  early.send(get("/api/slow"));
  early.send(get("/api/me"));
  await settle();
  assert.deepEqual(asked, []);
  start();
  await settle();
  await reply({ created: null });
  assert.deepEqual(asked.map(({ path }) => path), ["/api/me", "/api/slow"]);
});

const NEVER = new Promise(() => {});

test("what is recorded is answered at once, and Python does it later in the same order", async () => {
  let start;
  const { early, asked, reply } = before({}, new Promise((resolve) => (start = resolve)));
  const { id } = await read(early.send(post("/api/games", { game: "x" })));
  assert.deepEqual(await read(early.send(post(`/api/games/${id}/draw`, { turn: 1 }))), { id, card: 4 });
  assert.deepEqual(await read(early.send(post(`/api/games/${id}/moves`, { move: "k" }))), { id, turn: 3, card: 4 });
  assert.deepEqual(await read(early.send(get(`/api/games/${id}`))), { id, turn: 3, card: 4 });
  const next = early.send(post(`/api/games/${id}/moves`, { move: "g" }));
  await settle();
  assert.deepEqual(asked, []);
  start();
  await settle();
  for (let number = 0; number < 5; number += 1) await reply({ number });
  assert.deepEqual(await read(next), { number: 4 });
  assert.deepEqual(asked.map(({ path, seed, settled }) => [path.replace(id, "ID"), seed, settled]), [
    ["/api/games", 1, true],
    ["/api/games/ID/draw", undefined, true],
    ["/api/games/ID/moves", undefined, true],
    ["/api/games/ID", undefined, true],
    ["/api/games/ID/moves", undefined, undefined],
  ]);
});

test("each game takes the next seed", async () => {
  const { early, memory } = before({}, NEVER);
  const drawn = async ({ id }, by) => (await read(by.send(post(`/api/games/${id}/draw`, { turn: 1 })))).card;
  const start = (by) => read(by.send(post("/api/games", { game: "x" })));
  assert.equal(await drawn(await start(early), early), 4);
  assert.equal(await drawn(await start(early), early), 9);
  const again = before(memory.texts, NEVER).early;
  assert.equal(await drawn(await start(again), again), 4);
});

test("a move that was answered early is still made when the page is open again", async () => {
  const { early, memory } = before({}, NEVER);
  const { id } = await read(early.send(post("/api/games", { game: "x" })));
  await early.send(post(`/api/games/${id}/draw`, { turn: 1 }));
  await early.send(post(`/api/games/${id}/moves`, { move: "k" }));
  const again = before(memory.texts);
  assert.deepEqual(await read(again.early.send(get(`/api/games/${id}`))), { id, turn: 3, card: 4 });
  for (let number = 0; number < 3; number += 1) await again.reply({ number });
  assert.deepEqual(again.asked.slice(0, 3).map(({ path, seed }) => [path.replace(id, "ID"), seed]), [["/api/games", 1], ["/api/games/ID/draw", undefined], ["/api/games/ID/moves", undefined]]);
});

test("without the recorded replies, Python answers", async () => {
  const { early, asked, reply } = before({}, Promise.resolve(), () => Promise.reject(new TypeError("offline")));
  const { id } = await read(early.send(post("/api/games", { game: "x" })));
  const moved = early.send(post(`/api/games/${id}/draw`, { turn: 1 }));
  await settle();
  await reply({ id });
  await reply({ card: 7 });
  assert.deepEqual(await read(moved), { card: 7 });
  assert.equal(asked.length, 2);
});

test("two games have different ids", async () => {
  const { early } = before();
  const [one, two] = await Promise.all([1, 2].map(() => read(early.send(post("/api/games", { game: "x" })))));
  assert.notEqual(one.id, two.id);
  assert.equal((await read(early.send(get(`/api/games/${one.id}`)))).id, one.id);
});

test("once Python runs, it answers everything but what never changes", async () => {
  const { early, asked, reply } = before();
  early.send(get("/api/me"));
  await settle();
  await reply({ created: null });
  const answer = early.send(post("/api/games", { game: "x" }));
  await settle();
  await reply({ id: "new" });
  assert.deepEqual(await read(answer), { id: "new" });
  assert.deepEqual(await read(early.send(get("/api/catalogue"))), { games: [] });
  assert.deepEqual(asked.map(({ path, game }) => [path, game]), [["/api/me", undefined], ["/api/games", undefined]]);
});

test("what Python fails to do early does not hold up the rest", async () => {
  let fails = true;
  const early = new EarlyAnswers(PREPARED, async () => REPLIES, async () => {
    if (fails) throw new TypeError("lost");
    return { status: 200, headers: [], body: new TextEncoder().encode("{}") };
  }, { recall: () => "", keep: () => {} }, () => {}, Promise.resolve());
  await early.send(get("/api/me"));
  await settle();
  fails = false;
  assert.deepEqual(await read(early.send(get("/api/other"))), {});
});

test("the profile is remembered for the next visit until it is deleted", async () => {
  const { early, reply, memory } = before({ "/api/me": '{"created":"2026","name":"Ann"}' });
  assert.deepEqual(await read(early.send(get("/api/me"))), { created: "2026", name: "Ann" });
  await settle();
  await reply({ created: "2026", name: "Bo" });
  assert.deepEqual(JSON.parse(memory.texts["/api/me"]), { created: "2026", name: "Bo" });
  const renamed = early.send(post("/api/me", { name: "Cy" }));
  await settle();
  await reply({ created: "2026", name: "Cy" });
  await renamed;
  assert.equal(JSON.parse(memory.texts["/api/me"]).name, "Cy");
  early.send({ method: "DELETE", path: "/api/me", body: "" });
  await settle();
  await reply({});
  assert.equal(memory.texts["/api/me"], "");
});
