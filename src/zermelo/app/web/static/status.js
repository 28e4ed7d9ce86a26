// The line of words below the board: the last move, whose turn it is, and what the computer says.
import { playerTitle } from "/static/common.js";
import { HIDDEN } from "/static/moves.js";

export function status({ view, thinking, hint, played, notice }, atEnd) {
  const last = view.shown ? `${lastMove(view, view.shown - 1)}. ` : "";
  if (view.over) return `${last}${capital(view.result)}.`;
  const words = [];
  if (notice) words.push(notice);
  if (thinking === "draw") words.push("your opponent considers the draw …");
  else if (thinking === "hint") words.push("looking for a hint …");
  else if (thinking) words.push(`${view.mover} is thinking …`);
  else if (view.outcomes.length) words.push("enter the roll, or let the app roll");
  else words.push(`${view.mover} to move${atEnd ? "" : " in this earlier position"}${view.paused && atEnd ? " (paused)" : ""}`);
  if (hint && hint.ply === view.shown) words.push(`hint: ${hint.move}${hint.verdict ? `, ${hint.verdict}` : ""}`);
  else if (played?.verdict && atEnd && !thinking) {
    words.push(`${playerTitle(played.who)} says ${played.verdict}${played.exact ? ", proven" : ""}`);
  }
  if (view.viewer) words.push(`showing what ${view.viewer} can see`);
  return last + capital(words.join("; ")) + (thinking ? "" : ".");
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
function lastMove(view, ply) {
  const who = capital(view.movers[ply] === null ? "chance" : view.seat_names[view.movers[ply]]);
  const move = view.called[ply];
  return move === null || move === HIDDEN ? `${who} has moved` : `${who}: ${move}`;
}
