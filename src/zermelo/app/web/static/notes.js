// What is drawn above the board's squares: legal moves, values, arrows, frames, the focus.
import { percent, tone } from "/static/choices.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDEST = 1.6; // the greatest width of a value, in widths of its square
const SMALLEST = 0.72; // the least magnification of a value
const RARE = 0.02; // a Monte Carlo search knows little about a move with a smaller share of visits

// The centre of a cell, whose first element is its outline, and its width.
export function centre(cell) {
  const box = cell.firstElementChild.getBBox();
  return [box.x + box.width / 2, box.y + box.height / 2, box.width];
}

// Where a pointer is, in the units of the picture.
export function point(svg, event) {
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  return [x, y];
}

// A copy of a piece above all squares.
export function onTop(svg, piece) {
  const copy = piece.cloneNode(true);
  copy.classList.add("on-top");
  svg.append(copy);
  return copy;
}

function element(name, attributes, text) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text) node.textContent = text;
  return node;
}

// The outline of a square, to be drawn on top.
function outline(square, kind) {
  const copy = square.firstElementChild.cloneNode(false);
  copy.setAttribute("class", kind);
  return copy;
}

// A ring around the square that has the keyboard's focus.
export function drawFocus(svg, square) {
  svg.querySelector(":scope > .focus-ring")?.remove();
  if (square?.matches(":focus-visible")) svg.append(outline(square, "focus-ring"));
}

// A square that several moves lead to has no value, unless its piece is chosen.
export function drawNotes(svg, squares, { moves, clicked, canMove, values, arrows, marks }) {
  const notes = element("g", { class: "notes", "aria-hidden": "true" });
  for (const [name, kind] of Object.entries(marks)) {
    if (squares.has(name)) notes.append(outline(squares.get(name), `frame ${kind}`));
  }
  const top = moves.find((move) => values.get(move.name)?.rank === 0);
  const best = top && !clicked.length && top.paths[0]?.length > 1 ? [{ from: top.paths[0][0], to: top.place }] : [];
  for (const each of [...(arrows ?? best)].reverse()) { // the strongest on top
    if (squares.has(each.to)) notes.append(arrow(squares, each));
  }
  const targets = new Map();
  for (const move of moves) {
    if (squares.has(move.place)) targets.set(move.place, [...(targets.get(move.place) || []), move]);
  }
  for (const [name, there] of targets) {
    const note = noteOf(squares.get(name), there, { clicked, canMove, values });
    if (note) notes.append(note);
  }
  if (notes.childNodes.length) svg.append(notes);
}

// The value of the best move to a square, or a dot if the next click may be there.
function noteOf(square, moves, { clicked, canMove, values }) {
  const [x, y, size] = centre(square);
  const known = moves.map((move) => values.get(move.name)).filter(Boolean);
  const best = known.reduce((one, other) => (other.rank < one?.rank ? other : one), known[0]);
  const fits = best && width(best) < WIDEST * size && (best.visits === null || best.visits >= RARE);
  if (fits && best.verdict !== "open" && (moves.length === 1 || clicked.length)) return pill(x, y + size / 2 - 9, best, size);
  const steps = moves[0].paths[0].length - clicked.length;
  if (!canMove || steps !== 1 || square.querySelector(".zb-name") || square.ariaLabel.endsWith(": unknown")) return null;
  const taken = square.querySelector(".zb-piece, .zb-disc");
  return element("circle", { class: taken ? "ring" : "dot", cx: x, cy: y, r: (taken ? 0.44 : 0.13) * size });
}

// An arrow from square to square, or a ring if the move has one square.
function arrow(squares, { from, to, weight = 1, kind = "best" }) {
  const strength = Math.min(Math.max(weight, 0), 1);
  const name = `arrow ${kind}`;
  const [a, b, size] = centre(squares.get(to));
  if (!squares.has(from) || from === to) {
    const ring = { class: `${name} ring-only`, cx: a, cy: b, r: 0.4 * size, "stroke-width": (0.05 + 0.07 * strength) * size };
    return element("circle", ring);
  }
  const [x, y] = centre(squares.get(from));
  const far = Math.hypot(a - x, b - y);
  const [u, v] = [(a - x) / far, (b - y) / far];
  const [half, head] = [(0.03 + 0.06 * strength) * size, (0.16 + 0.12 * strength) * size];
  const neck = Math.max(far - 1.5 * head, 0);
  const corners = [[0, -half], [neck, -half], [neck, -head], [far, 0], [neck, head], [neck, half], [0, half]];
  const points = corners.map(([along, across]) => `${x + u * along - v * across},${y + v * along + u * across}`);
  return element("polygon", { class: name, points: points.join(" ") });
}

const width = (value) => 6.1 * value.brief.length + 8;

// Wide values are written smaller, so that those of neighbouring squares do not overlap.
function pill(x, y, value, size) {
  const [words, wide] = [value.brief, width(value)];
  const scale = Math.min(1, Math.max(SMALLEST, size / wide));
  const group = element("g", { class: `pill ${tone(value)}`, transform: `translate(${x} ${y}) scale(${scale}) translate(${-x} ${-y})` });
  group.append(element("rect", { x: x - wide / 2, y: y - 7, width: wide, height: 14, rx: 7 }));
  group.append(element("text", { x, y: y + 3.8 }, words));
  if (value.visits !== null) group.append(element("text", { class: "visits", x, y: y - 11 }, percent(value.visits)));
  return group;
}

// The neighbouring square in a direction. A hexagon has two neighbours above and two below: the one in the same column is
// up and to the left, or down and to the right.
export function neighbour(squares, from, [right, down]) {
  const [x, y, size] = centre(from);
  const [a, b] = [x + size * (right + 0.1 * down), y + size * down];
  const far = (node) => Math.hypot(centre(node)[0] - a, centre(node)[1] - b);
  const nearest = squares.reduce((one, other) => (far(other) < far(one) ? other : one));
  return far(nearest) < 0.6 * size ? nearest : undefined;
}
