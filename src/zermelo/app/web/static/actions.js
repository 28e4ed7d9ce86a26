// The buttons below the board.
import { html, useEffect, useState } from "/static/preact.js";
import { Files } from "/static/files.js";
import { SoundSwitch } from "/static/sound.js";

const ASKED = 4000; // milliseconds in which a second click on Resign counts

export function Actions({ view, game, say, tell, atEnd }) {
  const show = (ply) => say({ do: "show", ply });
  const hasEnded = view.over && atEnd;
  const people = view.seats.filter((words) => words === "person").length;
  const engines = !view.over && !people;
  const isContest = view.seats.length === 2 && people > 0;
  return html`<div class="buttons" role="group" aria-label="actions">
    <div class="group" role="group" aria-label="navigation">
      <button aria-label="first position" disabled=${!view.shown} onClick=${() => show(0)}>«</button>
      <button aria-label="previous position" disabled=${!view.shown} onClick=${() => show(view.shown - 1)}>‹</button>
      <button aria-label="next position" disabled=${atEnd} onClick=${() => show(view.shown + 1)}>›</button>
      <button aria-label="latest position" disabled=${atEnd} onClick=${() => show(view.moves.length)}>»</button>
    </div>
    ${engines && html`<button class="main" onClick=${() => say({ do: "pause", on: !view.paused })}>
      ${view.paused ? "Resume" : "Pause"}</button>`}
    ${hasEnded && isContest && html`<button class="main" title="the same game with the sides exchanged" onClick=${() => say({ do: "rematch" })}>Rematch</button>`}
    <button onClick=${() => say({ do: "undo" })} disabled=${!view.movers.some((seat) => seat !== null)}>Undo</button>
    <button onClick=${() => say({ do: "hint" })} disabled=${view.over || !view.legal.length || !game || game.hidden}>Hint</button>
    <button aria-pressed=${view.flipped} disabled=${!view.flippable} onClick=${() => say({ do: "flip", on: !view.flipped })}>Flip</button>
    ${game?.rolls && html`<button aria-pressed=${view.by_hand} title="enter what chance brings, such as the roll of real dice"
      onClick=${() => say({ do: "dice", on: !view.by_hand })}>Dice by hand</button>`}
    <${SoundSwitch} />
    ${!hasEnded && isContest && html`<${Resign} view=${view} say=${say} />`}
    ${!hasEnded && isContest && game && !game.hidden && html`<button onClick=${() => say({ do: "offer_draw" })}
      disabled=${!view.moves.length || view.offer !== null || !atEnd}>Offer draw</button>`}
    <${Files} view=${view} game=${game} say=${say} tell=${tell} />
  </div>
  ${view.offer !== null && view.seats[1 - view.offer] === "person" && html`<${Offer} view=${view} say=${say} />`}`;
}

// Resigning takes two clicks.
function Resign({ view, say }) {
  const [asked, setAsked] = useState(false);
  useEffect(() => {
    if (!asked) return undefined;
    const timer = setTimeout(() => setAsked(false), ASKED);
    return () => clearTimeout(timer);
  }, [asked]);
  const click = () => {
    if (asked) say({ do: "resign" });
    setAsked(!asked);
  };
  return html`<button class=${asked ? "danger" : ""} disabled=${!view.moves.length} onClick=${click}>${asked ? "Really resign?" : "Resign"}</button>`;
}

// A person has offered a draw to the other.
function Offer({ view, say }) {
  return html`<p class="offer" role="alert">${view.seat_names[view.offer]} offers a draw.
    <button class="main" onClick=${() => say({ do: "answer_draw", on: true })}>Accept</button>
    <button onClick=${() => say({ do: "answer_draw", on: false })}>Decline</button></p>`;
}
