import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { heard, main, read, scene, sittings, told } from "./page.mjs";
const { fill } = await import("../../../src/number_duels/web/static/js/dom.js");
const { drawSliders } = await import("../../../src/number_duels/web/static/js/train_mixture.js");
const { Session } = await import("../../../src/number_duels/web/static/js/train_session.js");

/** What was sent to the server, and what it answers. */
const sent = [];
let answer = {};
globalThis.fetch = async (_, { body }) => {
  sent.push(JSON.parse(body));
  return { ok: true, status: 200, json: async () => answer, headers: new Headers() };
};

/** @type {Session} */
let session;
beforeEach(() => {
  sent.length = 0;
  session = new Session("Drills", { kind: "drill", game: "number-knot", settings: {}, seed: 0, day: "2026-01-09" }, null);
  fill(main, session.element);
});
const press = (key) => main.querySelector(`[data-key=${key}]`).click();
const until = async (wanted) => {
  while (!wanted()) await new Promise(setImmediate);
};

for (const [name, scenes] of Object.entries(sittings)) {
  test(`all that is said in ${name} is on the page`, () => {
    for (const shown of scenes) {
      session.show(shown);
      const { title, status, lines, prompt, verdict, tables, notes, actions } = shown;
      const rows = tables.flatMap((table) => [...table.sentences, ...table.rows.map(({ words }) => words)]);
      const said = [title, ...status, ...lines, ...prompt.split("? "), verdict?.headline, ...(verdict?.sentences ?? []), ...rows, ...notes, ...actions.map(({ label }) => label)];
      const page = read(main);
      assert.deepEqual(said.filter((text) => text && !page.includes(text)), []);
      assert.equal(main.querySelector(".board-place").hidden, shown.board.length === 0);
    }
  });
}

test("an action is sent with the state, and what comes back is shown", async () => {
  const [first, second] = sittings["a lesson"];
  answer = { state: { number: 1 }, scene: first, said: "" };
  await session.next();
  assert.deepEqual(Object.keys(sent[0]), ["plan"]);
  answer = { state: { number: 2 }, scene: second, said: "" };
  press("next");
  await until(() => session.state.number === 2);
  assert.deepEqual([sent[1].state, sent[1].action.key], [{ number: 1 }, "next"]);
  assert.ok(read(main).includes(second.prompt));
});

test("a mistake is punished on the board, and the position comes back", async () => {
  session.show(scene("drills", ({ frames }) => frames.length > 1));
  const { frames, board } = session.scene;
  press("line");
  assert.equal(read(main.querySelector(".told > p")), frames[1].said);
  assert.ok(read(main.querySelector(".told")).includes(frames[1].lines.at(-1).trim()));
  await until(() => main.querySelector(".just"));
  const said = heard().length;
  press("leave");
  assert.equal(main.querySelector(".replay"), null);
  assert.equal(heard().length, said);
  assert.deepEqual(session.board.view.board, board);
  assert.equal(document.activeElement.dataset.key, "line");
});

test("what was chosen while the other chooses too lies on the table", () => {
  const chosen = scene("one spot", told(false));
  session.show(chosen);
  assert.deepEqual(session.board.view.last.moves, { [chosen.you]: chosen.answer });
});

test("a mixture is what the sliders say", () => {
  const answers = ["1", "4", "5"].map((move) => ({ text: move, label: `Play ${move}`, at: [], note: "", move }));
  const given = [];
  const sliders = drawSliders({ prompt: "", text: "", secret: false, forced: "", answers }, (text) => given.push(text));
  fill(main, sliders);
  const submit = () => sliders.dispatchEvent(new Event("submit", { cancelable: true }));
  submit();
  const [one, , five] = sliders.querySelectorAll("input");
  for (const [input, value] of [[one, "60"], [five, "60"]]) {
    input.value = value;
    input.dispatchEvent(new Event("input"));
  }
  assert.match(read(sliders), /Play 150%Play 40%Play 550%Total: 120/);
  submit();
  assert.deepEqual(given, ["1:60 5:60"]);
});
