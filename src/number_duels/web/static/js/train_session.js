/** A training session: draws its scenes and sends the user's actions. */

import { deliver, post, sentence } from "./api.js";
import { fill, h, speak } from "./dom.js";
import { solvingRequest } from "./position.js";
import { keepProfile } from "./profile.js";
import { Replay } from "./replay.js";
import { drawTable } from "./scene_tables.js";
import { drawShare } from "./share.js";
import { ExerciseBoard } from "./train_board.js";
import { drawSliders } from "./train_mixture.js";
import { working } from "./working.js";

const ID_BYTES = 8;
/** Kinds of exercise without an end. */
const ENDLESS = ["drill", "puzzle"];
/** Actions that change the book, but not the board. */
const KEEPING = ["add", "remove"];

/** Return a unique id for an answer. The server keeps the answer once, even if it is sent again. */
const newId = () => [...crypto.getRandomValues(new Uint8Array(ID_BYTES))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Return a random seed. Equal seeds give equal positions. */
const newSeed = () => crypto.getRandomValues(new Uint32Array(1))[0];

/**
 * Split a prompt after its question.
 * @param {string} prompt
 */
function split(prompt) {
  const end = prompt.indexOf("? ") + 1;
  return end > 0 ? [prompt.slice(0, end), prompt.slice(end + 1)] : [prompt, ""];
}

export class Session {
  /**
   * @param {string} title
   * @param {Plan} plan
   * @param {Child} options the options to choose from
   */
  constructor(title, plan, options) {
    this.title = title;
    this.plan = plan;
    /** The state of the session, as the server wrote it. @type {object | null} */
    this.state = null;
    /** @type {Scene | null} */
    this.scene = null;
    this.busy = false;
    /** @type {Replay | null} */
    this.replay = null;
    this.board = new ExerciseBoard((move) => this.act("answer", move));
    this.places = {
      title: h("h1", {}, title),
      score: h("p", { class: "score-line", role: "status" }),
      prompt: h("p", { class: "prompt-line" }),
      remark: h("div", { class: "remark" }),
      sliders: h("div", {}),
      replay: h("div", {}),
      working: h("div", {}),
      problem: h("p", { class: "problem", role: "alert" }),
      feedback: h("section", { class: "feedback", "aria-label": "Verdict", tabindex: -1 }),
    };
    const { title: heading, score, prompt, remark, sliders, replay, working: sign, problem, feedback } = this.places;
    this.element = h(
      "div",
      { class: plan.kind === "lesson" ? "session lesson" : "session" },
      h("div", { class: "play" }, score, heading, prompt, this.board.element, sign, replay, problem, options),
      h("div", { class: "beside" }, remark, sliders, feedback),
    );
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (this.replay) this.replay.key(event);
    else this.board.key(event);
  }

  /** Start, or restart with the options chosen now. */
  async next() {
    this.state = null;
    this.plan.seed = newSeed();
    await this.send(() => post("/api/train/session", { plan: this.plan }));
  }

  /**
   * @param {string} key
   * @param {string} [text]
   */
  async act(key, text = "") {
    const sent = { plan: this.plan, state: this.state, action: { key, text, id: newId() } };
    await this.send(async () => {
      if (key === "answer" || KEEPING.includes(key)) {
        await keepProfile("");
        return deliver("/api/train/session", sent);
      }
      return post("/api/train/session", sent);
    }, KEEPING.includes(key) ? key : "");
  }

  /**
   * @param {() => Promise<{state: object, scene: Scene, said: string}>} ask
   * @param {string} [kept] the button that changed the book
   */
  async send(ask, kept = "") {
    if (this.busy) return;
    this.busy = true;
    fill(this.places.problem);
    try {
      const { state, scene, said } = await working(this.places.working, "Looking for a position", ask(), this.plan.game && solvingRequest(this.plan.game, this.plan.settings));
      this.state = state;
      if (kept) this.settle(kept, said);
      else this.show(scene);
    } catch (problem) {
      fill(this.places.problem, sentence(problem));
    }
    this.busy = false;
  }

  /**
   * @param {Scene} scene
   * @param {{quiet?: boolean}} [how] quiet: nothing is announced, and the focus stays where it is
   */
  show(scene, how) {
    this.scene = scene;
    this.replay = null;
    const { title, score, prompt, remark, sliders, replay, feedback } = this.places;
    const asked = scene.stage === "asked";
    document.documentElement.dataset.you = String(scene.you ?? 1);
    // An exercise is a question. A lesson also explains, so its text comes with a title.
    const [question, rest] = this.plan.kind === "lesson" ? ["", scene.prompt] : split(scene.prompt);
    fill(replay);
    const named = scene.status[0]?.startsWith(this.title.toLowerCase());
    fill(score, [question && !named && this.title, scene.title, ...scene.status].filter(Boolean).join(" · "));
    fill(title, question || this.title);
    fill(prompt, rest);
    fill(remark, drawRemark(scene));
    fill(sliders, asked && scene.mixture && drawSliders(scene.question, (text) => this.act("answer", text)));
    this.board.element.hidden = scene.board.length === 0;
    this.board.show(scene, asked && !scene.mixture, how);
    if (scene.verdict) this.board.settle(scene.mixture ? null : scene.answer);
    fill(feedback, drawScene(scene), this.actions(scene));
    if (how?.quiet) return;
    speak(spoken(scene));
    if (asked) return;
    /** @type {HTMLElement | null} */ (feedback.querySelector("[data-key=next], [data-key=more]") ?? feedback).focus({ preventScroll: true });
    feedback.scrollIntoView({ block: "nearest" });
  }

  /**
   * Draw the buttons of the possible actions, and of the line that punishes a mistake.
   * @param {Scene} scene
   */
  actions({ actions, frames, over }) {
    const button = (/** @type {{key: string, label: string}} */ { key, label }) =>
      h("button", { type: "button", class: key === "next" ? "primary" : key === "skip" ? "quiet" : null, "data-key": key, onclick: () => this.act(key) }, label);
    return h(
      "div",
      { class: "row actions" },
      actions.map(button),
      frames.length > 0 && h("button", { type: "button", "data-key": "line", onclick: () => this.punish(frames) }, "See it punished"),
      over && ENDLESS.includes(this.plan.kind) && h("button", { type: "button", class: "primary", "data-key": "more", onclick: () => this.next() }, "More"),
      over && h("a", { class: "button", href: "#" }, "Train on"),
    );
  }

  /**
   * Replace a button that changed the book by its result.
   * @param {string} key
   * @param {string} said
   */
  settle(key, said) {
    this.places.feedback.querySelector(`[data-key=${key}]`)?.replaceWith(h("span", { class: "note" }, said));
    speak(said);
  }

  /**
   * Show on the board how the mistake is punished.
   * @param {Frame[]} frames
   */
  punish(frames) {
    const replay = new Replay(frames, (frame, before) => this.board.showStep(frame, before));
    this.replay = replay;
    const leave = () => {
      this.replay = null;
      fill(this.places.replay);
      if (this.scene) this.board.settle(this.scene.answer);
      /** @type {HTMLElement | null} */ (this.places.feedback.querySelector("[data-key=line]"))?.focus();
    };
    fill(this.places.replay, replay.element);
    replay.follow(frames, { title: "How it is punished", back: "Back to the position", leave });
    this.board.element.scrollIntoView({ block: "nearest" });
  }
}

/**
 * Draw the remarks, and the rules in a line or two. The line to share is drawn elsewhere.
 * @param {Scene} scene
 */
export const drawRemark = ({ lines, detail, share }) => [lines.filter((line) => line !== share).map((line) => h("p", { class: "lead" }, line)), detail && h("p", { class: "note" }, detail)];

/** @param {Scene} scene */
export function drawScene({ verdict, tables, notes, share, share_path }) {
  return [
    verdict && h("h2", { class: `verdict ${verdict.right ? "right" : "wrong"}` }, h("span", { "aria-hidden": "true" }, verdict.right ? "✓" : "✗"), verdict.headline),
    verdict?.sentences.map((text) => h("p", {}, text)),
    share && drawShare(share, share_path),
    tables.map((table) => drawTable(table)),
    notes.map((text) => h("p", { class: "note" }, text)),
  ];
}

/**
 * Return the words of a scene for a screen reader.
 * @param {Scene} scene
 */
export const spoken = ({ lines, prompt, verdict }) => (verdict ? [verdict.headline, ...verdict.sentences] : [...lines, prompt]).filter(Boolean).join(" ");
