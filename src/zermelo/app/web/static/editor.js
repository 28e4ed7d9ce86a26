// The board editor. The server puts pieces on the position, draws it, and says what is wrong with it.
import { html, useEffect, useRef, useState } from "/static/preact.js";

const EMPTY = ".";
const RIGHTS = [["K", "White, short"], ["Q", "White, long"], ["k", "Black, short"], ["q", "Black, long"]];

export function Editor({ edited, view, say, close }) {
  const [sign, setSign] = useState(null);
  const box = useRef(null);
  const text = edited?.text ?? view.fen;
  const change = (more) => say({ do: "edit_position", text, ...more });
  useEffect(() => box.current?.focus(), []);
  const click = (event) => {
    const square = event.target.closest("[data-square]")?.dataset.square;
    if (square && sign) change({ square, sign });
  };
  const use = (event) => {
    event.preventDefault();
    if (edited?.error) return;
    say({ do: "set_up", text });
    close();
  };
  const palette = edited?.palette || [];
  return html`<div class="veil"><form class="editor panel" role="dialog" aria-label="board editor" tabindex="-1" ref=${box} onSubmit=${use}
      onKeyDown=${(event) => event.key === "Escape" && close()}>
    <h2>Edit the board</h2>
    ${edited?.svg && html`<div class=${`picture ${sign ? "armed" : ""}`} onClick=${click} dangerouslySetInnerHTML=${{ __html: edited.svg }}></div>`}
    ${palette.length > 0 && html`<div class="palette" role="group" aria-label="pieces">
      ${palette.map((each) => html`<button type="button" key=${each.sign} aria-label=${each.name} title=${each.name}
        aria-pressed=${sign === each.sign} onClick=${() => setSign(each.sign)}>${each.symbol}</button>`)}
      <button type="button" aria-label="remove a piece" title="remove a piece" aria-pressed=${sign === EMPTY} onClick=${() => setSign(EMPTY)}>✕</button>
    </div>
    <div class="row">
      <label>To move <select aria-label="side to move" onChange=${(event) => change({ turn: Number(event.target.value) })}>
        ${view.seat_names.map((name, seat) => html`<option value=${seat} selected=${seat === edited.turn}>${name}</option>`)}</select></label>
      <button type="button" onClick=${() => change({ fresh: "empty" })}>Clear</button>
      <button type="button" onClick=${() => change({ fresh: "start" })}>Start</button>
    </div>`}
    ${edited?.castling != null && html`<fieldset class="row"><legend>Castling</legend>
      ${RIGHTS.map(([right, title]) => html`<label class="switch" key=${right}><input type="checkbox" checked=${edited.castling.includes(right)}
        onChange=${(event) => change({ castling: event.target.checked ? edited.castling + right : edited.castling.replace(right, "") })} />${title}</label>`)}
    </fieldset>`}
    <label class="as-text">Position as text
      <input aria-label="text of the position" value=${text} onInput=${(event) => say({ do: "edit_position", text: event.target.value })} /></label>
    <p class=${edited?.error ? "error" : "soft"} role="status">${edited?.error || "This position can be played."}</p>
    <div class="row"><button class="main" disabled=${Boolean(edited?.error)}>Use this position</button>
      <button type="button" onClick=${close}>Cancel</button></div>
  </form></div>`;
}
