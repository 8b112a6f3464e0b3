import assert from "node:assert/strict";
import { test } from "node:test";

const { ViewQueue } = await import("../../../src/number_duels/web/static/js/view_queue.js");

const settled = () => new Promise((done) => setTimeout(done));
const view = (version, turn = 1) => ({ version, turn });

/** A queue, the versions that it has shown, and a finger that can be put on the board. */
function watched() {
  const shown = [];
  let lift = () => {};
  let touched = Promise.resolve();
  const queue = new ViewQueue(async ({ version }) => { shown.push(version); }, () => touched);
  const touch = () => { touched = new Promise((done) => { lift = done; }); };
  return { queue, shown, touch, lift: () => lift() };
}

test("no view is shown between a move and its answer, also if it came while a finger was down", async () => {
  const { queue, shown, touch, lift } = watched();
  queue.add(view(1));
  await settled();
  touch();
  queue.add(view(2));
  await settled();
  queue.pause();
  lift();
  queue.add(view(4, 2));
  await settled();
  assert.deepEqual(shown, [1]);
});

test("a view from before a move is not shown after its answer, because it would take the move back", async () => {
  const { queue, shown } = watched();
  queue.add(view(1));
  await settled();
  queue.pause();
  // The computer chooses while the move is on its way.
  queue.add(view(2));
  queue.add(view(4, 2));
  queue.resume(view(3, 2));
  await settled();
  assert.deepEqual(shown, [1, 3, 4]);
});

test("a queue without an answer goes on with what it has", async () => {
  const { queue, shown } = watched();
  queue.pause();
  queue.add(view(1));
  queue.resume(null);
  await settled();
  assert.deepEqual(shown, [1]);
});
