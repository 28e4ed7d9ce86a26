// The position in the address bar, so that it can be shared and reloaded: #/play?game=connect_four&moves=4.4.3

const PAGES = ["play", "trees", "practice", "race", "arena"];
const POSITION = ["game", "set", "start", "moves"];
const OWN = ["trees", "practice"]; // pages that restore what they showed last

let position_seen = ""; // the fields of the last position, on any page
const left = {}; // the last address of each page
let known = location.hash; // the last address that the page has read or written
let is_another = false; // another game was requested: the browser's Back button returns to the previous one

addEventListener("hashchange", () => (known = location.hash));

export function page() {
  const name = location.hash.replace(/^#\/?/, "").split("?")[0];
  return PAGES.includes(name) ? name : "play";
}

export const fields = () => new URLSearchParams(location.hash.split("?")[1] || "");

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

// The address of another page for the same position, without fields that are specific to this page.
export function along(name) {
  const found = fields();
  if (found.has("game")) {
    position_seen = String(new URLSearchParams([...found].filter(([field]) => POSITION.includes(field))));
  }
  if (OWN.includes(name)) return left[name] || `#/${name}`;
  return position_seen ? `#/${name}?${position_seen}` : `#/${name}`;
}

// Names are separated by full stops. Within names, ~1 stands for a full stop and ~0 for ~. A lone ~ is a move without a name.
export const joined = (names) =>
  names.map((name) => (name === null ? "~" : name.replaceAll("~", "~0").replaceAll(".", "~1"))).join(".");
export const parted = (text) =>
  text.split(".").filter(Boolean).map((name) => (name === "~" ? null : name.replaceAll("~1", ".").replaceAll("~0", "~")));

// The position of the address.
export function position() {
  const found = fields();
  const moves = parted(found.get("moves") || "");
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
  if (found.get("moves")) message.moves = parted(found.get("moves"));
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
  const fields = played({ ...view, moves: view.viewer ? [] : view.moves.slice(0, view.shown) });
  if (view.seats.some((words) => words !== "person")) fields.set("seats", joined(view.seats));
  if (view.seed != null && !view.viewer && name === "play") fields.set("seed", view.seed);
  put(name, fields);
}
