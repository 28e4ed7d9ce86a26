"use strict";
// Steps through a trace. All numbers and sentences come ready from Python: the page only shows them.
(() => {
  const trace = JSON.parse(document.getElementById("trace").textContent);
  const steps = trace.steps;
  const byId = (id) => document.getElementById(id);
  const nodes = new Map(), edges = new Map();
  for (const g of document.querySelectorAll("[data-node]")) nodes.set(+g.dataset.node, g);
  for (const g of document.querySelectorAll("[data-edge]")) edges.set(+g.dataset.edge, g);
  const lines = [...document.querySelectorAll(".code li")];
  let at = -1, known = null;

  const WORDS = ["window", "range", "note", "bound", "value"];
  const blank = () => ({ ...Object.fromEntries(WORDS.map((name) => [name, new Map()])), seen: new Set(), cut: new Set() });

  function apply(step) {
    if (step.kind === "depth") known = blank();
    for (const name of WORDS)
      for (const [node, text] of Object.entries(step[name] || {})) known[name].set(+node, text);
    for (const node of step.seen || []) known.seen.add(node);
    for (const child of step.cut || []) known.cut.add(child);
  }

  function state(group, flags) {
    for (const [name, on] of Object.entries(flags)) group.classList.toggle(name, on);
  }

  function write(group, kind, text) {
    const words = group.querySelector("text." + kind);
    if (words && words.textContent !== text) words.textContent = text;
  }

  function paint() {
    const step = steps[at], last = at === steps.length - 1;
    const path = new Set(step.path), best = new Set(last ? trace.best : []);
    const view = document.querySelector("input[name=view]:checked");
    const notes = (view && known[view.value]) || new Map();
    for (const [node, group] of nodes) {
      const seen = known.seen.has(node);
      state(group, { seen, unseen: !seen, current: node === step.node && !last, best: best.has(node) });
      write(group, "value", known.value.get(node) || "");
      write(group, "note", notes.get(node) || "");
    }
    for (const [node, group] of edges) {
      const seen = known.seen.has(node);
      state(group, { seen, unseen: !seen, current: path.has(node) && !last, best: best.has(node), cut: known.cut.has(node) });
    }
    lines.forEach((line, i) => {
      if (i + 1 === step.line) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    });
    byId("says").textContent = step.text;
    byId("says").classList.toggle("is-cut", step.kind === "cut");
    for (const name of Object.keys(step.now)) {
      const cell = byId("now-" + name);
      if (cell) cell.textContent = step.now[name] || "–";
    }
    byId("count").textContent = `${at + 1} of ${steps.length}`;
    byId("slider").value = String(at);
    byId("slider").setAttribute("aria-valuetext", `step ${at + 1} of ${steps.length}`);
    for (const id of ["first", "back"]) byId(id).disabled = at === 0;
    for (const id of ["forward", "last"]) byId(id).disabled = last;
    follow(nodes.get(step.node));
  }

  // Keeps the node of this step in view if the tree is larger than its frame.
  function follow(group) {
    const frame = byId("tree");
    if (!group) return;
    const box = group.getBoundingClientRect(), view = frame.getBoundingClientRect();
    if (box.left < view.left || box.right > view.right)
      frame.scrollLeft += box.left + box.width / 2 - view.left - view.width / 2;
    if (box.top < view.top || box.bottom > view.bottom)
      frame.scrollTop += box.top + box.height / 2 - view.top - view.height / 2;
  }

  function go(wanted) {
    const target = Math.max(0, Math.min(steps.length - 1, wanted));
    if (target < at || known === null) { known = blank(); at = -1; }
    while (at < target) apply(steps[++at]);
    paint();
  }

  const jumps = { first: () => 0, back: () => at - 1, forward: () => at + 1, last: () => steps.length - 1 };
  for (const [id, jump] of Object.entries(jumps)) byId(id).addEventListener("click", () => go(jump()));
  byId("slider").addEventListener("input", (event) => go(+event.target.value));
  for (const choice of document.querySelectorAll("input[name=view]")) choice.addEventListener("change", paint);
  const keys = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.matches("input[type=radio]") && event.key.startsWith("Arrow")) return;
    const id = keys[event.key];
    if (!id) return;
    event.preventDefault();
    go(jumps[id]());
  });
  go(0);
})();
