// Moves as buttons: all of them, those that no square shows, and those that the same squares lead to.
import { html, useEffect, useLayoutEffect, useRef } from "/static/preact.js";

// Good or bad for the player to move, and whether it is the best: the best of losing moves is still bad.
export const tone = (value) => [value.tone, value.best ? "best" : "", value.proven ? "proven" : ""].filter(Boolean).join(" ");

export const percent = (share) => `${share > 0 && share < 0.01 ? "< 1" : Math.round(100 * share)} %`;

// All legal moves as buttons.
export function AllMoves({ view, ...rest }) {
  if (view.legal.every((move) => !move.paths.length)) return null;
  const summary = view.legal.length === 1 ? "the legal move" : `all ${view.legal.length} legal moves`;
  return html`<details class="moves"><summary>${summary}</summary>
    <${MoveButtons} moves=${view.legal} label="all legal moves" ...${rest} /></details>`;
}

export function MoveButtons({ moves, label, canMove, play, values, hint }) {
  return html`<ul class="move-buttons" aria-label=${label}>
    ${moves.map((move) => {
      const value = values.get(move.name);
      return html`<li key=${move.name}>
        <button disabled=${!canMove} class=${move.name === hint ? "hinted" : ""} onClick=${() => play(move.name)}>
          ${move.name}${value && html` <span class=${`value ${tone(value)}`}>${value.verdict}</span>`}
        </button>
      </li>`;
    })}
  </ul>`;
}

// Moves to the same square, such as promotions: a menu on that square, with pictures if the server has sent them.
export function Choices({ moves, at, picture, values, play, clear }) {
  const menu = useRef(null);
  useLayoutEffect(() => {
    const square = picture.current.querySelector(`[data-square="${CSS.escape(at)}"]`)?.firstElementChild;
    if (!square) return;
    const [box, frame] = [square.getBoundingClientRect(), picture.current.parentElement.getBoundingClientRect()];
    const { style } = menu.current;
    style.setProperty("--square", `${Math.max(box.width, 40)}px`);
    style.left = `${Math.max(0, Math.min(box.left - frame.left, frame.width - menu.current.offsetWidth))}px`;
    if (box.top + box.height / 2 < frame.top + frame.height / 2) style.top = `${box.top - frame.top}px`;
    else style.bottom = `${frame.bottom - box.bottom}px`;
  }, [at]);
  useEffect(() => menu.current.querySelector("button").focus(), [moves]);
  useEffect(() => {
    const outside = (event) => !menu.current?.contains(event.target) && clear();
    addEventListener("pointerdown", outside);
    return () => removeEventListener("pointerdown", outside);
  }, []);
  const key = (event) => {
    const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (event.key === "Escape") clear();
    else if (by) {
      const buttons = [...menu.current.querySelectorAll("button")];
      buttons.at((buttons.indexOf(document.activeElement) + by) % buttons.length).focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return html`<div class="choices" role="dialog" aria-label="which move?" ref=${menu} onKeyDown=${key}>
    ${moves.map((move) => {
      const value = values.get(move.name);
      const inside = move.piece ? { dangerouslySetInnerHTML: { __html: move.piece } } : {};
      return html`<button key=${move.name} aria-label=${move.name} title=${value ? `${move.name}: ${value.verdict}` : move.name}
        class=${move.piece ? "man" : ""} onClick=${() => play(move.name)} ...${inside}>${move.piece ? undefined : move.name}</button>`;
    })}
    <button class="quiet" onClick=${clear}>Cancel</button>
  </div>`;
}
