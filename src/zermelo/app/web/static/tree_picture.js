// A tree: the server's picture, with nodes as buttons. The texts beside the nodes also come from the server.
import { html, useLayoutEffect, useRef, useState } from "/static/preact.js";

const WORDS = ["window", "range", "note", "bound", "value"];
const blank = () => ({ ...Object.fromEntries(WORDS.map((name) => [name, new Map()])), seen: new Set(), cut: new Set() });

// What is known after each step, kept so that stepping forward is fast.
export class Replay {
  constructor(steps) {
    this.steps = steps;
    this.at = -1;
    this.known = blank();
  }

  go(wanted) {
    const target = Math.max(0, Math.min(this.steps.length - 1, wanted));
    if (target < this.at) {
      this.at = -1;
      this.known = blank();
    }
    while (this.at < target) this.apply(this.steps[++this.at]);
    return this.known;
  }

  apply(step) {
    if (step.kind === "depth") this.known = blank();
    for (const name of WORDS)
      for (const [node, text] of Object.entries(step[name] || {})) this.known[name].set(+node, text);
    for (const node of step.seen || []) this.known.seen.add(node);
    for (const child of step.cut || []) this.known.cut.add(child);
  }
}

const parts = (place, part) => [...place.querySelectorAll(`[data-${part}]`)].map((group) => [+group.dataset[part], group]);

export const flag = (group, flags) => {
  for (const [name, on] of Object.entries(flags)) group.classList.toggle(name, on);
};

// The tree at one step of a search.
export function paint(place, shown, at, replay, view) {
  const step = shown.steps[at], last = at === shown.steps.length - 1;
  const known = replay.go(at);
  const path = new Set(step.path), best = new Set(last ? shown.best : []);
  const notes = known[view] || new Map();
  for (const [node, group] of parts(place, "node")) {
    const seen = known.seen.has(node);
    flag(group, { seen, unseen: !seen, current: node === step.node && !last, best: best.has(node) });
    write(group, "value", known.value.get(node));
    const isCrowded = ["window", "range"].includes(view) && group.querySelector(".leaf"); // leaves are too near each other
    write(group, "note", isCrowded ? "" : notes.get(node));
  }
  for (const [node, group] of parts(place, "edge")) {
    const seen = known.seen.has(node);
    flag(group, { seen, unseen: !seen, current: path.has(node) && !last, best: best.has(node), cut: known.cut.has(node) });
  }
}

export function write(group, kind, text = "") {
  const words = group.querySelector(`text.${kind}`);
  if (words && words.textContent !== text) words.textContent = text;
}

// The picture. With `pick`, its nodes are buttons; arrow keys go up and down the tree and along its siblings.
export function TreePicture({ svg, labels, after, pick, isPickable = () => true, chosen, pressed, describe }) {
  const frame = useRef(null), place = useRef(null);
  const [zoom, setZoom] = useState(null);
  const [natural, setNatural] = useState([0, 0]);

  useLayoutEffect(() => {
    const picture = place.current.querySelector("svg");
    setNatural([picture.viewBox.baseVal.width, picture.viewBox.baseVal.height]);
  }, [svg]);
  const room = (frame.current?.clientWidth || 600) - 2;
  const size = zoom ?? Math.max(0.7, Math.min(1, room / (natural[0] || 1)));

  useLayoutEffect(() => {
    const picture = place.current.querySelector("svg");
    picture.setAttribute("width", natural[0] * size);
    picture.setAttribute("height", natural[1] * size);
    picture.setAttribute("role", pick ? "group" : "img");
    after?.(place.current);
    if (!pick) return;
    const nodes = parts(place.current, "node").filter(([node]) => isPickable(node));
    const first = nodes.some(([node]) => node === chosen) ? chosen : nodes[0]?.[0];
    for (const [node, group] of nodes) {
      group.setAttribute("role", "button");
      group.setAttribute("tabindex", node === first ? "0" : "-1");
      group.setAttribute("aria-label", describe ? describe(node) : labels[node]);
      if (pressed) group.setAttribute("aria-pressed", String(pressed.has(node)));
      group.classList.toggle("chosen", node === chosen);
      group.onclick = () => pick(node);
      group.onkeydown = (event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          pick(node);
        }
        const next = beside(nodes, group, event.key);
        if (next) {
          event.preventDefault();
          event.stopPropagation();
          for (const [, each] of nodes) each.setAttribute("tabindex", each === next ? "0" : "-1");
          next.focus();
        }
      };
    }
  });

  return html`<div class="tree-box">
    <div class="tree-frame" ref=${frame} tabindex=${pick ? null : "0"} role="region" aria-label="the tree">
      <div ref=${place} dangerouslySetInnerHTML=${{ __html: svg }}></div>
    </div>
    <div class="zoom" role="group" aria-label="size of the tree">
      <button aria-label="smaller" onClick=${() => setZoom(Math.max(0.1, size / 1.25))}>−</button>
      <button aria-label="larger" onClick=${() => setZoom(Math.min(3, size * 1.25))}>+</button>
      <button onClick=${() => setZoom(Math.min(1, room / natural[0]))}>Fit</button>
      <button onClick=${() => setZoom(1)}>1:1</button>
    </div>
  </div>`;
}

// The nearest node in the direction of an arrow key, by screen position.
function beside(nodes, from, key) {
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  if (!step) return null;
  const middle = (group) => {
    const box = group.querySelector("polygon,circle").getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = middle(from);
  let best = null, least = Infinity;
  for (const [, group] of nodes) {
    const [a, b] = middle(group);
    const along = (a - x) * step[0] + (b - y) * step[1];
    const aside = Math.abs((a - x) * step[1]) + Math.abs((b - y) * step[0]);
    const far = along + 3 * aside;
    if (along > 2 && far < least) [best, least] = [group, far];
  }
  return best;
}

// Keep a node visible if the tree is larger than its frame.
export function follow(place, node) {
  const group = place.querySelector(`[data-node="${node}"]`), frame = place.closest(".tree-frame");
  if (!group || !frame) return;
  const box = group.getBoundingClientRect(), view = frame.getBoundingClientRect();
  if (box.left < view.left || box.right > view.right) frame.scrollLeft += box.left + box.width / 2 - view.left - view.width / 2;
  if (box.top < view.top || box.bottom > view.bottom) frame.scrollTop += box.top + box.height / 2 - view.top - view.height / 2;
}
