/** Tells users who look at another tab that it is their turn: by title, icon and notification. */

import { h } from "./dom.js";
import { go, here } from "./transport.js";
import { shownNames, yours } from "./words.js";

const ICON = new URL("../favicon.svg", import.meta.url).href;
const TURN_ICON = new URL("../favicon-turn.svg", import.meta.url).href;

/**
 * Show in the title and the icon how many games wait for the user.
 * @param {string} title
 * @param {number} waiting
 */
export function markTab(title, waiting) {
  document.title = `${waiting > 1 ? `(${waiting}) ` : waiting ? "● " : ""}${title}`;
  const icon = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=icon]"));
  const wanted = waiting ? TURN_ICON : ICON;
  if (icon && icon.href !== wanted) icon.href = wanted;
}

/** A button that turns on notifications while the user waits for another person. */
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

/**
 * Notify a user who is looking elsewhere that a game is waiting.
 * @param {View} view
 */
export function tell(view) {
  if (view.you === null || (document.visibilityState === "visible" && document.hasFocus())) return;
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  notify(view.title, `${view.scene.headline}: ${shownNames(view).join(" – ")}`, view.id, () => {
    if (!here().pathname.endsWith(view.id)) go(`/play/${view.id}`);
  });
}

/**
 * Show a notification. Return false if the browser does not allow it, as on some phones.
 * @param {string} title
 * @param {string} body
 * @param {string} tag
 * @param {() => void} [onOpen]
 */
function notify(title, body, tag, onOpen = () => {}) {
  try {
    const shown = new Notification(title, { body, tag, icon: TURN_ICON });
    shown.onclick = () => {
      focus();
      onOpen();
      shown.close();
    };
    return true;
  } catch {
    return false;
  }
}
