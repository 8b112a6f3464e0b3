/** The page with the puzzle of one day. */

import { at, fill, h } from "./dom.js";
import { today } from "./dates.js";
import { DailyCard } from "./daily_card.js";
import { here } from "./transport.js";

const day = here().pathname.split("/")[2];
const card = new DailyCard(day);
fill(
  at("main"),
  card.element,
  h("p", { class: "note" }, "Number Duels: short number games for two. Play against the computer at any level, from easy to perfect", h("span", { class: "with-server" }, ", or send a link to a friend"), "."),
  h("p", { class: "row" }, h("a", { class: "button primary", href: "/" }, "All games"), day !== today() && h("a", { class: "button", href: `/daily/${today()}` }, "Today’s puzzle")),
);
addEventListener("keydown", (event) => card.key(event));
card.open();
