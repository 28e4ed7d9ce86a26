// Animation: what stands elsewhere in the next picture slides there, new discs fall or appear.
import { centre, onTop } from "/static/notes.js";

const MOST = 24; // squares that change; a larger change is a jump to another position
const SLIDE = { duration: 190, easing: "ease-out" };
const FALL = { duration: 320, easing: "cubic-bezier(.5,0,.8,.6)" };
const APPEAR = { duration: 160, easing: "ease-out" };

// The pieces of a picture by their squares: of a stack, the topmost, and how many there are.
export function piecesOf(svg) {
  const found = new Map();
  for (const square of svg.querySelectorAll("[data-square]")) {
    const stack = square.querySelectorAll(".zb-piece");
    const piece = stack[stack.length - 1];
    const marked = square.classList.contains("zb-marked");
    if (piece) found.set(square.dataset.square, { name: piece.dataset.piece, piece, marked, count: stack.length });
  }
  return found;
}

// Does a square have more of a kind of piece than in another picture?
const hasMore = (other) => ([square, { name, count }]) => {
  const there = other.get(square);
  return there?.name !== name || there.count < count;
};

// `dropped` is a square where the user has just put a piece by hand.
export function animate(svg, before, now, dropped) {
  const came = [...now].filter(hasMore(before));
  const left = [...before].filter(hasMore(now));
  if (!came.length || came.length + left.length > MOST || matchMedia("(prefers-reduced-motion:reduce)").matches) return;
  const at = (square) => centre(svg.querySelector(`[data-square="${CSS.escape(square)}"]`));
  const free = new Set(left);
  for (const [square, { name, piece, marked }] of came) {
    if (square === dropped) continue;
    const [x, y] = at(square);
    const far = ([other]) => Math.hypot(at(other)[0] - x, at(other)[1] - y);
    const same = [...free].filter(([, gone]) => gone.name === name).sort((one, other) => far(one) - far(other))[0];
    const origin = same || (marked && [...free].find(([other]) => isMarked(svg, other))); // a pawn that became a queen
    if (origin) {
      free.delete(origin);
      const [a, b] = at(origin[0]);
      run(svg, piece, [{ translate: `${a - x}px ${b - y}px` }, { translate: "0 0" }], SLIDE);
    } else if (svg.classList.contains("zb-holes")) {
      run(svg, piece, [{ translate: `0 ${-y}px` }, { translate: "0 0" }], FALL);
    } else {
      piece.animate([{ opacity: 0.15 }, { opacity: 1 }], APPEAR);
    }
  }
}

const isMarked = (svg, square) =>
  svg.querySelector(`[data-square="${CSS.escape(square)}"]`)?.classList.contains("zb-marked");

// Move a copy above all squares, since the squares around it would cover the piece itself.
function run(svg, piece, frames, timing) {
  const copy = onTop(svg, piece);
  piece.classList.add("lifted");
  copy.animate(frames, timing).onfinish = () => {
    copy.remove();
    piece.classList.remove("lifted");
  };
}
