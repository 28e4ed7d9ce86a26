// What is looked at, in the address bar, so that it can be shared and reloaded: #/play?game=connect_four&moves=4.4.3

export const page = () => location.hash.replace(/^#\/?/, "").split("?")[0] || "play";

export const fields = () => new URLSearchParams(location.hash.split("?")[1] || "");

export function put(page, fields) {
  const hash = `#/${page}?${fields}`;
  if (location.hash !== hash) history.replaceState(null, "", hash);
}

// Names are separated by full stops, which are written ~1 within names, as ~ is ~0; a lone ~ has no name.
export const joined = (names) =>
  names.map((name) => (name === null ? "~" : name.replaceAll("~", "~0").replaceAll(".", "~1"))).join(".");
export const parted = (text) =>
  text.split(".").filter(Boolean).map((name) => (name === "~" ? null : name.replaceAll("~1", ".").replaceAll("~0", "~")));

// The position of the address, for pages that look at one.
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

// The message that puts the game of the address on the table; null where the address names none.
export function read() {
  const found = fields();
  if (!found.get("game")) return null;
  const message = { do: "new", game: found.get("game"), settings: found.getAll("set") };
  if (found.get("moves")) message.moves = parted(found.get("moves"));
  if (found.get("seats")) message.seats = parted(found.get("seats"));
  if (found.get("start")) message.start = found.get("start");
  if (found.get("seed")) message.seed = Number(found.get("seed"));
  return message;
}

export function write(view, page = "play") {
  const fields = new URLSearchParams({ game: view.game });
  for (const setting of view.settings) fields.append("set", setting);
  if (view.start) fields.set("start", view.start);
  if (view.seats?.some((words) => words !== "person")) fields.set("seats", joined(view.seats));
  if (!view.viewer) {
    if (view.seed != null) fields.set("seed", view.seed);
    if (view.shown) fields.set("moves", joined(view.moves.slice(0, view.shown)));
  }
  put(page, fields);
}
