// The board: the server's picture, with squares as buttons. Clicks and drops are looked up in the list of legal moves.
//
// Properties of Board:
//   view      the position as the server sends it (svg, legal, seats, seat, moves, shown, over, flipped, game)
//   canMove   may a move be chosen now?
//   play      called with the name of the chosen move
//   values    Map from names of moves to values (see analysis.js), written on the squares; optional
//   hint      the name of a move, marked in green; optional
//   arrows    [{ from, to, weight, kind }]: arrows between squares, given by their names; optional. A move of one square
//             has no `from`, and gets a ring. weight is from 0 to 1 (how strong; default 1), and kind is "best" (default),
//             "good", "poor", "bad" or "played". Arrows replace the arrow of the best of `values`.
//   marks     { square: kind }: squares with a coloured frame; the kinds are those of arrows, and "hint"; optional
//
// While a computer player thinks, a person may choose a move in advance (a premove). It is played if it is legal.
import { html, useLayoutEffect, useRef, useState } from "/static/preact.js";
import { Choices, MoveButtons } from "/static/choices.js";
import { startDrag } from "/static/drag.js";
import { animate, piecesOf } from "/static/motion.js";
import { drawFocus, drawNotes, neighbour } from "/static/notes.js";
import { playSound } from "/static/sound.js";

export { AllMoves, tone } from "/static/choices.js";

const LARGEST = { board: 4, other: 2 }; // the greatest magnification of a picture
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// The moves whose paths begin with these squares.
const begunBy = (legal, clicked) =>
  legal.filter((move) => move.paths.some((path) => clicked.every((square, i) => path[i] === square)));
const completedBy = (legal, path) => legal.filter((move) => move.paths.some((each) => each.join() === path.join()));

// Is a computer player to move at the end of a game in which a person plays? Moves of several steps cannot be premoved.
const isWaiting = ({ view, canMove }) =>
  !canMove && !view.composition && !view.over && view.seat !== null && view.shown === view.moves.length &&
  view.seats[view.seat] !== "person" && view.seats.includes("person");

export function Board({ view, canMove, play, values = new Map(), hint, arrows, marks }) {
  const place = useRef(null);
  const focus = useRef({ name: null, inside: false });
  const before = useRef({ pieces: null });
  const dropped = useRef(null);
  const length = useRef({ game: null, squares: 1 }); // the squares of a move, for premoves
  const latest = useRef(null);
  const [clicked, setClicked] = useState([]);
  const [choices, setChoices] = useState([]);
  const [ahead, setAhead] = useState([]); // the squares of a premove
  const waiting = isWaiting({ view, canMove });
  const clear = () => (setClicked([]), setChoices([]), setAhead([]));
  const seen = Math.max(0, ...view.legal.flatMap((move) => move.paths.map((path) => path.length)));
  if (seen || length.current.game !== view.game) length.current = { game: view.game, squares: seen || 1 };

  const choose = (path) => {
    const [moves, complete] = [begunBy(view.legal, path), completedBy(view.legal, path)];
    if (!moves.length) return clear();
    if (complete.length === 1 && moves.length === 1) return play(complete[0].name);
    setClicked(path);
    setChoices(complete.length === moves.length ? complete : []);
  };
  const premove = (path) => {
    const already = path.join() === ahead.join();
    setAhead(already ? [] : path.slice(0, length.current.squares));
  };
  const click = (square, hasPiece) => {
    if (waiting) {
      if (ahead.length === 1 && length.current.squares === 2 && ahead[0] !== square) premove([ahead[0], square]);
      else if (length.current.squares === 1 || hasPiece) premove([square]);
      else setAhead([]);
    }
    if (!canMove) return;
    if (clicked.length === 1 && clicked[0] === square) return clear();
    const path = [...clicked, square];
    choose(begunBy(view.legal, path).length ? path : [square]);
  };
  const drop = (from, to) => {
    if (to === from) return;
    if (!to) return clear();
    if (waiting) return premove([from, to]);
    dropped.current = to;
    choose([from, to]);
  };
  const lift = (name) => (waiting ? setAhead([name]) : setClicked([name]));
  latest.current = { drop, lift };

  useLayoutEffect(() => {
    setClicked([]);
    setChoices([]);
    if (!canMove || ahead.length < length.current.squares) {
      if (!waiting) setAhead([]);
      return;
    }
    setAhead([]);
    if (completedBy(view.legal, ahead).length) choose(ahead);
  }, [view.svg, canMove]);

  useLayoutEffect(() => {
    const svg = place.current?.querySelector("svg");
    if (!svg) return;
    fit(svg);
    const [old, now] = [before.current, { game: view.game, flipped: view.flipped, pieces: piecesOf(svg), shown: view.shown }];
    if (old.pieces && old.game === now.game && old.flipped === now.flipped) {
      animate(svg, old.pieces, now.pieces, dropped.current);
      if (now.shown > old.shown) playSound(view.over ? "end" : now.pieces.size < old.pieces.size ? "capture" : "move");
    }
    before.current = now;
    dropped.current = null;
  }, [view.svg]);

  useLayoutEffect(() => {
    const svg = place.current?.querySelector("svg");
    if (!svg) return;
    const squares = new Map([...svg.querySelectorAll("[data-square]")].map((node) => [node.dataset.square, node]));
    const moves = canMove ? begunBy(view.legal, clicked) : [];
    const next = new Set(moves.flatMap((move) => move.paths.map((path) => path[clicked.length])));
    const first = new Set(canMove ? view.legal.flatMap((move) => move.paths.map((path) => path[0])) : []);
    const chosen = new Set([...clicked, ...ahead]);
    if (!squares.has(focus.current.name)) {
      focus.current.name = [...next].find((name) => squares.has(name)) ?? squares.keys().next().value;
    }
    for (const [name, node] of squares) {
      const hasPiece = Boolean(node.querySelector(".zb-piece"));
      const active = next.has(name) || chosen.has(name) || (canMove && first.has(name)) || waiting;
      const liftable = length.current.squares > 1 && hasPiece && (waiting || first.has(name));
      node.classList.toggle("clicked", clicked.includes(name));
      node.classList.toggle("ahead", ahead.includes(name));
      node.classList.toggle("liftable", liftable);
      node.setAttribute("role", "button");
      node.setAttribute("tabindex", name === focus.current.name ? "0" : "-1");
      node.setAttribute("aria-disabled", String(!active));
      node.setAttribute("aria-pressed", String(chosen.has(name)));
      node.onclick = () => click(name, hasPiece);
      node.onpointerdown = (event) => liftable && startDrag(event, svg, node, latest);
      node.onfocus = () => {
        for (const other of squares.values()) other.setAttribute("tabindex", other === node ? "0" : "-1");
        focus.current = { name, inside: true };
        drawFocus(svg, node);
      };
      node.onblur = (event) => {
        drawFocus(svg, null);
        if (event.relatedTarget) focus.current.inside = false;
      };
      node.onkeydown = (event) => {
        if (event.key === "Enter" || event.key === " ") click(name, hasPiece);
        else if (event.key === "Escape") clear();
        else if (STEPS[event.key]) neighbour([...squares.values()], node, STEPS[event.key])?.focus();
        else return;
        event.preventDefault();
        event.stopPropagation();
      };
    }
    svg.classList.toggle("movable", Boolean(svg.querySelector(".liftable"))); // then a touch drags, and does not scroll
    svg.oncontextmenu = (event) => ahead.length && (event.preventDefault(), clear());
    if (focus.current.inside && !choices.length) squares.get(focus.current.name)?.focus();
    const hinted = view.legal.find((move) => move.name === hint)?.paths[0] || [];
    const framed = { ...Object.fromEntries(hinted.map((name) => [name, "hint"])), ...marks };
    const valued = begunBy(view.legal, clicked);
    drawNotes(svg, squares, { moves: valued, clicked, canMove, values, arrows, marks: framed });
    return () => svg.querySelector(".notes")?.remove();
  });

  const unseen = view.legal.filter((move) => !move.paths.length);
  return html`<div class="board">
    <div class="picture" ref=${place} dangerouslySetInnerHTML=${{ __html: view.svg }}></div>
    ${choices.length > 0 && html`<${Choices} moves=${choices} at=${clicked.at(-1)} picture=${place} values=${values} play=${play} clear=${clear} />`}
    ${unseen.length > 0 && html`<${MoveButtons} moves=${unseen} label="moves to choose from" ...${{ canMove, play, values, hint }} />`}
  </div>`;
}

// The picture fills the room that board.css gives it, which depends on its shape; small ones are not blown up.
function fit(svg) {
  const [wide, high] = ["width", "height"].map((name) => Number(svg.getAttribute(name)));
  const times = svg.querySelector(".zb-light, .zb-point") ? LARGEST.board : LARGEST.other;
  const { style } = document.documentElement;
  style.setProperty("--board-shape", (wide / high).toFixed(4));
  style.setProperty("--board-width", `${Math.max(times * wide, 400)}px`);
  svg.style.maxWidth = `${times * wide}px`;
}
