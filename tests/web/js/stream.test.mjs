import assert from "node:assert/strict";
import { mock, test } from "node:test";

/** The streams that were opened, the newest last. */
const opened = [];
globalThis.EventSource = class extends EventTarget {
  constructor(address) {
    super();
    const asked = new URL(address, "http://localhost").searchParams;
    this.games = asked.getAll("game");
    this.glanced = asked.getAll("glance");
    opened.push(this);
  }

  close() {}
};
const { GameStream } = await import("../../../src/number_duels/web/static/js/stream.js");

test("news that comes at once does not undo a change of the games that are followed", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const passed = async (ms) => {
    mock.timers.tick(ms);
    await new Promise(setImmediate);
  };
  const stream = new GameStream(() => {});
  const hear = () => opened.at(-1).dispatchEvent(Object.assign(new Event("view"), { data: '{"id": "a"}' }));
  stream.follow("a");
  await passed(100);
  stream.follow("b");
  hear();
  await passed(100);
  assert.deepEqual(opened.at(-1).games, ["a", "b"]);
  stream.leave("b");
  hear();
  await passed(100);
  assert.deepEqual(opened.at(-1).games, ["a"]);
  stream.stop();
  mock.timers.reset();
});

test("a page that is not at a table only glances at its game", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const passed = async () => {
    mock.timers.tick(100);
    await new Promise(setImmediate);
    return [opened.at(-1).games, opened.at(-1).glanced];
  };
  const stream = new GameStream(() => {});
  stream.follow("a", true);
  assert.deepEqual(await passed(), [[], ["a"]]);
  stream.look("a", false);
  assert.deepEqual(await passed(), [["a"], []]);
  stream.look("a", true);
  assert.deepEqual(await passed(), [[], ["a"]]);
  stream.stop();
  mock.timers.reset();
});
