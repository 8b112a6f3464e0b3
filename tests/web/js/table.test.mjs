import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { read } from "./page.mjs";
const { h } = await import("../../../src/number_duels/web/static/js/dom.js");
const { Log, Unsaid } = await import("../../../src/number_duels/web/static/js/log.js");
const { drawPlayers, drawScore } = await import("../../../src/number_duels/web/static/js/players.js");
const { Chooser } = await import("../../../src/number_duels/web/static/js/question.js");
const { drawJoining } = await import("../../../src/number_duels/web/static/js/invitation.js");
const { drawTray, withMove } = await import("../../../src/number_duels/web/static/js/board_middle.js");
const { drawBoard } = await import("../../../src/number_duels/web/static/js/board.js");
const { drawSmallBoard } = await import("../../../src/number_duels/web/static/js/small_board.js");
const { withNames } = await import("../../../src/number_duels/web/static/js/words.js");

/** All views of some games, as the server made them, by what is seen and by whom. */
const games = JSON.parse(readFileSync(process.env.VIEWS, "utf8"));
const all = Object.entries(games);
const plain = (lines) => lines.join(" ").replace(/\s+/g, " ");
const texts = (element, selector) => [...element.querySelectorAll(selector)].map(read);

/** The middle of the table, for spectators and for the player to move. */
function tray(view) {
  const board = h("div");
  const chooser = new Chooser(board, () => {}, () => {});
  chooser.ask(view.question);
  return h("div", {}, drawTray(view, view.you ?? 1, chooser, () => {}));
}

for (const [name, views] of all) {
  test(`who sits there and what they do is said, ${name}`, () => {
    for (const { scene, you } of views) {
      const heads = drawPlayers(scene, you);
      scene.sides.forEach((side, index) => {
        const head = heads[index + 1];
        assert.deepEqual(texts(head, ".name"), [side.name]);
        // What the reader is to do is the headline.
        assert.deepEqual(texts(head, ".doing"), you === index + 1 ? [] : [side.doing].filter(Boolean));
        assert.deepEqual(texts(head, you === index + 1 ? ".you" : ".strength"), [side.note].filter(Boolean));
        assert.equal(head.querySelectorAll(".dot.here").length, side.away || you === index + 1 ? 0 : 1);
      });
    }
  });

  test(`the middle says what happened last, or who is waited for, ${name}`, () => {
    for (const view of views) {
      const { scene, you, chosen, last, log, question } = view;
      const begun = last ? chosen.includes(you) : chosen.length > 0;
      const said = begun && scene.stage !== "asked" ? scene.detail : last ? log.at(-1).short : "";
      const found = tray(view);
      if (!question || !last || Object.keys(last.moves).length > 0) assert.deepEqual(texts(found, ".said"), [withNames(view, said)]);
      const asked = scene.stage === "asked";
      assert.deepEqual(texts(found, ".prompt"), asked && question ? [question.text] : []);
      assert.deepEqual(texts(found, ".goal"), last ? [] : [scene.summary]);
      assert.deepEqual(texts(found, ".deck"), asked && view.draw ? [view.draw_label] : []);
    }
  });

  test(`the log has a sentence per turn, the newest first, and folds the rest, ${name}`, () => {
    const place = h("ol");
    const log = new Log(place);
    const heard = views.map((view) => log.show(view)).filter(Boolean);
    const { log: told } = views.at(-1);
    const entries = told.filter(({ short }) => short).reverse();
    assert.deepEqual(texts(place, ".turn"), entries.map(({ turn }) => String(turn || "")));
    assert.deepEqual(texts(place, "summary, li > p"), entries.map(({ short }) => withNames(views.at(-1), short)));
    for (const sentence of texts(place, "summary")) assert.ok(plain(heard).includes(sentence));
    const folded = [...place.querySelectorAll("details")];
    assert.deepEqual(folded.map((each) => each.open), folded.map(() => false));
    assert.deepEqual(folded.map((each) => texts(each, "p").length > 0), folded.map(() => true));
    assert.equal(log.show(views.at(-1)), "");
  });
}

test("a move that is on its way is shown as made: nobody is asked any more, and a secret choice lies face down", () => {
  for (const [, views] of all) {
    for (const view of views.filter(({ question }) => question)) {
      const laid = withMove(view, "7");
      assert.equal(laid.scene.headline, "");
      const found = tray(laid);
      assert.deepEqual(texts(found, ".prompt"), []);
      const both = found.querySelectorAll(".slot").length > 0;
      assert.deepEqual(texts(found, ".own.down .back"), both ? ["7"] : []);
    }
  }
});

test("at the end both have their points, who looks first; a game without points or that was given up has none", () => {
  const over = all.map(([, views]) => views.at(-1)).filter(({ over: ended }) => ended);
  assert.ok(over.some(({ conceded }) => conceded));
  const points = over.filter(({ scene }) => scene.tables.length > 0);
  assert.ok(points.length > 0 && points.length < over.filter(({ conceded }) => !conceded).length);
  for (const { scene, you, conceded, board } of over) {
    if (conceded || !points.some((view) => view.scene === scene)) {
      assert.equal(drawScore(scene), null);
      continue;
    }
    const found = drawScore(scene);
    const [near, far] = you === 2 ? [2, 1] : [1, 2];
    assert.deepEqual([...found.querySelectorAll("span:not(.against)")].map((side) => side.className), [`seat-${near}`, `seat-${far}`]);
    assert.deepEqual(texts(found, "bdi"), [scene.sides[near - 1].name, scene.sides[far - 1].name]);
    const meters = board.filter(({ kind, label }) => kind === "meter" && label === read(found.querySelector("small")));
    if (meters.length) assert.deepEqual(texts(found, "b"), [near, far].map((seat) => String(meters.find(({ owner }) => owner === seat).value)));
  }
});

test("who opens an invitation reads whose it is", () => {
  const [view] = games["a free seat, a spectator"];
  // The page has it as its headline, so the form does not repeat it.
  assert.match(view.scene.headline, /^Ann challenges you to /);
  assert.deepEqual(texts(drawJoining(view, () => {}), "h2"), []);
});

test("a name from right to left leaves the line around it alone", () => {
  const views = games["a name from right to left, seat 2"];
  const place = h("ol");
  for (const view of views) new Log(place).show(view);
  const name = views[0].scene.sides[0].name;
  const isolated = `\u2068${name}\u2069`;
  const told = read(place) + views.map((view) => texts(tray(view), ".said").join()).join();
  assert.ok(told.split(isolated).length > 2);
  assert.equal(told.split(isolated).length, told.split(name).length);
});

test("cards that lie there say of which round they are, until the next cards replace them", () => {
  const views = games["against the computer, seat 1"];
  const waiting = views.filter(({ you, last, over, chosen }) => Object.keys(last?.moves ?? {}).length === 2 && !over && !chosen.includes(you));
  assert.ok(waiting.length > 0);
  for (const view of waiting) assert.deepEqual(texts(tray(view), ".when"), ["Previous round"]);
  assert.deepEqual(texts(tray(views[0]), ".when"), []);
});

test("a computer's level stands beside its name, and what it does is a tooltip", () => {
  const [view] = games["against the computer, seat 1"];
  const note = "Level 2: plays a random move on about every other turn";
  const sides = view.scene.sides.map((side, index) => (index === 1 ? { ...side, note } : side));
  const found = drawPlayers({ ...view.scene, sides }, 1)[2].querySelector(".strength");
  assert.equal(found.title, note);
  assert.equal(found.firstChild.textContent, "Level 2");
});

test("a turn is heard once, and not that a computer thinks", () => {
  for (const [, views] of all) {
    const heard = [];
    const unsaid = new Unsaid((text) => heard.push(text));
    const log = new Log(h("ol"));
    for (const view of views) {
      const before = heard.length;
      unsaid.add(log.show(view), view, [view.scene.headline, view.scene.detail]);
      unsaid.add(log.show(view), view, [view.scene.headline, view.scene.detail]);
      assert.ok(heard.length <= before + 1);
    }
    assert.match(heard.at(-1), new RegExp(`${views.at(-1).scene.headline}\\.`));
  }
  const alone = games["against the computer, seat 1"];
  assert.ok(alone.some(({ scene: { stage } }) => stage === "working"));
  const heard = [];
  const unsaid = new Unsaid((text) => heard.push(text));
  const log = new Log(h("ol"));
  for (const view of alone) unsaid.add(log.show(view), view, [view.scene.headline]);
  assert.deepEqual(heard.filter((text) => text.includes("thinking")), []);
});

const life = [1, 2].map((owner) => ({ kind: "meter", label: "Life", owner, value: owner === 1 ? 16 : 4, full: 10 }));
const heads = () => ({ 1: h("p"), 2: h("p") });

test("a fact is read with its label, on the side of its owner", () => {
  const facts = [{ kind: "fact", label: "Round", owner: null, text: "3 of 5" }, { kind: "fact", label: "A tie earns", owner: 2, text: "2 points" }];
  const found = drawBoard(facts, heads());
  assert.deepEqual(texts(found, ".middle .fact"), ["Round 3 of 5"]);
  assert.deepEqual(texts(found, ".seat-2 .fact"), ["A tie earns 2 points"]);
  assert.equal(drawSmallBoard([...facts, ...life]).querySelectorAll(".small-meter").length, 2);
});

test("a bar has the scale of its own total, also beside one that is beyond it", () => {
  const shares = (board, selector) => [...board.querySelectorAll(selector)].map((bar) => Number(bar.style.getPropertyValue("--share"))).sort();
  assert.deepEqual(shares(drawBoard(life, heads()), ".bar"), [0.4, 1]);
  assert.deepEqual(shares(drawSmallBoard(life), ".small-meter"), [0.4, 1]);
});
