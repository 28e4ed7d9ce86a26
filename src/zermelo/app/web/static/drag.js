// Dragging a piece: a copy follows the pointer, and the board learns the square on which it is dropped.
import { onTop, point } from "/static/notes.js";

const FAR = 5; // pixels that a pointer moves before a press becomes a drag

// `latest` holds the present functions lift(name) and drop(from, to); `to` is null if the piece was dropped elsewhere.
export function startDrag(event, svg, square, latest) {
  if (event.button !== 0 || !event.isPrimary) return;
  const from = square.dataset.square;
  const piece = [...square.querySelectorAll(".zb-piece")].at(-1);
  let ghost = null;
  const move = (now) => {
    if (!ghost) {
      if (Math.hypot(now.clientX - event.clientX, now.clientY - event.clientY) < FAR) return;
      ghost = onTop(svg, piece);
      piece.classList.add("lifted");
      svg.classList.add("dragging");
      latest.current.lift(from);
    }
    const [x, y] = point(svg, now);
    ghost.setAttribute("transform", `translate(${x} ${y}) scale(1.12)`);
  };
  const end = (now) => {
    for (const [kind, listener] of listeners) removeEventListener(kind, listener);
    if (!ghost) return;
    const below = now.type === "pointerup" ? document.elementFromPoint(now.clientX, now.clientY) : null;
    const to = svg.contains(below) ? below.closest("[data-square]")?.dataset.square ?? null : null;
    addEventListener("click", swallow, { capture: true, once: true }); // the end of a drag is no click
    setTimeout(() => removeEventListener("click", swallow, { capture: true }), 0);
    svg.classList.remove("dragging");
    latest.current.drop(from, to);
    // A legal move replaces the picture. Otherwise, the piece returns.
    setTimeout(() => (ghost.remove(), piece.classList.remove("lifted")), to && to !== from ? 250 : 0);
  };
  const listeners = [["pointermove", move], ["pointerup", end], ["pointercancel", end]];
  for (const [kind, listener] of listeners) addEventListener(kind, listener);
}

const swallow = (event) => event.stopPropagation();
