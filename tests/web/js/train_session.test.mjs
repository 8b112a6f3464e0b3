import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { heard, main, read, scene, sittings, told } from "./page.mjs";
const { fill } = await import("../../../src/number_duels/web/static/js/dom.js");
const { drawSliders } = await import("../../../src/number_duels/web/static/js/train_mixed.js");
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
      const rows = tables.flatMap((table) => [...table.sentences, ...table.rows.map(({ short, words }) => short || words)]);
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
  // It begins with the reply.
  assert.equal(read(main.querySelector(".told > p")), frames[2].said);
  assert.ok(read(main.querySelector(".told")).includes(frames[2].lines.at(-1).trim()));
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

test("a mixed strategy is what the sliders say", () => {
  const answers = ["1", "4", "5"].map((move) => ({ text: move, label: `Play ${move}`, at: [], note: "", move }));
  const given = [];
  const sliders = drawSliders({ prompt: "", text: "", secret: false, forced: "", answers }, 1, (text) => given.push(text));
  fill(main, sliders);
  const submit = () => sliders.dispatchEvent(new Event("submit", { cancelable: true }));
  const shares = () => [...sliders.querySelectorAll(".share")].map(read);
  const slide = (input, value) => {
    input.value = value;
    input.dispatchEvent(new Event("input"));
  };
  const [one, , five] = sliders.querySelectorAll("input");
  slide(one, "61");
  assert.deepEqual(shares(), ["60%", "0%", "0%"]);
  assert.match(read(sliders), /60% set, 40% left/);
  // Nothing is sent before all is given away, and no more than all can be.
  submit();
  assert.deepEqual(given, []);
  slide(five, "90");
  assert.deepEqual(shares(), ["60%", "0%", "40%"]);
  sliders.querySelector("[aria-label='Less: Play 1']").click();
  sliders.querySelector("[aria-label='More: Play 5']").click();
  assert.deepEqual([...sliders.querySelectorAll(".area b")].map(read), ["1", "5"]);
  submit();
  assert.deepEqual(given, ["1:59 5:41"]);
  // Two buttons begin again, and with equal shares.
  const press = (key) => sliders.querySelector(`[data-key=${key}]`).click();
  press("clear");
  assert.deepEqual(shares(), ["0%", "0%", "0%"]);
  assert.equal(read(sliders.querySelector("[data-key=divide]")), "Even split");
  press("divide");
  assert.deepEqual(shares(), ["34%", "33%", "33%"]);
});

test("a bar shows each step, and keeps the colors of the answers", () => {
  const marks = () => [...main.querySelectorAll(".steps i")].map((segment) => segment.className);
  const asked = scene("drills", ({ stage, progress }) => stage === "asked" && progress[0] === 1);
  session.show(asked);
  assert.equal(marks().length, asked.progress[1]);
  assert.equal(marks()[0], "now");
  const answered = sittings.drills.find(({ verdict, progress }) => verdict && progress[0] === 1);
  session.show(answered);
  assert.equal(marks()[0], answered.verdict.right ? "right" : "wrong");
  session.show(sittings.drills.at(-1));
  assert.equal(marks()[0], answered.verdict.right ? "right" : "wrong");
});

test("right answers in a row are counted, and a wrong one ends them", () => {
  const right = scene("drills", told(true));
  session = new Session("Drills", { kind: "drill", game: "", settings: {}, seed: 0, day: "2026-01-09" }, null);
  fill(main, session.element);
  const counted = (step, verdict = right.verdict) => {
    session.show({ ...right, progress: [step, 10], verdict });
    return read(main.querySelector(".feedback")).match(/\d+ in a row/)?.[0];
  };
  const wrong = { ...right.verdict, right: false };
  assert.deepEqual([counted(1), counted(2), counted(3), counted(4, wrong), counted(5), counted(6)], [undefined, "2 in a row", "3 in a row", undefined, undefined, "2 in a row"]);
});

test("the end of a lesson leads to its game", () => {
  session = new Session("Lesson", { kind: "lesson", game: "number-knot", settings: {}, seed: 0, day: "2026-01-09" }, null);
  fill(main, session.element);
  sittings["a lesson"].forEach((shown) => session.show(shown));
  const play = main.querySelector("[data-key=play]");
  assert.deepEqual([play.getAttribute("href"), read(play)], ["/#number-knot", `Play ${sittings["a lesson"][0].title}`]);
});
