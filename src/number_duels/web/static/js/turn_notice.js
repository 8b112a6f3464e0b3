/** A button that turns on notifications while the user waits for another person. */

import { h } from "./dom.js";
import { notify, tell } from "./notifications.js";
import { yours } from "./words.js";

export class TurnNotice {
  constructor() {
    this.element = h("button", { type: "button", hidden: true, "data-key": "notify", onclick: () => this.allow() }, "Notify me when it's my turn");
    this.mine = true;
  }

  /** @param {View} view */
  show(view) {
    const mine = yours(view);
    if (mine && !this.mine) tell(view);
    this.mine = mine;
    this.element.hidden = !isOffered(view);
  }

  async allow() {
    const answer = await Notification.requestPermission();
    if (answer === "default") return;
    this.element.hidden = true;
    if (answer === "granted" && !notify("Notifications are on", "You will be notified when it is your turn and this page is not visible.", "trial")) {
      this.element.replaceWith(h("p", { class: "note" }, "This browser can't show notifications for this page; check this tab from time to time."));
    }
  }
}

/**
 * Return true to offer notifications: after the first move against a person, if supported.
 * @param {View} view
 */
function isOffered(view) {
  const waiting = view.you !== null && !view.over && !yours(view) && (view.turn > 1 || view.chosen.includes(view.you));
  const person = view.players.some((player) => !player.you && player.who === "human" && player.seated);
  return waiting && person && isSecureContext && "Notification" in window && Notification.permission === "default";
}
