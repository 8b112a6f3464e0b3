/** Filling the second seat: a link to send, and a form for the person who opens it. */

import { post, sentence } from "./api.js";
import { fill, h } from "./dom.js";
import { drawCode, sharedOrigin } from "./links.js";
import { nameField } from "./name_field.js";
import { keepProfile } from "./profile.js";
import { drawFoldedRules } from "./rule_text.js";
import { copyButton } from "./share.js";
import { keepName, keptName } from "./storage.js";
import { labels } from "./words.js";

/**
 * Draw the link as text and as a QR code, with a button for the phone's share menu.
 * @param {View} view
 */
export function drawInvitation(view) {
  const element = h("div", { class: "invitation" }, linkRow(`${location.origin}${location.pathname}`, view));
  drawContents(element, view);
  return element;
}

/**
 * Draw the whole invitation. If the server does not answer, it has no QR code.
 * @param {HTMLElement} element
 * @param {View} view
 */
async function drawContents(element, view) {
  const origin = await sharedOrigin().catch(() => location.origin);
  const link = new URL(location.pathname, origin || location.origin).href;
  const code = origin && (await drawCode(link, "QR code for the link to this game").catch(() => null));
  fill(
    element,
    h("h2", {}, "Invite a friend"),
    linkRow(link, view),
    code && h("figure", { class: "scan" }, code, h("figcaption", {}, "Scan it with a phone")),
    origin
      ? h("p", { class: "note" }, "The first person to open the link can take the other seat. Everybody else watches.")
      : h("p", { class: "note" }, "This link works only on this computer. Open it in another window or browser."),
  );
}

/**
 * @param {string} link
 * @param {View} view
 */
function linkRow(link, view) {
  const field = /** @type {HTMLInputElement} */ (h("input", { id: "link", readonly: true, value: link, onfocus: () => field.select() }));
  const share = () => navigator.share({ title: view.title, text: `Play ${view.title} with me`, url: link }).catch(() => {});
  return h(
    "div",
    { class: "row" },
    h("label", { for: "link", class: "unseen" }, "Link to this game"),
    field,
    copyButton("Copy link", () => link, "primary"),
    "share" in navigator && h("button", { type: "button", "data-key": "share", onclick: share }, "Share…"),
  );
}

/**
 * Draw a form to take the free seat.
 * @param {View} view
 * @param {() => void} onSeated
 * @param {(problem: string) => void} onProblem
 */
export function drawJoining(view, onSeated, onProblem) {
  const join = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const name = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("name") ?? "").trim();
    keepName(name);
    try {
      await keepProfile(name);
      await post(`/api/games/${view.id}/seats`, { name });
      onSeated();
    } catch (problem) {
      onProblem(sentence(problem));
    }
  };
  return h(
    "form",
    { class: "invitation", onsubmit: join },
    view.scene.lines.map((text) => h("p", {}, text)),
    h(
      "div",
      { class: "row" },
      h("label", { for: "name" }, "Your name"),
      nameField("name", keptName()),
      h("button", { class: "primary", "data-key": "join" }, labels(view.scene).join),
    ),
    drawFoldedRules(view.game, view.title),
  );
}
