// What the pages share: the choice of a game, the notice before the first answer, and downloads.
import { html } from "/static/preact.js";

export const GameChoice = ({ games, chosen, choose, ...more }) => html`<select ...${more} onChange=${(event) => choose(event.target.value)}>
  ${games.map((each) => html`<option value=${each.name} selected=${each.name === chosen}>${each.title}</option>`)}
</select>`;

// The notice before the first answer; or the error of a wrong address, and a way out.
export function Waiting({ error, page }) {
  if (!error) return html`<main><p class="waiting" role="status">zermelo is starting …</p></main>`;
  return html`<main class="waiting"><p class="error" role="alert">${error}</p>
    <p><a href=${`#/${page}?game=tic_tac_toe`}>Start with tic-tac-toe</a></p></main>`;
}

// A player in words for people: "engine:seconds=0.1" is "engine, 0.1 s per move".
export function playerTitle(words) {
  const [name, options = ""] = words.replace(/^level:/, "").split(/:(.*)/s);
  const limits = options.split(",").filter(Boolean).map((each) => {
    const [key, value = ""] = each.split("=");
    return { seconds: `${value} s per move`, nodes: `${value} nodes`, depth: `depth ${value}`, book: "with a book" }[key] ?? `${key} ${value}`.trim();
  });
  return [name.replace(/^auto$/, "strongest").replaceAll("_", " "), ...limits].join(", ");
}

export function download(name, text, type = "application/json") {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
