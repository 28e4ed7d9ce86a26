// The buttons below the board.
import { html } from "/static/preact.js";
import { Files } from "/static/files.js";
import { SoundSwitch } from "/static/sound.js";

export function Actions({ view, game, say, tell, atEnd }) {
  const show = (ply) => say({ do: "show", ply });
  const engines = !view.over && view.seats.every((words) => words !== "person");
  return html`<div class="buttons" role="group" aria-label="actions">
    <div class="group" role="group" aria-label="navigation">
      <button aria-label="first position" disabled=${!view.shown} onClick=${() => show(0)}>«</button>
      <button aria-label="previous position" disabled=${!view.shown} onClick=${() => show(view.shown - 1)}>‹</button>
      <button aria-label="next position" disabled=${atEnd} onClick=${() => show(view.shown + 1)}>›</button>
      <button aria-label="latest position" disabled=${atEnd} onClick=${() => show(view.moves.length)}>»</button>
    </div>
    ${engines && html`<button class="main" onClick=${() => say({ do: "pause", on: !view.paused })}>
      ${view.paused ? "Resume" : "Pause"}</button>`}
    <button onClick=${() => say({ do: "undo" })} disabled=${!view.movers.some((seat) => seat !== null)}>Undo</button>
    <button onClick=${() => say({ do: "hint" })} disabled=${view.over || !view.legal.length || !game || game.hidden}>Hint</button>
    <button aria-pressed=${view.flipped} disabled=${!view.flippable} onClick=${() => say({ do: "flip", on: !view.flipped })}>Flip</button>
    <${SoundSwitch} />
    <${Files} view=${view} say=${say} tell=${tell} />
  </div>`;
}
