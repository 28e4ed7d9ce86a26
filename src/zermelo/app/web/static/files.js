// Games in files: opened, pasted, saved and shared. PGN, PDN, SGF and .mat are read by the server.
import { html, useRef, useState } from "/static/preact.js";
import { download } from "/static/common.js";

const LONGEST = 190_000; // most characters of a saved game: the server refuses longer messages
const TOO_LONG = "is too large: at most 190,000 characters can be opened here";
const TOO_FULL = "is too large. Remove the fields \"analysis\" and \"variations\" and try again";
const KINDS = ".pgn,.pdn,.sgf,.mat,.jsonl,.json,.fen,.txt";

export function Files({ view, game, say, tell }) {
  const file = useRef(null);
  const [copied, setCopied] = useState(false);
  const [pasting, setPasting] = useState(null);
  const load = async (event) => {
    const [chosen] = event.target.files;
    if (!chosen) return;
    const text = await chosen.text();
    event.target.value = "";
    read(text, chosen.name, view, say, tell);
  };
  const paste = (event) => {
    event.preventDefault();
    read(pasting, "the text", view, say, tell);
    setPasting(null);
  };
  const share = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      setCopied(true);
      setTimeout(() => setCopied(false), 2000);
    } catch {
      tell({ kind: "error", error: `the address of this game is ${location.href}` });
    }
  };
  const hides = view.viewer !== null;
  const reason = hides ? "it would reveal hidden information" : null;
  return html`<span class="rest">
    <button class="quiet" disabled=${hides} onClick=${() => say({ do: "save" })} title=${reason ?? "save the game with its analysis as JSON"}>Save</button>
    ${game?.format && game.format !== "JSON" && html`<button class="quiet" disabled=${hides} title=${reason ?? `save the game as ${game.format}`}
      onClick=${() => say({ do: "export", form: game.format })}>${game.format}</button>`}
    <button class="quiet" onClick=${() => file.current.click()} title="open a file: PGN, PDN, SGF, .mat, FEN, XGID or JSON">Load</button>
    <button class="quiet" aria-expanded=${pasting !== null} onClick=${() => setPasting(pasting === null ? "" : null)} title="paste PGN, PDN, SGF, .mat, FEN, XGID or JSON">Paste</button>
    <button class="quiet" onClick=${share} disabled=${hides}
      title=${hides ? "the address would reveal hidden information" : "copy the address of this game"}>
      ${copied ? "Copied" : "Share"}</button>
    <input ref=${file} type="file" accept=${KINDS} hidden onChange=${load} aria-label="saved game" />
  </span>
  ${pasting !== null && html`<form class="pasting" onSubmit=${paste}>
    <textarea aria-label="game as text" rows="5" placeholder="PGN, PDN, SGF, .mat, FEN, XGID or JSON" value=${pasting}
      onInput=${(event) => setPasting(event.target.value)} ref=${(node) => node && !pasting && node.focus()}></textarea>
    <button class="main" disabled=${!pasting.trim()}>Open</button>
  </form>`}`;
}

// Which game of a file with several ones?
export function Contents({ contents, text, say }) {
  if (!contents) return null;
  return html`<p class="contents"><label>${contents.titles.length} games in this file:
    <select aria-label="game of the file" onChange=${(event) => say({ do: "import", text, number: Number(event.target.value) })}>
      ${contents.titles.map((title, i) => html`<option value=${i} selected=${i === contents.chosen}>${i + 1}. ${title}</option>`)}
    </select></label></p>`;
}

// Open a text of any kind.
export function read(text, name, view, say, tell) {
  if (/^\s*\{/.test(text)) {
    const record = saved(text);
    if (record && JSON.stringify(record).length > LONGEST) tell({ kind: "error", error: `${name} ${TOO_FULL}` });
    else if (record) say({ do: "load", record });
    else tell({ kind: "error", error: `${name} contains no saved game. A saved game is a line of JSON with "zermelo": "game"` });
  } else if (text.length > LONGEST) tell({ kind: "error", error: `${name} ${TOO_LONG}` });
  else if (isPosition(text, view.game)) say({ do: "set_up", text: text.trim() });
  else say({ do: "import", text });
}

// One line with the rows of a board, as in FEN, or an ID of a backgammon position, perhaps a damaged one.
const BACKGAMMON = /^XGID|^GNUBGID|^(GNU Backgammon\s+)?Position ID|^[\w+/]{14}:[\w+/]{12}$/;
const DAMAGED = /^[\w+/=]{10,18}(:\S*)?$/;
function isPosition(text, game) {
  const plain = text.trim();
  if (BACKGAMMON.test(plain) || (game === "backgammon" && DAMAGED.test(plain))) return true;
  return !plain.includes("\n") && (plain.split(/\s/)[0].match(/\//g) || []).length > 1;
}

// The first saved game of a file of lines.
function saved(text) {
  for (const line of [text, ...text.split("\n")]) {
    try {
      const found = JSON.parse(line);
      if (found?.zermelo === "game") return found;
    } catch {
      // a line of another kind
    }
  }
  return null;
}

const fileName = (game) => game.replace(/\.py.*$/, "").replace(/^.*\//, "").replace(/\W+/g, "_");
export const save = (record) => download(`${fileName(record.game)}.jsonl`, JSON.stringify(record) + "\n");
export const saveText = (game, { ending, text }) => download(`${fileName(game)}.${ending}`, text, "text/plain");
