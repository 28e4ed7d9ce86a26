// Games that were played in this browser, kept in its storage: nothing is lost by closing a tab.

const KEY = "zermelo.recent";
const MOST = 30;
const LONGEST = 190_000; // most characters of a game: the server refuses longer messages

export function all() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) || "[]");
    return Array.isArray(found) ? found.filter((each) => each && typeof each.hash === "string" && each.record) : [];
  } catch {
    return []; // storage is off, or holds something else
  }
}

// Those of the games that are here: a file of one's own may not be served today.
export const of = (games) => all().filter((each) => games.some((game) => game.name === each.record.game));

function keep(games) {
  for (let count = games.length; count > 0; count = Math.floor(count / 2)) {
    try {
      localStorage.setItem(KEY, JSON.stringify(games.slice(0, count)));
      return;
    } catch {
      // it is full: keep fewer
    }
  }
}

const startsWith = (moves, first) => first.every((move, i) => moves[i] === move);
const isSame = (one, other) =>
  one.id === other.id || (one.key === other.key && startsWith(one.record.moves, other.record.moves) && !other.record.variations);

// Keep the game that is shown. A hidden game has no record before it is over.
export function save(view, hash) {
  if (!view.whole || !view.whole.record.moves.length) return;
  const { record, at } = view.whole;
  if (JSON.stringify(record).length > LONGEST) return;
  const key = JSON.stringify([view.game, view.settings, view.start, view.seed, view.seats]);
  const entry = {
    id: view.id, key, hash, record, at, title: view.title, when: Date.now(),
    players: view.tags.White ? [view.tags.White, view.tags.Black || "?"] : view.seats,
    ended: view.over ? view.result : null,
  };
  keep([entry, ...all().filter((each) => !isSame(entry, each))].slice(0, MOST));
}

export const find = (hash) => all().find((each) => each.hash === hash);
export const forget = (id) => {
  const left = all().filter((each) => each.id !== id);
  try {
    localStorage.setItem(KEY, JSON.stringify(left));
  } catch {
    // storage is off
  }
};
