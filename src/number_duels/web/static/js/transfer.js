/** Codes that open a profile in another browser. */

import { drawCode, sharedOrigin } from "./links.js";
import { post, Refused, sentence } from "./api.js";
import { fill, h } from "./dom.js";
import { here } from "./transport.js";

/** The code follows the #, so that no server sees it. */
const CODE_MARK = "#code=";

/** Return the code in this page's address, or "" if there is none. */
export const codeInAddress = () => (here().hash.startsWith(CODE_MARK) ? decodeURIComponent(here().hash.slice(CODE_MARK.length)) : "");

/**
 * Open a dialog with a heading and a close button. It is removed when closed.
 * @param {string} title
 * @param {...Child} content
 */
export function openDialog(title, ...content) {
  const dialog = /** @type {HTMLDialogElement} */ (
    h(
      "dialog",
      { class: "transfer", "aria-labelledby": "dialog-title", onclose: () => dialog.remove() },
      h("h2", { id: "dialog-title" }, title),
      content,
      h("button", { type: "button", onclick: () => dialog.close() }, "Close"),
    )
  );
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Show a new code, to type or scan on another device. */
export async function showCode() {
  const place = h("div", { class: "code-place", role: "status" }, h("p", { class: "note" }, "One moment…"));
  openDialog("Use on another device", place);
  try {
    const [{ code, expires_s: expires }, origin] = await Promise.all([post("/api/me/code"), sharedOrigin()]);
    const picture = origin && (await drawCode(`${origin}/${CODE_MARK}${code}`, "QR code that opens your profile on another device"));
    fill(
      place,
      h("p", {}, origin ? "Scan this with the other device, or open this page there and type the code:" : "Open this page in the other browser, choose “Enter a code”, and type:"),
      picture,
      h("p", { class: "transfer-code" }, code),
      h("p", { class: "note" }, `The code works once, within ${Math.round(expires / 60)} minutes. Anyone who has it can use your profile, so don't share it.`),
    );
  } catch (problem) {
    fill(place, h("p", { class: "problem" }, sentence(problem)));
  }
}

/**
 * Open the profile of a code in this browser. If the browser has games, ask what to do with them.
 * @param {() => void} onDone
 * @param {string} [code]
 */
export function enterCode(onDone, code = "") {
  const problem = h("p", { class: "problem", role: "alert" });
  const field = /** @type {HTMLInputElement} */ (h("input", { id: "code", name: "code", required: true, autocomplete: "off", autocapitalize: "characters", spellcheck: "false", value: code, placeholder: "K7QM-2XRD-P9TH", autofocus: true }));
  const further = h("div", { class: "row" }, h("button", { class: "primary" }, "Use that profile here"));
  const redeem = async (/** @type {boolean | null} */ merge) => {
    problem.textContent = "";
    try {
      await post("/api/me/redeem", { code: field.value, ...(merge === null ? {} : { merge }) });
      dialog.close();
      onDone();
    } catch (refused) {
      problem.textContent = sentence(refused);
      if (refused instanceof Refused && refused.needs === "merge") fill(further, choice("Add my games to that profile", () => redeem(true)), choice("Leave them behind", () => redeem(false)));
    }
  };
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    redeem(null);
  };
  const dialog = openDialog(
    "Enter a code",
    h(
      "form",
      { onsubmit: submit },
      h("p", {}, "On your other device, choose “Use on another device” to get a code. Enter it here to see your games and your record."),
      h("div", { class: "field" }, h("label", { for: "code" }, "Code"), field),
      problem,
      further,
    ),
  );
}

/**
 * @param {string} label
 * @param {() => void} onclick
 */
const choice = (label, onclick) => h("button", { type: "button", onclick }, label);
