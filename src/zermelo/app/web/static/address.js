// The whole game in the address bar, so that it can be shared and reloaded: #/play?game=connect_four&moves=4.4.3
// `var` is a variation: the number of the position that it follows, then its moves. `at` is the number of the position
// that is shown, if it is not the end of the main line. Positions are numbered as in saved games: 0 is the first one, the
// main line goes on from 1, and those of each variation follow.

const PAGES = ["start", "play", "trees", "backwards", "equilibria", "practice", "race", "arena"];
const POSITION = ["game", "set", "start", "moves"];
const OWN = ["trees", "backwards", "equilibria", "practice"]; // pages that restore what they showed last

let position_seen = ""; // the fields of the last position, on any page
const left = {}; // the last address of each page
let known = location.hash; // the last address that the page has read or written
let is_another = false; // another game was requested: the browser's Back button returns to the previous one

addEventListener("hashchange", () => (known = location.hash));

export function page() {
  const name = location.hash.replace(/^#\/?/, "").split("?")[0];
  return PAGES.includes(name) ? name : "start";
}

export const fields = (hash = location.hash) => new URLSearchParams(hash.split("?")[1] || "");

export const expect = (another) => (is_another = another);

// Does nothing if the user has gone to another page or address.
export function put(name, fields) {
  if (page() !== name || location.hash !== known) return;
  const hash = `#/${name}?${fields}`;
  if (location.hash !== hash) {
    if (is_another) history.pushState(null, "", hash);
    else history.replaceState(null, "", hash);
    known = location.hash;
    is_another = false;
  }
  left[name] = hash;
}

// The fields of the position that an address shows.
function seenAt(hash) {
  const found = fields(hash);
  if (!found.has("game")) return "";
  const kept = new URLSearchParams([...found].filter(([field]) => POSITION.includes(field)));
  const moves = lineTo(game(hash));
  if (moves.length) kept.set("moves", joined(moves));
  else kept.delete("moves");
  return String(kept);
}

// The address of another page for the same position, without fields that are specific to this page.
export function along(name) {
  position_seen = seenAt(location.hash) || position_seen;
  if (name === "play" && left.play && seenAt(left.play) === position_seen) return left.play; // with the whole game
  if (OWN.includes(name)) return left[name] || `#/${name}`;
  return position_seen ? `#/${name}?${position_seen}` : `#/${name}`;
}

// Names are separated by full stops. Within names, ~1 stands for a full stop and ~0 for ~. A lone ~ is a move without a name.
export const joined = (names) =>
  names.map((name) => (name === null ? "~" : name.replaceAll("~", "~0").replaceAll(".", "~1"))).join(".");
export const parted = (text) =>
  text.split(".").filter(Boolean).map((name) => (name === "~" ? null : name.replaceAll("~1", ".").replaceAll("~0", "~")));

// The moves, the variations and the number of the position of the address.
function game(hash = location.hash) {
  const found = fields(hash);
  const moves = parted(found.get("moves") || "");
  const variations = found.getAll("var").map(parted).filter((each) => each.length > 1 && Number(each[0]) >= 0)
    .map(([after, ...more]) => ({ after: Number(after), moves: more }));
  return { moves, variations, at: found.has("at") ? Number(found.get("at")) : moves.length };
}

// The moves that lead to a position.
function lineTo({ moves, variations, at }) {
  const lines = [[], ...moves.map((_, i) => moves.slice(0, i + 1))];
  for (const each of variations) {
    const before = lines[each.after] || [];
    each.moves.forEach((_, i) => lines.push([...before, ...each.moves.slice(0, i + 1)]));
  }
  return lines[at] || moves;
}

// The position of the address.
export function position() {
  const found = fields();
  const moves = lineTo(game());
  return {
    game: found.get("game") || "tic_tac_toe",
    settings: found.getAll("set"),
    moves: moves.includes(null) ? [] : moves,
    start: found.get("start"),
  };
}

// The message that opens the game of the address; if it has none, the current game.
export function read() {
  const found = fields();
  if (!found.get("game")) return { do: "look" };
  const message = { do: "open", game: found.get("game"), settings: found.getAll("set") };
  const { moves, variations, at } = game();
  if (moves.length) message.moves = moves;
  if (variations.length) message.variations = variations;
  if (found.has("at") && Number.isInteger(at)) message.at = at;
  const clock = parted(found.get("clock") || "").map(Number);
  if (clock.length === 2 && clock.every(Number.isFinite)) message.clock = clock;
  if (found.get("seats")) message.seats = parted(found.get("seats"));
  if (found.get("start")) message.start = found.get("start");
  if (found.get("seed")) message.seed = Number(found.get("seed"));
  return message;
}

// A game, its settings and its moves, as fields of an address.
export function played({ game, settings, start, moves }) {
  const fields = new URLSearchParams({ game });
  for (const setting of settings) fields.append("set", setting);
  if (start) fields.set("start", start);
  if (moves?.length) fields.set("moves", joined(moves));
  return fields;
}

export function write(view, name) {
  const { record, at } = view.whole || { record: { moves: [] }, at: 0 }; // hidden moves are not for the address
  const fields = played({ ...view, moves: record.moves });
  for (const { after, moves } of record.variations || []) fields.append("var", joined([String(after), ...moves]));
  if (at !== record.moves.length) fields.set("at", at);
  if (view.clock) fields.set("clock", joined([view.clock.seconds, view.clock.increment].map(String)));
  if (view.seats.some((words) => words !== "person")) fields.set("seats", joined(view.seats));
  if (view.seed != null && !view.viewer && name === "play") fields.set("seed", view.seed);
  put(name, fields);
}
