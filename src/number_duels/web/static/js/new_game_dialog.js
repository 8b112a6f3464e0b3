/** The dialog that starts a game. */

import { sentence } from "./api.js";
import { h } from "./dom.js";
import { drawLevels } from "./levels.js";
import { nameField } from "./name_field.js";
import { startGame } from "./new_game.js";
import { changed, isSolved, settingFields } from "./settings.js";
import { keepName, keptName } from "./storage.js";
import { alone, here, setAddress } from "./transport.js";

const INVITE = "Invite a friend";
const START = "Start the game";

/**
 * @param {GameInfo} game
 * @param {Opponent[]} computers
 * @returns {HTMLDialogElement}
 */
export function startDialog(game, computers) {
  const problem = h("p", { class: "problem", role: "alert" });
  const start = h("button", { class: "primary large" }, alone ? START : INVITE);
  const levels = drawLevels(game, computers, "start-level");
  const where = choices("Your friend plays", "where", [["here", "At this device"], ["link", "By a link"]], alone ? "here" : "link");
  const friend = h("div", { class: "field" }, h("label", { for: "friend" }, "Your friend's name"), nameField("friend", "", "friend"));
  const offer = () => {
    const { opponent, settings } = wished(game, new FormData(form));
    levels.offer(isSolved(game, settings));
    friend.hidden = opponent !== "here";
    levels.element.hidden = opponent === "friend" || !friend.hidden;
    where.hidden = alone || !levels.element.hidden;
    start.textContent = opponent === "friend" ? INVITE : START;
  };
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    problem.textContent = "";
    const data = new FormData(form);
    keepName(typed(data, "name"));
    startGame(wished(game, data)).catch((refused) => {
      problem.textContent = sentence(refused);
    });
  };
  const form = /** @type {HTMLFormElement} */ (
    h(
      "form",
      { onsubmit: submit, oninput: offer },
      h("header", {}, h("h2", { id: "start-title" }, game.title), h("button", { type: "button", class: "quiet", "aria-label": "Close", onclick: () => dialog.close() }, "✕")),
      choices("Against", "against", [["friend", "A friend"], ["computer", "The computer"]], "friend", true),
      where,
      levels.element,
      h("div", { class: "field" }, h("label", { for: "name" }, "Your name"), nameField("name", keptName())),
      friend,
      game.turns && choices("Who goes first", "first", [["me", "You"], ["random", "Random"], ["other", "Opponent"]], "me"),
      h("details", {}, h("summary", {}, "Settings"), settingFields(game)),
      problem,
      start,
    )
  );
  const dialog = /** @type {HTMLDialogElement} */ (h("dialog", { class: "start", "aria-labelledby": "start-title", onclose: () => here().hash && setAddress("/") }, form));
  offer();
  return dialog;
}

/**
 * Draw radio buttons that look like one switch.
 * @param {string} legend
 * @param {string} name
 * @param {[string, string][]} values
 * @param {string} checked
 * @param {boolean} [autofocus]
 */
function choices(legend, name, values, checked, autofocus = false) {
  return h(
    "fieldset",
    { class: "choices" },
    h("legend", {}, legend),
    h("div", {}, values.map(([value, label]) => h("label", {}, h("input", { type: "radio", name, value, checked: value === checked, autofocus: autofocus && value === checked }), h("span", {}, label)))),
  );
}

/**
 * @param {FormData} data
 * @param {string} field
 */
const typed = (data, field) => String(data.get(field) ?? "").trim();

/**
 * Return the game that a form asks for.
 * @param {GameInfo} game
 * @param {FormData} data
 */
function wished(game, data) {
  const friend = data.get("where") === "here" ? "here" : "friend";
  const opponent = data.get("against") === "computer" ? String(data.get("level")) : friend;
  const first = { me: 1, other: 2, random: "random" }[String(data.get("first"))];
  return {
    game: game.name,
    settings: changed(data, game),
    name: typed(data, "name"),
    opponent,
    ...(opponent === "here" ? { opponent_name: typed(data, "friend") } : {}),
    ...(first === undefined ? {} : { first }),
  };
}
