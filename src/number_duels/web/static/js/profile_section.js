/** The user's profile on the start page: name, other devices and deletion. */

import { post, sentence } from "./api.js";
import { h, speak } from "./dom.js";
import { nameField } from "./name_field.js";
import { keepName } from "./storage.js";
import { forgetProfile } from "./profile.js";
import { enterCode, openDialog, showCode } from "./transfer.js";
import { alone } from "./transport.js";

/**
 * @param {Me} me
 * @param {() => void} onChange called when this browser has another profile
 */
export function drawProfile(me, onChange) {
  const enter = h("button", { type: "button", class: "quiet", "data-key": "enter", onclick: () => enterCode(onChange) }, "Enter a code");
  if (me.created === null) {
    if (alone) return null;
    return section(h("p", { class: "note" }, "You don't need an account. This browser remembers your games. To see your games from another browser, get a code there and enter it here."), h("p", { class: "row" }, enter));
  }
  return section(
    naming(me),
    h("p", { class: "note" }, alone ? "Your games and your profile are kept in this browser alone." : "No account and no email: a cookie in this browser identifies your games."),
    h(
      "p",
      { class: "row" },
      !alone && [h("button", { type: "button", class: "quiet", "data-key": "code", onclick: showCode }, "Use on another device"), enter],
      h("button", { type: "button", class: "quiet", "data-key": "forget", onclick: () => askToForget(onChange) }, "Forget me"),
    ),
  );
}

/** @param {...Child} content */
const section = (...content) => h("section", { class: "profile", "aria-labelledby": "profile-title" }, h("h2", { id: "profile-title" }, "Your profile"), content);

/** @param {Me} me */
function naming(me) {
  const problem = h("p", { class: "problem", role: "alert" });
  const rename = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const name = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("name") ?? "").trim();
    problem.textContent = "";
    try {
      await post("/api/me", { name });
      keepName(name);
      speak("Your name is saved.");
    } catch (refused) {
      problem.textContent = sentence(refused);
    }
  };
  return h(
    "form",
    { class: "naming", onsubmit: rename },
    h("label", { for: "my-name" }, "Your name in new games"),
    h("div", { class: "row" }, nameField("my-name", me.name), h("button", {}, "Save")),
    problem,
  );
}

/** @param {() => void} onChange */
function askToForget(onChange) {
  const problem = h("p", { class: "problem", role: "alert" });
  const forget = async () => {
    try {
      await forgetProfile();
      dialog.close();
      onChange();
    } catch (refused) {
      problem.textContent = sentence(refused);
    }
  };
  const dialog = openDialog(
    "Forget me?",
    h("p", {}, `This deletes your results and your list of games${alone ? "" : " on all your devices"}. You can't undo it. You can still play unfinished games from their links, in the browsers where you started them.`),
    problem,
    h("button", { type: "button", class: "danger", onclick: forget }, "Forget me"),
  );
}
