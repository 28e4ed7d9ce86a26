// Games in files, and the address to share.
import { html, useRef, useState } from "/static/preact.js";
import { download } from "/static/common.js";

const NO_GAME = 'contains no saved game. A saved game is a line of JSON with "zermelo": "game"';
const LONGEST = 190_000; // most characters of a saved game: the server refuses longer messages
const TOO_LONG = "is too large. Remove the fields \"analysis\" and \"variations\" and try again";

export function Files({ view, say, tell }) {
  const file = useRef(null);
  const [copied, setCopied] = useState(false);
  const load = async (event) => {
    const [chosen] = event.target.files;
    if (!chosen) return;
    const text = await chosen.text();
    event.target.value = "";
    const record = saved(text);
    if (record && JSON.stringify(record).length > LONGEST) tell({ kind: "error", error: `${chosen.name} ${TOO_LONG}` });
    else if (record) say({ do: "load", record });
    else tell({ kind: "error", error: `${chosen.name} ${NO_GAME}` });
  };
  const share = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      setCopied(true);
      setTimeout(() => setCopied(false), 2000);
    } catch {
      tell({ kind: "error", error: `the address of this position is ${location.href}` });
    }
  };
  return html`<span class="rest">
    <button class="quiet" onClick=${() => say({ do: "save" })}>Save</button>
    <button class="quiet" onClick=${() => file.current.click()}>Load</button>
    <button class="quiet" onClick=${share} disabled=${view.viewer !== null}
      title=${view.viewer !== null ? "the address would reveal hidden information" : "copy the address of this position"}>
      ${copied ? "Copied" : "Share"}</button>
    <input ref=${file} type="file" accept=".jsonl,.json" hidden onChange=${load} aria-label="saved game" />
  </span>`;
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

export const save = (record) =>
  download(`${record.game.replace(/\.py.*$/, "").replace(/\W+/g, "_")}.jsonl`, JSON.stringify(record) + "\n");
