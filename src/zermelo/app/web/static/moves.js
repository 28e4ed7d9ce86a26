// The moves of the game. A click shows the position after a move.
import { html, useEffect, useRef } from "/static/preact.js";
import { Grade } from "/static/analysis.js";

export const HIDDEN = "…"; // a move that the viewer may not see

export function Moves({ view, say, graph }) {
  const current = useRef(null);
  useEffect(() => {
    const box = current.current?.closest("ol");
    if (box) box.scrollTop = current.current.offsetTop - box.offsetTop - box.clientHeight / 2;
  }, [view.shown, view.moves.length]);
  const grades = new Map((graph?.mistakes || []).map((each) => [each.ply, each.grade]));
  let number = 0;
  return html`<section aria-label="moves"><h2>Moves</h2>
    ${!view.moves.length && html`<p class="soft">none yet</p>`}
    <ol class="record">
      ${view.called.map((move, ply) => {
        const begins = view.movers[ply] === 0 && view.movers[ply - 1] !== 0;
        if (begins) number += 1;
        const here = view.shown === ply + 1;
        return html`<li key=${ply}>
          ${begins && html`<span class="number">${number}.</span>`}
          <button ref=${here ? current : null}
            class=${`quiet ${here ? "current" : ""} ${view.movers[ply] === null ? "by-chance" : ""}`}
            aria-current=${here ? "step" : null} onClick=${() => say({ do: "show", ply: ply + 1 })}>
            ${move ?? HIDDEN}${grades.has(ply) && html`<${Grade} grade=${grades.get(ply)} />`}</button></li>`;
      })}
    </ol></section>`;
}
