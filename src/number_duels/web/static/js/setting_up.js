/** Opens the table of a game, and shows at once that it is being set up. */

import { h } from "./dom.js";
import { go } from "./transport.js";

/** Covers the page, so that nothing else can be pressed. */
const sign = h("p", { class: "starting", role: "status" }, "Setting up the table…");
addEventListener("pageshow", () => sign.remove());

/** Return true from the request for a table until the page is left. */
export const isSettingUp = () => sign.isConnected;

/**
 * Open the table of a game. Does nothing while another table is being set up.
 * @param {() => Promise<string>} request asks the server for a seat, and returns the id of the game
 */
export async function openTable(request) {
  if (isSettingUp()) return;
  (document.querySelector("dialog[open]") ?? document.body).append(sign);
  try {
    go(`/play/${await request()}`);
  } catch (problem) {
    sign.remove();
    throw problem;
  }
}
