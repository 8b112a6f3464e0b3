/** The received views of a game, shown one after the other. */

export class ViewQueue {
  /** @param {(view: View) => Promise<void>} show */
  constructor(show) {
    this.show = show;
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

  resume() {
    this.paused = false;
    this.work();
  }

  async work() {
    if (this.showing || this.paused) return;
    this.showing = true;
    for (let next = this.waiting.shift(); next; next = this.waiting.shift()) {
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
