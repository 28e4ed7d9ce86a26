// The board: the picture that came from the server, its squares made buttons. What a click means is looked up in the
// list of legal moves; the page knows nothing of the game.
import { html, useEffect, useRef, useState } from "/static/preact.js";

// The moves that these squares, clicked in turn, may still become.
const begunBy = (legal, clicked) =>
  legal.filter((move) => move.paths.some((path) => clicked.every((square, i) => path[i] === square)));

export function Board({ view, canMove, play, values, hint }) {
  const place = useRef(null);
  const [clicked, setClicked] = useState([]);
  const [choices, setChoices] = useState([]);

  useEffect(() => {
    setClicked([]);
    setChoices([]);
  }, [view.svg]);

  const click = (square) => {
    if (!canMove) return;
    let path = [...clicked, square];
    if (!begunBy(view.legal, path).length) path = [square];
    const moves = begunBy(view.legal, path);
    const complete = moves.filter((move) => move.paths.some((p) => p.join() === path.join()));
    if (!moves.length || (clicked.length === 1 && clicked[0] === square)) setClicked([]);
    else if (complete.length === 1 && moves.length === 1) play(complete[0].name);
    else if (complete.length && complete.length === moves.length) setChoices(complete);
    else setClicked(path);
  };

  useEffect(() => {
    const node = place.current;
    if (!node) return;
    const squares = [...node.querySelectorAll("[data-square]")];
    const next = new Set(begunBy(view.legal, clicked).flatMap((move) => move.paths.map((path) => path[clicked.length])));
    const hinted = new Set((view.legal.find((move) => move.name === hint) || { paths: [] }).paths.flat());
    for (const square of squares) {
      const name = square.dataset.square;
      const active = canMove && next.has(name);
      square.classList.toggle("open", active && (clicked.length > 0 || view.legal.some((m) => m.paths.some((p) => p.length === 1 && p[0] === name))));
      square.classList.toggle("clicked", clicked.includes(name));
      square.classList.toggle("hinted", hinted.has(name));
      square.setAttribute("role", canMove ? "button" : "img");
      square.setAttribute("tabindex", canMove ? "0" : "-1");
      if (canMove) square.setAttribute("aria-disabled", String(!active && !clicked.includes(name)));
      square.onclick = () => click(name);
      square.onkeydown = (event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          click(name);
        }
        const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
        if (step) {
          event.preventDefault();
          neighbour(squares, square, step)?.focus();
        }
      };
    }
  });

  return html`<div class="board">
    <div ref=${place} dangerouslySetInnerHTML=${{ __html: view.svg }}></div>
    ${choices.length > 0 &&
    html`<div class="choices" role="dialog" aria-label="which move?">
      ${choices.map((move) => html`<button onClick=${() => play(move.name)}>${move.name}</button>`)}
      <button onClick=${() => (setChoices([]), setClicked([]))}>none</button>
    </div>`}
    <${MoveList} view=${view} canMove=${canMove} play=${play} values=${values} hint=${hint} />
  </div>`;
}

// The square next to this one in a direction, by where it is on the screen.
function neighbour(squares, from, [right, down]) {
  const middle = (node) => {
    const box = node.querySelector("rect").getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2, box.width];
  };
  const [x, y, size] = middle(from);
  return squares.find((node) => {
    const [a, b] = middle(node);
    return Math.abs(a - x - right * size) < size / 2 && Math.abs(b - y - down * size) < size / 2;
  });
}

// Every legal move as a button, with its value where it is analysed: for keyboards, and for moves that no square shows.
function MoveList({ view, canMove, play, values, hint }) {
  if (!view.legal.length) return null;
  return html`<details class="moves" open=${view.legal.every((move) => !move.paths.length) || values.size > 0}>
    <summary>${view.legal.length} legal move${view.legal.length === 1 ? "" : "s"}</summary>
    <ul>
      ${view.legal.map((move) => {
        const value = values.get(move.name);
        return html`<li>
          <button disabled=${!canMove} class=${move.name === hint ? "hinted" : ""} onClick=${() => play(move.name)}>
            ${move.name}${value && html` <span class=${value.proven ? "value proven" : "value"}>${value.verdict}</span>`}
          </button>
        </li>`;
      })}
    </ul>
  </details>`;
}
