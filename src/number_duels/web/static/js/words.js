/** How a table stands, in words. */

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Seat} Seat */
/** @typedef {import("./types.js").Kind} Kind */

/** @type {Seat[]} */
export const SEATS = [1, 2];

/**
 * @param {View} view
 * @param {Seat} seat
 */
export const nameOf = (view, seat) => view.players[seat - 1].name;

/**
 * Who still has to act now.
 * @param {View} view
 * @returns {Seat[]}
 */
export const awaited = (view) => view.to_move.filter((seat) => !view.chosen.includes(seat));

/**
 * The first seat that nobody has taken.
 * @param {View} view
 * @returns {Seat | undefined}
 */
export const freeSeat = (view) => SEATS.find((seat) => !view.players[seat - 1].seated);

/**
 * Whether it is the holder who must act.
 * @param {View} view
 */
export const yours = (view) => !view.over && !freeSeat(view) && (view.question !== null || view.draw);

/**
 * Who won; null is a draw.
 * @param {View} view
 * @returns {Seat | null}
 */
export const winner = (view) => (view.result === "1-0" ? 1 : view.result === "0-1" ? 2 : null);

/**
 * The one thing to know now, and a little more.
 * @param {View} view
 * @returns {{headline: string, detail: string}}
 */
export function standing(view) {
  if (view.over) return { headline: verdict(view), detail: view.reason };
  if (freeSeat(view)) return { headline: view.you === null ? "A seat is free" : "Waiting for your friend", detail: "" };
  if (yours(view)) return { headline: "Your turn", detail: chosenOthers(view) };
  const waiting = awaited(view).map((seat) => nameOf(view, seat));
  if (view.you !== null && view.chosen.includes(view.you)) {
    return { headline: "You have chosen", detail: `Waiting for ${waiting.join(" and ")}.` };
  }
  if (waiting.length === 2) return { headline: `${waiting.join(" and ")} are choosing`, detail: "" };
  if (waiting.length === 1) return { headline: `${waiting[0]} is to move`, detail: chosenOthers(view) };
  return { headline: "Waiting", detail: "" };
}

/** @param {View} view */
function verdict(view) {
  const won = winner(view);
  if (won === null) return view.result === "*" ? "The game has ended" : "A draw";
  if (view.you === null) return `${nameOf(view, won)} wins`;
  return won === view.you ? "You win" : `${nameOf(view, won)} wins`;
}

/** @param {View} view */
function chosenOthers(view) {
  const others = view.chosen.filter((seat) => seat !== view.you);
  return others.map((seat) => `${nameOf(view, seat)} has chosen.`).join(" ");
}

/**
 * What a player is doing, in a word or two.
 * @param {View} view
 * @param {Seat} seat
 */
export function doing(view, seat) {
  const player = view.players[seat - 1];
  if (!player.seated) return "not here yet";
  if (freeSeat(view)) return "";
  if (view.over) return winner(view) === seat ? "winner" : "";
  const gone = player.who === "human" && !player.present && !player.you ? "left" : "";
  if (view.chosen.includes(seat)) return gone ? "chosen, left" : "chosen";
  if (gone) return gone;
  if (!awaited(view).includes(seat)) return "";
  return player.you ? "to move" : "thinking…";
}

/**
 * Lines worth reading beside a board: what was said, and the headings over it.
 * @param {{lines: string[], kinds: Kind[]}} told
 * @returns {{text: string, kind: Kind}[]}
 */
export function readable({ lines, kinds }) {
  const left = lines.map((text, index) => ({ text, kind: kinds[index] })).filter(({ text, kind }) => text.trim() && (kind === "said" || kind === "heading"));
  return left.filter(({ kind }, index) => kind === "said" || left[index + 1]?.kind === "said");
}
