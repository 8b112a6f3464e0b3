/** How the second chair is filled: a link to send, and a form for who opens it. */

import { post, sentence } from "./api.js";
import { h, speak } from "./dom.js";
import { keptName, keepName } from "./name.js";
import { keepProfile } from "./profile.js";

/** @typedef {import("./types.js").View} View */

/** The link to send, with a button that copies it. */
export function drawInvitation() {
  const link = `${location.origin}${location.pathname}`;
  const field = /** @type {HTMLInputElement} */ (h("input", { id: "link", readonly: true, value: link, onfocus: () => field.select() }));
  const copy = h("button", { type: "button", class: "primary", "data-key": "copy", onclick: async () => {
    try {
      await navigator.clipboard.writeText(link);
    } catch {
      field.select();
      document.execCommand("copy");
    }
    copy.textContent = "Copied";
    speak("The link is copied.");
  } }, "Copy link");
  return h(
    "div",
    { class: "invitation" },
    h("h2", {}, "Send this link to a friend"),
    h("div", { class: "row" }, h("label", { for: "link", class: "unseen" }, "Link to this game"), field, copy),
    h("p", { class: "note" }, "The first to open it can take the other seat; everybody else watches."),
  );
}

/**
 * A form to take the free seat.
 * @param {View} view
 * @param {() => void} onSeated
 * @param {(problem: string) => void} onProblem
 */
export function drawJoining(view, onSeated, onProblem) {
  const host = view.players.find((player) => player.seated);
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
    h("h2", {}, host ? `${host.name} invites you to play` : "A seat is free"),
    h(
      "div",
      { class: "row" },
      h("label", { for: "name" }, "Your name"),
      h("input", { id: "name", name: "name", maxlength: 20, autocomplete: "nickname", value: keptName(), "data-key": "name" }),
      h("button", { class: "primary", "data-key": "join" }, "Join the game"),
    ),
    h("p", { class: "note" }, "Or stay and watch: nothing to do for that."),
  );
}
