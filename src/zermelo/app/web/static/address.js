// What is looked at, in the address bar, so that it can be shared and reloaded: #/play?game=connect_four&moves=4.4.3

export const page = () => location.hash.replace(/^#\/?/, "").split("?")[0] || "play";

export const fields = () => new URLSearchParams(location.hash.split("?")[1] || "");

export function put(page, fields) {
  const hash = `#/${page}?${fields}`;
  if (location.hash !== hash) history.replaceState(null, "", hash);
}

export function read() {
  const found = fields();
  return {
    game: found.get("game") || "tic_tac_toe",
    settings: found.getAll("set"),
    moves: (found.get("moves") || "").split(".").filter(Boolean),
    start: found.get("start"),
  };
}

export function write(view, page = "play") {
  const fields = new URLSearchParams({ game: view.game });
  for (const setting of view.settings) fields.append("set", setting);
  if (view.start) fields.set("start", view.start);
  const moves = view.moves.slice(0, view.shown);
  if (moves.length && moves.every((move) => move !== null && !move.includes("."))) fields.set("moves", moves.join("."));
  put(page, fields);
}
