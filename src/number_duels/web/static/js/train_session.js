/** A training session: draws its scenes and sends the user's actions. */

import { deliver, post, sentence } from "./api.js";
import { markStep } from "./board.js";
import { today, untilTomorrow } from "./dates.js";
import { fill, h, speak, whole } from "./dom.js";
import { solvingRequest } from "./position.js";
import { keepProfile } from "./profile.js";
import { Replay } from "./replay.js";
import { drawTable } from "./scene_tables.js";
import { drawShare } from "./share.js";
import { ExerciseBoard } from "./train_board.js";
import { working } from "./working.js";

const ID_BYTES = 8;
/** Kinds of exercise without an end. */
const ENDLESS = ["drill", "puzzle"];
/** Kinds of exercise that count tries at one position. */
const TRIES = ["daily", "retry"];
/**
 * Return true for a wrong try that is not the last one. The position is asked again at once.
 * @param {Scene | null} scene
 */
const isMissed = (scene) => scene?.verdict?.right === false && !!scene.progress && scene.progress[0] < scene.progress[1];
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
   * @param {typeof import("./train_mixed.js").drawSliders} [drawSliders] only where a mixed strategy can be asked for
   */
  constructor(title, plan, options, drawSliders) {
    this.drawSliders = drawSliders;
    this.title = title;
    this.plan = plan;
    /** The state of the session, as the server wrote it. @type {object | null} */
    this.state = null;
    /** @type {Scene | null} */
    this.scene = null;
    this.busy = false;
    this.tries = TRIES.includes(plan.kind);
    /** The game of the last position. */
    this.game = "";
    /** Whether the first answer to each step was right, by its number. @type {Record<number, boolean>} */
    this.marks = {};
    /** @type {Replay | null} */
    this.replay = null;
    this.board = new ExerciseBoard((move) => this.act("answer", move));
    this.places = {
      title: h("h1", {}, title),
      score: h("p", { class: "score-line", role: "status" }),
      progress: h("div", { class: this.tries ? "steps tries" : "steps", "aria-hidden": "true" }),
      prompt: h("p", { class: "prompt-line" }),
      remark: h("div", { class: "remark" }),
      strategy: h("div", { class: "strategy" }),
      replay: h("div", {}),
      working: h("div", {}),
      problem: h("p", { class: "problem", role: "alert" }),
      feedback: h("section", { class: "feedback", "aria-label": "Verdict", tabindex: -1 }),
      figures: h("div", { class: "figures" }),
    };
    const { title: heading, score, progress, prompt, remark, strategy, replay, working: sign, problem, feedback, figures } = this.places;
    this.element = h(
      "div",
      { class: plan.kind === "lesson" ? "session lesson" : "session" },
      h("div", { class: "play" }, score, progress, heading, prompt, remark, this.board.element, sign, replay, problem),
      h("div", { class: "beside" }, strategy, feedback, figures, options),
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
    this.marks = {};
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
    if (key === "answer" && this.tries && isMissed(this.scene)) await this.act("next");
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
      const { state, scene, said } = await working(this.places.working, this.board.element.ariaBusy ? "Judging your answer" : "Looking for a position", ask(), this.plan.game && solvingRequest(this.plan.game, this.plan.settings));
      this.state = state;
      if (kept) this.settle(kept, said);
      else this.show(scene);
      if (said && !kept) {
        this.places.remark.prepend(h("p", {}, `Skipped. ${said}`));
        speak(said);
      }
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
    const asked = scene.stage === "asked";
    /** The wrong try that led to the same question again: its verdict stays. */
    const missed = this.tries && [asked ? this.scene : scene].find(isMissed);
    const told = missed ? { ...missed, actions: missed.actions.filter(({ key }) => key !== "next") } : scene;
    this.scene = scene;
    this.replay?.named?.remove();
    this.replay = null;
    this.game = scene.title || this.game;
    const { title, score, prompt, remark, strategy, replay, feedback, figures } = this.places;
    document.documentElement.dataset.you = String(scene.you ?? 1);
    /** An exercise is a question. A lesson also explains, so its text comes with a title. */
    const [question, rest] = this.plan.kind === "lesson" ? ["", scene.prompt] : split(scene.prompt);
    fill(replay);
    const named = scene.status[0]?.startsWith(this.title.toLowerCase().replace(/s$/, ""));
    fill(score, [question && !named && this.title, scene.title, ...scene.status].filter(Boolean).join(" · "));
    /** A line breaks between two sentences rather than within one. */
    fill(title, (question || this.title).split(/(?<=\.) /).flatMap((text) => [h("span", {}, text), " "]).slice(0, -1));
    fill(prompt, rest);
    fill(remark, drawRemark(scene));
    this.showProgress(scene);
    const bars = scene.tables.filter(({ kind }) => scene.mixed && kind === "mixed");
    fill(strategy, asked && scene.mixed ? this.drawSliders?.(scene.question, scene.you ?? 1, (text) => this.act("answer", text)) : bars.map((table) => drawTable(table)));
    this.element.classList.toggle("mixed", scene.mixed);
    this.element.classList.toggle("ended", scene.over);
    // After an answer the board keeps its height.
    this.element.classList.toggle("answered", !!scene.verdict && !scene.mixed);
    this.board.element.hidden = scene.board.length === 0;
    this.board.show(scene, asked && !scene.mixed, how);
    /** A wrong card of a lesson goes back to the hand. */
    const stays = !scene.mixed && (scene.verdict?.right || this.plan.kind !== "lesson");
    if (scene.verdict) this.board.settle(stays ? scene.answer : null);
    if (scene.verdict && stays) markStep(this.board.element, { changed: scene.changed ?? [], short: {} });
    if (scene.met?.length > 0) this.board.showStep(scene.met[1], scene.met[0]);
    feedback.classList.toggle("right", told.verdict?.right === true);
    feedback.classList.toggle("wrong", told.verdict?.right === false);
    const tomorrow = scene.share && this.plan.day === today() && h("p", { class: "note" }, `The next puzzle starts in ${untilTomorrow()}.`);
    /** Right first answers since the last wrong one. */
    const run = told.verdict?.right ? [false, ...Object.values(this.marks)].reverse().indexOf(false) : 0;
    fill(feedback, drawVerdict(told), run > 1 && h("p", { class: "in-a-row" }, `${run} in a row`), tomorrow, this.actions(told, true));
    fill(figures, this.drawFigures({ ...scene, tables: scene.tables.filter((table) => !bars.includes(table)) }), this.actions(scene, false));
    if (missed && asked) this.board.shake();
    // The same question follows at once, so the board keeps its height.
    else if (missed) this.board.element.setAttribute("aria-busy", "true");
    if (how?.quiet) return;
    const marks = Object.values(this.marks);
    const flawless = scene.over ? marks.length === scene.progress?.[1] && marks.every(Boolean) : scene.mixed && scene.verdict?.right;
    if (flawless || (scene.over && this.plan.kind === "lesson")) this.board.celebrate(scene.over ? remark : feedback);
    if (told.verdict) feedback.scrollIntoView({ block: "nearest" });
    if (missed && asked) return;
    speak(spoken(scene));
    if (asked) return;
    /** @type {HTMLElement | null} */ (feedback.querySelector("[data-key=next], [data-key=more]") ?? feedback).focus({ preventScroll: true });
  }

  /**
   * Draw a segment per step, or a circle per try, in the color of its answer. They stay at the end.
   * @param {Scene} scene
   */
  showProgress({ progress, verdict }) {
    if (!progress) return;
    const [now, all] = progress;
    if (verdict) this.marks[now] ??= verdict.right;
    const segment = (/** @type {number} */ number) => {
      const right = this.marks[number] ?? (this.tries && number < now ? false : undefined);
      return h("i", { class: right === undefined ? (number === now ? "now" : number < now ? "done" : null) : right ? "right" : "wrong" });
    };
    fill(this.places.progress, Array.from({ length: all }, (_, index) => segment(index + 1)));
  }

  /**
   * Draw short rules before an answer, and the figures that explain the verdict after it.
   * @param {Scene} scene
   * @returns {Child}
   */
  drawFigures({ detail, tables, notes }) {
    return [detail && h("p", { class: "note" }, detail), tables.map((table) => drawTable(table)), notes.map((text) => h("p", { class: "note" }, text))];
  }

  /**
   * Draw buttons for the actions that lead on if `leading` is true, or else for all others.
   * @param {Scene} scene
   * @param {boolean} leading
   */
  actions({ actions, frames, over, stage }, leading) {
    const button = (/** @type {{key: string, label: string}} */ { key, label }) =>
      h("button", { type: "button", class: leading ? "primary" : null, "data-key": key, onclick: () => this.act(key) }, label);
    const buttons = actions.filter(({ key }) => (key === "next") === leading).map(button);
    if (!leading) return buttons.length > 0 && h("div", { class: "row" }, buttons);
    const ends = over && [
      this.plan.kind === "lesson" && h("a", { class: "button primary", "data-key": "play", href: `/#${this.plan.game}` }, `Play ${this.game}`),
      this.plan.kind === "lesson" && h("a", { class: "button", href: "#drills" }, "Practice with drills"),
      ENDLESS.includes(this.plan.kind) && h("button", { type: "button", class: "primary", "data-key": "more", onclick: () => this.next() }, `${this.places.progress.childElementCount} more`),
      h("a", { class: "button", href: "#" }, "Back to training"),
    ];
    const line = frames.length > 0 && h("button", { type: "button", "data-key": "line", onclick: () => this.punish(frames) }, "See it punished");
    return stage !== "asked" && h("div", { class: "row actions" }, buttons, line, ends);
  }

  /**
   * Replace a button that changed the book with its result.
   * @param {string} key
   * @param {string} said
   */
  settle(key, said) {
    this.element.querySelector(`[data-key=${key}]`)?.replaceWith(h("span", { class: "note" }, said));
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
      if (this.scene?.stage === "asked") this.board.show(this.scene, true);
      else if (this.scene) this.board.settle(this.scene.answer);
      /** @type {HTMLElement | null} */ (this.places.feedback.querySelector("[data-key=line]"))?.focus();
    };
    fill(this.places.replay, replay.element);
    replay.follow(frames, { title: "How the mistake is punished", board: this.board.element, back: "Back to the position", leave });
    this.board.element.scrollIntoView({ block: "nearest" });
  }
}

/**
 * Draw the remarks. The line to share is drawn elsewhere.
 * @param {Scene} scene
 */
export const drawRemark = ({ lines, share }) => lines.filter((line) => line !== share).map((line) => h("p", { class: "lead" }, whole(line)));

/**
 * Draw the verdict at a glance, its reasons, and the line to share.
 * @param {Scene} scene
 */
export const drawVerdict = ({ verdict, share, share_path }) => [
  verdict && h("h2", { class: `verdict ${verdict.right ? "right" : "wrong"}` }, h("span", { "aria-hidden": "true" }, verdict.right ? "✓" : "✗"), verdict.headline),
  verdict && verdict.sentences.length > 0 && h("p", {}, whole(verdict.sentences.join(" "))),
  share && drawShare(share, share_path),
];

/**
 * Return the words of a scene for a screen reader.
 * @param {Scene} scene
 */
export const spoken = ({ lines, prompt, verdict }) => (verdict ? [verdict.headline, ...verdict.sentences] : [...lines, prompt]).filter(Boolean).join(" ");
