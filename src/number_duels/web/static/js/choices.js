/** What each seat can choose: the advice, the tables of a scene, and the reasons. */

import { h, whole } from "./dom.js";
import { drawTable } from "./scene_tables.js";

/**
 * Draw each seat's choices: the advice, then the tables.
 * @param {Table[]} tables
 * @param {import("./scene_tables.js").Choose} [choose]
 */
export function drawChoices(tables, choose) {
  return [1, 2].map((seat) => {
    const own = tables.filter(({ rows }) => rows[0].seat === seat);
    if (own.length === 0) return null;
    const { title, sentences: [advice, ...others] } = own[own.length - 1];
    return h(
      "div",
      { class: `choices-of seat-${seat}` },
      title && h("h3", {}, h("bdi", {}, title)),
      advice && h("p", {}, whole(advice)),
      own.map((table) => drawTable(table, choose)),
      others.length > 0 && h("details", {}, h("summary", { class: "note" }, "Why"), others.map((text) => h("p", {}, whole(text)))),
    );
  });
}
