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
  levels.element.hidden = !alone;
  const chosen = (/** @type {Event} */ event) => {
    levels.element.hidden = /** @type {HTMLInputElement} */ (event.target).value === "friend";
    start.textContent = levels.element.hidden ? INVITE : START;
  };
  const offer = (/** @type {Event} */ event) => {
    const form = /** @type {HTMLFormElement} */ (event.currentTarget);
    levels.offer(isSolved(game, changed(new FormData(form), game)));
  };
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    problem.textContent = "";
    startGame(wished(game, new FormData(/** @type {HTMLFormElement} */ (event.target)))).catch((refused) => {
      problem.textContent = sentence(refused);
    });
  };
  const dialog = /** @type {HTMLDialogElement} */ (
    h(
      "dialog",
      { class: "start", "aria-labelledby": "start-title", onclose: () => here().hash && setAddress("/") },
      h(
        "form",
        { onsubmit: submit, oninput: offer },
        h("header", {}, h("h2", { id: "start-title" }, game.title), h("button", { type: "button", class: "quiet", "aria-label": "Close", onclick: () => dialog.close() }, "✕")),
        !alone && choices("Against", "against", [["friend", "A friend"], ["computer", "The computer"]], "friend", { onchange: chosen, autofocus: true }),
        levels.element,
        h("div", { class: "field" }, h("label", { for: "name" }, "Your name"), nameField("name", keptName())),
        game.turns && choices("Who goes first", "first", [["me", "You"], ["random", "Random"], ["other", "Opponent"]], "me"),
        h("details", {}, h("summary", {}, "Settings"), settingFields(game)),
        problem,
        start,
      ),
    )
  );
  return dialog;
}

/**
 * Draw radio buttons that look like one switch.
 * @param {string} legend
 * @param {string} name
 * @param {[string, string][]} values
 * @param {string} checked
 * @param {{onchange?: (event: Event) => void, autofocus?: boolean}} [use]
 */
function choices(legend, name, values, checked, { onchange = () => {}, autofocus = false } = {}) {
  return h(
    "fieldset",
    { class: "choices", onchange },
    h("legend", {}, legend),
    h("div", {}, values.map(([value, label]) => h("label", {}, h("input", { type: "radio", name, value, checked: value === checked, autofocus: autofocus && value === checked }), h("span", {}, label)))),
  );
}

/**
 * Return the game that a form asks for.
 * @param {GameInfo} game
 * @param {FormData} data
 */
function wished(game, data) {
  const name = String(data.get("name") ?? "").trim();
  keepName(name);
  const first = { me: 1, other: 2, random: "random" }[String(data.get("first"))];
  return {
    game: game.name,
    settings: changed(data, game),
    name,
    opponent: alone || data.get("against") === "computer" ? String(data.get("level")) : "friend",
    ...(first === undefined ? {} : { first }),
  };
}
