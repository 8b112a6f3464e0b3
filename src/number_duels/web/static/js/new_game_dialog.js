/** The dialog that starts a game. */

import { sentence } from "./api.js";
import { h } from "./dom.js";
import { keepLevel, keptLevel, startGame } from "./new_game.js";
import { changed, isSolved, settingFields } from "./settings.js";
import { keepName, keptName } from "./storage.js";

/**
 * @param {GameInfo} game
 * @param {Opponent[]} computers
 * @returns {HTMLDialogElement}
 */
export function startDialog(game, computers) {
  const problem = h("p", { class: "problem", role: "alert" });
  const unsolved = h("p", { class: "note", role: "status", hidden: true }, "This server does not solve the game with these settings, so no other computer can play it.");
  const strength = h("div", { class: "field", hidden: true }, h("label", { for: "strength" }, "Strength"), strengths(game, computers), unsolved);
  const chosen = (/** @type {Event} */ event) => {
    strength.hidden = /** @type {HTMLInputElement} */ (event.target).value === "friend";
  };
  const offer = (/** @type {Event} */ event) => {
    const form = /** @type {HTMLFormElement} */ (event.currentTarget);
    unsolved.hidden = offerSolved(form, computers, isSolved(game, changed(new FormData(form), game)));
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
      { class: "start", "aria-labelledby": "start-title", onclose: () => location.hash && history.replaceState(null, "", "/") },
      h(
        "form",
        { onsubmit: submit, oninput: offer },
        h("header", {}, h("h2", { id: "start-title" }, game.title), h("button", { type: "button", class: "quiet", "aria-label": "Close", onclick: () => dialog.close() }, "✕")),
        choices("Against", "against", [["friend", "A friend"], ["computer", "The computer"]], "friend", { onchange: chosen, autofocus: true }),
        strength,
        h("div", { class: "field" }, h("label", { for: "name" }, "Your name"), h("input", { id: "name", name: "name", maxlength: 20, autocomplete: "nickname", dir: "auto", value: keptName() })),
        game.turns
          ? choices("Who goes first", "first", [["me", "You"], ["random", "Random"], ["other", "Opponent"]], "me")
          : choices("Your seat", "seat", [["1", "Player 1"], ["2", "Player 2"]], "1"),
        h("details", {}, h("summary", {}, "Settings"), settingFields(game)),
        problem,
        h("button", { class: "primary large" }, "Start the game"),
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
 * Enable only the computers that can play. If the game is solved, all of them can.
 * @param {HTMLFormElement} form
 * @param {Opponent[]} computers
 * @param {boolean} solved
 */
function offerSolved(form, computers, solved) {
  const select = /** @type {HTMLSelectElement} */ (form.elements.namedItem("strength"));
  computers.forEach(({ solves }, index) => {
    select.options[index].disabled = solves && !solved;
  });
  if (select.selectedOptions[0]?.disabled) select.selectedIndex = computers.findIndex(({ solves }) => !solves);
  return solved;
}

/**
 * @param {GameInfo} game
 * @param {Opponent[]} computers
 */
const strengths = (game, computers) =>
  h("select", { id: "strength", name: "strength" }, computers.map(({ who, name }) => h("option", { value: who, selected: who === keptLevel(computers).who }, `${name} – ${game.opponents[who]}`)));

/**
 * Return the game that a form asks for.
 * @param {GameInfo} game
 * @param {FormData} data
 */
function wished(game, data) {
  const name = String(data.get("name") ?? "").trim();
  const strength = String(data.get("strength") ?? "");
  const computer = data.get("against") === "computer";
  keepName(name);
  if (computer) keepLevel(strength);
  const first = { me: 1, other: 2, random: "random" }[String(data.get("first"))];
  return {
    game: game.name,
    settings: changed(data, game),
    seat: Number(data.get("seat") ?? 1),
    name,
    opponent: computer ? strength : "friend",
    ...(first === undefined ? {} : { first }),
  };
}
