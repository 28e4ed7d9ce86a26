// Moves that are put together step by step on the board, and dice that are entered by hand.
import { html } from "/static/preact.js";

// The properties of a Board on which each step is chosen like a move. The server keeps the steps, and draws them.
export function stepwise(view, hint, say) {
  const { path, steps } = view.composition;
  const legal = steps.map(([from, to]) => ({ name: `${from} ${to}`, paths: [[from, to]], place: to }));
  const play = (name) => {
    const step = legal.find((each) => each.name === name);
    say({ do: "step", path: [...path, ...step.paths[0]] });
  };
  const hinted = path.length ? [] : view.legal.find((move) => move.name === hint)?.paths[0] || [];
  const marks = Object.fromEntries(hinted.map((name) => [name, "hint"]));
  return { view: { ...view, legal }, play, marks, values: new Map() };
}

// The steps so far, with buttons to take one back and to play the move.
export function Composing({ view, say, play }) {
  const { path, name } = view.composition;
  const back = () => say({ do: "step", path: path.slice(0, -2) });
  return html`<div class="composing" role="group" aria-label="move in progress">
    <button class="main" disabled=${!name} onClick=${() => play(name)}>Confirm</button>
    <button disabled=${!path.length} onClick=${back}>Undo step</button>
    <span class="soft" aria-live="polite">${name || (path.length ? "Go on with the next checker" : "Move a checker")}</span>
  </div>`;
}

// What chance brings: rolled by the app, or entered.
export function Outcomes({ outcomes, say }) {
  const pairs = outcomes.map((name) => name.split("-"));
  const isDice = pairs.every((pair) => pair.length === 2);
  return html`<div class="outcomes" role="group" aria-label="dice">
    <button class="main" onClick=${() => say({ do: "roll", name: "" })}>Roll for me</button>
    <ul class=${isDice ? "rolls" : ""} aria-label="enter the roll">${outcomes.map((name) => html`<li key=${name}>
      <button onClick=${() => say({ do: "roll", name })}>${name}</button></li>`)}</ul>
  </div>`;
}
