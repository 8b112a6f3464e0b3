/** The daily puzzle as a card: its position, the tries, the verdict, and a line to share. */

import { get, sentence } from "./api.js";
import { day as shortDay, today } from "./dates.js";
import { fill, h } from "./dom.js";
import { drawFoldedRules } from "./rule_text.js";
import { Session } from "./train_session.js";

/** @typedef {{day: string, game: string, title: string, streak: string, due: string, state: object, scene: Scene}} Daily */

/**
 * Return the puzzle of a day, by default of the user's local date. The page has already requested
 * the puzzle of the server's date.
 * @param {string} [day]
 * @returns {Promise<Daily>}
 */
async function dailyPuzzle(day = "") {
  if (day) return get(`/api/train/daily?day=${day}`);
  const found = await get("/api/train/daily");
  return found.day === today() ? found : get(`/api/train/daily?day=${today()}`).catch(() => found);
}

export class DailyCard extends Session {
  /** @param {string} [day] a day in the address; without it, today */
  constructor(day = "") {
    super("", { kind: "daily", game: "", settings: {}, seed: 0, day }, null);
    this.places.title = h(day ? "h2" : "h3", { class: "question" }, "Today’s puzzle is being set up…");
    this.beside = h("p", { class: "beside-daily" });
    this.rules = h("div", {});
    const { title, score, progress, prompt, remark, replay, working, problem, feedback, figures } = this.places;
    this.element = h(
      "section",
      { class: "daily-card", "aria-labelledby": "daily-title" },
      h("header", {}, h(day ? "h1" : "h2", { id: "daily-title" }, day ? `Daily puzzle, ${shortDay(`${day}T12:00`)}` : "Daily puzzle"), progress, this.beside),
      score,
      title,
      prompt,
      this.board.element,
      working,
      replay,
      problem,
      remark,
      feedback,
      figures,
      this.rules,
    );
  }

  /** Load the puzzle. The focus stays where it is. */
  async open() {
    try {
      const found = await dailyPuzzle(this.plan.day);
      this.plan.day = found.day;
      this.state = found.state;
      this.game = found.title;
      this.show(found.scene, { quiet: true });
      this.showBeside(found);
      fill(this.rules, drawFoldedRules(found.game, found.title));
    } catch (problem) {
      fill(this.places.title);
      fill(this.places.problem, sentence(problem));
    }
    this.element.classList.add("ready");
  }

  /**
   * Show the streak, and what is due in the mistake book.
   * @param {Daily} found
   */
  showBeside({ streak, due }) {
    fill(this.beside, streak && h("strong", { class: "streak" }, streak), due && h("a", { href: "/train#today" }, due));
  }

  /** Request what stands beside the title again. Errors are ignored. */
  async refreshBeside() {
    await dailyPuzzle(this.plan.day).then((found) => this.showBeside(found), () => {});
  }

  /**
   * @param {string} key
   * @param {string} [text]
   */
  async act(key, text = "") {
    await super.act(key, text);
    if (key === "answer") await this.refreshBeside();
  }

  /**
   * Draw a scene, with its figures folded.
   * @param {Scene} scene
   * @param {{quiet?: boolean}} [how]
   */
  show(scene, how) {
    super.show({ ...scene, title: this.game, status: scene.status.slice(1), lines: [] }, how);
    this.element.classList.toggle("done", scene.over);
    if (scene.verdict?.right && scene.share && !how?.quiet) this.board.celebrate(this.places.feedback);
  }

  /**
   * @param {Scene} scene
   * @returns {Child}
   */
  drawFigures(scene) {
    const figures = super.drawFigures(scene);
    return scene.tables.length > 0 ? h("details", {}, h("summary", {}, "Every choice"), h("div", { class: "figures" }, figures)) : figures;
  }

  /**
   * Draw buttons for the possible actions, unless a question is shown. The verdict comes last.
   * @param {Scene} scene
   * @param {boolean} leading
   */
  actions(scene, leading) {
    return super.actions({ ...scene, actions: scene.stage === "asked" ? [] : scene.actions.filter(({ key }) => key !== "next"), over: false }, leading);
  }
}
