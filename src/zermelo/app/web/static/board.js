// The board: the server's picture, with squares as buttons. Clicks are looked up in the list of legal moves.
import { html, useEffect, useLayoutEffect, useRef, useState } from "/static/preact.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDEST = 1.6; // the greatest width of a value, in widths of its square
const LARGEST = 2.2; // the greatest magnification of a picture
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// The moves whose paths begin with these squares.
const begunBy = (legal, clicked) =>
  legal.filter((move) => move.paths.some((path) => clicked.every((square, i) => path[i] === square)));

export function Board({ view, canMove, play, values, hint }) {
  const place = useRef(null);
  const focus = useRef({ name: null, inside: false });
  const [clicked, setClicked] = useState([]);
  const [choices, setChoices] = useState([]);
  const clear = () => (setClicked([]), setChoices([]));

  useLayoutEffect(clear, [view.svg]);

  const click = (square) => {
    if (!canMove) return;
    setChoices([]);
    let path = [...clicked, square];
    if (!begunBy(view.legal, path).length) path = [square];
    const moves = begunBy(view.legal, path);
    const complete = moves.filter((move) => move.paths.some((p) => p.join() === path.join()));
    if (!moves.length || (clicked.length === 1 && clicked[0] === square)) setClicked([]);
    else if (complete.length === 1 && moves.length === 1) play(complete[0].name);
    else {
      setClicked(path);
      if (complete.length === moves.length) setChoices(complete);
    }
  };

  useLayoutEffect(() => {
    const svg = place.current?.querySelector("svg");
    if (!svg) return;
    svg.style.maxWidth = `${LARGEST * Number(svg.getAttribute("width"))}px`;
    const squares = new Map([...svg.querySelectorAll("[data-square]")].map((node) => [node.dataset.square, node]));
    const moves = begunBy(view.legal, clicked);
    const next = new Set(moves.flatMap((move) => move.paths.map((path) => path[clicked.length])));
    const hinted = new Set((view.legal.find((move) => move.name === hint)?.paths || []).slice(0, 1).flat());
    if (!squares.has(focus.current.name)) {
      focus.current.name = [...next].find((name) => squares.has(name)) ?? squares.keys().next().value;
    }
    for (const [name, node] of squares) {
      const active = canMove && next.has(name);
      node.classList.toggle("clicked", clicked.includes(name));
      node.classList.toggle("hinted", hinted.has(name));
      node.setAttribute("role", "button");
      node.setAttribute("tabindex", name === focus.current.name ? "0" : "-1");
      node.setAttribute("aria-disabled", String(!active && !clicked.includes(name)));
      node.setAttribute("aria-pressed", String(clicked.includes(name)));
      node.onclick = () => click(name);
      node.onfocus = () => {
        for (const other of squares.values()) other.setAttribute("tabindex", other === node ? "0" : "-1");
        focus.current = { name, inside: true };
      };
      node.onblur = (event) => event.relatedTarget && (focus.current.inside = false);
      node.onkeydown = (event) => {
        if (event.key === "Enter" || event.key === " ") click(name);
        else if (event.key === "Escape") clear();
        else if (STEPS[event.key]) neighbour([...squares.values()], node, STEPS[event.key])?.focus();
        else return;
        event.preventDefault();
        event.stopPropagation();
      };
    }
    if (focus.current.inside && !choices.length) squares.get(focus.current.name)?.focus();
    if (canMove || values.size) annotate(svg, squares, moves, clicked, canMove, values);
    return () => svg.querySelector(".notes")?.remove();
  });

  const unseen = view.legal.filter((move) => !move.paths.length);
  return html`<div class="board">
    <div class="picture" ref=${place} dangerouslySetInnerHTML=${{ __html: view.svg }}></div>
    ${choices.length > 0 && html`<${Choices} moves=${choices} values=${values} play=${play} clear=${clear} />`}
    ${unseen.length > 0 && html`<${MoveButtons} moves=${unseen} label="moves to choose from" ...${{ canMove, play, values, hint }} />`}
  </div>`;
}

// All legal moves as buttons.
export function AllMoves({ view, ...rest }) {
  if (view.legal.every((move) => !move.paths.length)) return null;
  const summary = view.legal.length === 1 ? "the legal move" : `all ${view.legal.length} legal moves`;
  return html`<details class="moves"><summary>${summary}</summary>
    <${MoveButtons} moves=${view.legal} label="all legal moves" ...${rest} /></details>`;
}

// Dots on the target squares, and values. A square that several moves lead to has no value.
function annotate(svg, squares, moves, clicked, canMove, values) {
  const notes = document.createElementNS(SVG, "g");
  notes.setAttribute("class", "notes");
  notes.setAttribute("aria-hidden", "true");
  const targets = new Map();
  for (const move of moves) {
    if (squares.has(move.place)) targets.set(move.place, [...(targets.get(move.place) || []), move]);
  }
  for (const [name, there] of targets) {
    const [x, y, size] = centre(squares.get(name));
    const known = there.map((move) => values.get(move.name)).filter(Boolean);
    const steps = there[0].paths[0].length - clicked.length;
    const best = known.reduce((one, other) => (other.rank < one?.rank ? other : one), known[0]);
    const fits = best && width(best) < WIDEST * size;
    if (fits && best.verdict !== "open" && (there.length === 1 || clicked.length)) {
      notes.append(pill(x, y + size / 2 - 9, best));
    } else if (canMove && steps === 1 && !squares.get(name).querySelector(".name")) {
      const taken = squares.get(name).querySelector(".piece,.stroke,.symbol");
      if (squares.get(name).ariaLabel.endsWith(": unknown")) continue;
      const at = { cx: x, cy: y };
      notes.append(element("circle", taken ? { class: "ring", ...at, r: 0.44 * size } : { class: "dot", ...at, r: 5 }));
    }
  }
  const top = moves.find((move) => values.get(move.name)?.rank === 0);
  if (top && !clicked.length && top.paths[0].length > 1) notes.prepend(arrow(squares, top.paths[0][0], top.place));
  svg.append(notes);
}

// The centre of a cell, whose first element is its outline, and its width.
function centre(cell) {
  const box = cell.firstElementChild.getBBox();
  return [box.x + box.width / 2, box.y + box.height / 2, box.width];
}

// The arrow of the best move.
function arrow(squares, from, to) {
  const [[x, y], [a, b]] = [from, to].map((name) => centre(squares.get(name)));
  const far = Math.hypot(a - x, b - y);
  const [u, v] = [(a - x) / far, (b - y) / far];
  const corners = [[0, -3], [far - 14, -3], [far - 14, -9], [far, 0], [far - 14, 9], [far - 14, 3], [0, 3]];
  const points = corners.map(([along, across]) => `${x + u * along - v * across},${y + v * along + u * across}`);
  return element("polygon", { class: "arrow", points: points.join(" ") });
}

function element(name, attributes, text) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text) node.textContent = text;
  return node;
}

const width = (value) => 6.1 * value.brief.length + 8;

function pill(x, y, value) {
  const [words, wide] = [value.brief, width(value)];
  const group = element("g", { class: `pill ${tone(value)}` });
  group.append(element("rect", { x: x - wide / 2, y: y - 7, width: wide, height: 14, rx: 7 }));
  group.append(element("text", { x, y: y + 3.8 }, words));
  return group;
}

// Good or bad for the player to move, and whether it is the best: the best of losing moves is still bad.
export const tone = (value) => [value.tone, value.best ? "best" : "", value.proven ? "proven" : ""].filter(Boolean).join(" ");

// The neighbouring square in a direction. A hexagon has two neighbours above and two below: the one in the same column is
// up and to the left, or down and to the right.
function neighbour(squares, from, [right, down]) {
  const [x, y, size] = centre(from);
  const [a, b] = [x + size * (right + 0.1 * down), y + size * down];
  const far = (node) => Math.hypot(centre(node)[0] - a, centre(node)[1] - b);
  const nearest = squares.reduce((one, other) => (far(other) < far(one) ? other : one));
  return far(nearest) < 0.6 * size ? nearest : undefined;
}

// Moves with the same squares, such as promotions.
function Choices({ moves, values, play, clear }) {
  const first = useRef(null);
  useEffect(() => first.current?.querySelector("button").focus(), [moves]);
  const key = (event) => event.key === "Escape" && clear();
  return html`<div class="choices" role="dialog" aria-label="which move?" ref=${first} onKeyDown=${key}>
    <span>which move?</span>
    <${MoveButtons} moves=${moves} label="which move?" canMove=${true} play=${play} values=${values} />
    <button class="quiet" onClick=${clear}>Cancel</button>
  </div>`;
}

function MoveButtons({ moves, label, canMove, play, values, hint }) {
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
