// The move tree: the main line with its variations. A click shows the position after a move.
import { html, useEffect, useRef, useState } from "/static/preact.js";
import { Grade } from "/static/analysis.js";

export const HIDDEN = "…"; // a move that the viewer may not see
const GLYPHS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!" };

export function Moves({ view, say, graph }) {
  const current = useRef(null);
  useEffect(() => {
    const box = current.current?.closest("ol.record");
    if (box) box.scrollTop = current.current.offsetTop - box.offsetTop - box.clientHeight / 2;
  }, [view.line[view.shown], view.tree.length]);
  const nodes = numbered(view.tree);
  const grades = new Map((graph?.mistakes || []).map((each) => [view.line[each.ply + 1], each.grade]));
  const shown = nodes.find((node) => node.number === view.line[view.shown]);
  const common = { shown, grades, current, line: new Set(view.line), go: (node) => say({ do: "go", to: node.number }) };
  return html`<section aria-label="moves"><h2>Moves</h2>
    ${nodes.length < 2 && html`<p class="soft">none yet</p>`}
    ${nodes[0].comment && html`<p class="comment">${nodes[0].comment}</p>`}
    <ol class="record"><${Line} first=${nodes[0]} ...${common} /></ol>
    ${(nodes.length > 1 || view.can_restore) && html`<${Editing} ...${{ shown, view, say }} />`}
  </section>`;
}

// The nodes with what follows them, and the numbers of their moves.
function numbered(tree) {
  const nodes = tree.map((node) => ({ ...node, after: [] }));
  for (const node of nodes) {
    if (node.before === undefined) {
      Object.assign(node, { count: 0, isMain: true, ply: 0 });
      continue;
    }
    const before = nodes[node.before];
    node.parent = before;
    node.ply = before.ply + 1;
    node.begins = node.mover === 0 && before.mover !== 0;
    node.count = before.count + (node.begins || (before.ply === 0 && node.mover !== null) ? 1 : 0);
    node.isMain = before.isMain && !before.after.length;
    before.after.push(node);
  }
  return nodes;
}

// What follows a position: each move of the line, and after it the moves that could have been played instead.
function Line({ first, start, ...common }) {
  const items = [];
  let announce = Boolean(start);
  if (start) items.push(html`<${Move} key=${start.number} node=${start} announce=${announce} ...${common} />`);
  announce = Boolean(start?.comment);
  for (let at = start || first; at.after.length; at = at.after[0]) {
    const [next, ...others] = at.after;
    items.push(html`<${Move} key=${next.number} node=${next} announce=${announce} ...${common} />`);
    for (const other of others) {
      items.push(html`<li class="variation" key=${`v${other.number}`}><ol><${Line} start=${other} ...${common} /></ol></li>`);
    }
    announce = others.length > 0 || Boolean(next.comment);
  }
  return items;
}

function Move({ node, announce, shown, grades, current, line, go }) {
  const here = node === shown;
  const numberShown = node.begins || (announce && node.mover !== null);
  const marks = (node.glyphs || []).map((glyph) => GLYPHS[glyph]).filter(Boolean).join("");
  return html`<li>
    ${numberShown && html`<span class="number">${node.count}${node.mover === 0 ? "." : "…"}</span>`}
    <button ref=${here ? current : null} class=${`quiet ${here ? "current" : ""} ${node.mover === null ? "by-chance" : ""} ${line.has(node.number) ? "on-line" : ""}`}
      aria-current=${here ? "step" : null} onClick=${() => go(node)}>
      ${node.called ?? HIDDEN}${marks}${grades.has(node.number) && html`<${Grade} grade=${grades.get(node.number)} />`}</button>
    ${node.news && html`<span class="news">${node.news}</span>`}
    ${node.comment && html`<span class="comment">${node.comment}</span>`}
  </li>`;
}

// What one can do with the move that is shown.
function Editing({ shown, view, say }) {
  const [text, setText] = useState(null); // the comment that is being written
  useEffect(() => setText(null), [shown?.number]);
  const write = (event) => {
    event.preventDefault();
    say({ do: "comment", to: shown.number, text });
    setText(null);
  };
  const isMove = shown?.parent !== undefined;
  if (text !== null) {
    return html`<form class="commenting" onSubmit=${write}>
      <input aria-label="comment on this move" value=${text} onInput=${(event) => setText(event.target.value)} ref=${(node) => node?.focus()} />
      <button>Keep</button><button type="button" class="quiet" onClick=${() => setText(null)}>Cancel</button></form>`;
  }
  return html`<div class="editing">
    ${isMove && !shown.isMain && html`<button class="quiet" onClick=${() => say({ do: "promote", to: shown.number })}>Make main line</button>`}
    ${isMove && html`<button class="quiet" onClick=${() => say({ do: "delete", to: shown.number })}>Delete from here</button>`}
    ${view.can_restore && html`<button class="quiet" onClick=${() => say({ do: "restore" })}>Restore deleted moves</button>`}
    ${view.whole && shown && html`<button class="quiet" onClick=${() => setText(shown.comment || "")}>Comment</button>`}
  </div>`;
}
