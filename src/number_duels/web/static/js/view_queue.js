/** The received views of a game, shown one after the other. */

export class ViewQueue {
  /**
   * @param {(view: View) => Promise<void>} show
   * @param {() => Promise<void>} idle ends when the next view may be shown
   */
  constructor(show, idle) {
    this.show = show;
    this.idle = idle;
    /** The view shown last. @type {View | null} */
    this.shown = null;
    /** Oldest first. @type {View[]} */
    this.waiting = [];
    this.showing = false;
    this.paused = false;
  }

  /** @param {View} view */
  add(view) {
    this.waiting = [...this.waiting, view].sort((one, other) => one.version - other.version);
    this.work();
  }

  /** Stop showing views until `resume`. */
  pause() {
    this.paused = true;
  }

  /**
   * Go on with the answer to a move. A view from before the move would take the move back.
   * @param {View | null} answer
   */
  resume(answer) {
    this.paused = false;
    this.waiting = this.waiting.filter(({ version }) => version >= (answer?.version ?? 0));
    if (answer) this.add(answer);
    else this.work();
  }

  async work() {
    if (this.showing) return;
    this.showing = true;
    while (this.waiting.length > 0) {
      await this.idle();
      const next = this.paused ? undefined : this.waiting.shift();
      if (!next) break;
      if (this.isOld(next)) continue;
      await this.show(next);
      this.shown = next;
    }
    this.showing = false;
  }

  /**
   * Return true if a view is older than the shown one, or more than a turn behind the newest.
   * @param {View} view
   */
  isOld(view) {
    const newest = this.waiting.at(-1);
    return this.shown !== null && (view.version < this.shown.version || (newest !== undefined && newest.turn > view.turn + 1));
  }
}
