// Drawing a tree. Every change is sent to the server, which answers with the new tree.
import { html, useEffect, useLayoutEffect, useRef, useState } from "/static/preact.js";
import { Typed } from "/static/fields.js";
import { TreePicture } from "/static/tree_picture.js";

const TOOLS = [
  ["edit", "Edit"],
  ["add", "Add children"],
  ["delete", "Delete"],
];

export function Drawing({ connection, open, start, changed, watch }) {
  const [drawing, setDrawing] = useState(null);
  const [error, setError] = useState(null);
  const [tool, setTool] = useState("edit");
  const [chosen, setChosen] = useState(0);
  const [past, setPast] = useState([]);
  const requests = useRef(2e9);
  const text = useRef(start);
  const editing = useRef(false); // a change is pending, not an undo
  const value = useRef(null);
  const typing = useRef(false); // a leaf was selected: the user types its value
  const returning = useRef(false); // the value was typed: the focus returns to the leaf

  useEffect(() => connection.subscribe((message) => {
    if (message.request !== requests.current) return;
    if (message.kind === "drawing") {
      setDrawing(message);
      setError(null);
      setChosen((old) => Math.min(old, message.data.length - 1));
      if (editing.current) {
        const before = text.current;
        setPast((old) => [...old.slice(-99), before]);
      }
      text.current = message.text;
      changed(message.text);
    }
    if (message.kind === "tree_error") setError(message.error);
  }), []);
  const draw = (tree) => {
    editing.current = false;
    connection.send({ do: "draw", request: ++requests.current, tree });
  };
  useEffect(() => {
    if (open && (start !== text.current || !drawing)) draw(start);
  }, [open, start]);

  const change = (name, node, words = "") => {
    editing.current = true;
    returning.current = name === "value" && value.current === document.activeElement;
    connection.send({ do: "edit", request: ++requests.current, tree: text.current, change: name, node, text: words });
  };
  const undo = () => {
    if (past.length) draw(past[past.length - 1]);
    setPast(past.slice(0, -1));
  };
  const type = () => {
    if (typing.current && value.current) {
      typing.current = false;
      value.current.focus();
      value.current.select();
    }
  };
  useLayoutEffect(type);
  useLayoutEffect(() => {
    if (returning.current) document.querySelector(`.tree-frame [data-node="${chosen}"]`)?.focus();
    returning.current = false;
  }, [drawing]);
  const pick = (node) => {
    returning.current = false; // the user has moved on: the focus stays
    setChosen(node);
    if (tool === "add" || tool === "delete") change(tool, node);
    else typing.current = drawing.data[node].leaf;
    if (node === chosen) type();
  };

  if (!drawing) return html`${error ? html`<p class="error" role="alert">${error}</p>` : html`<p class="waiting">…</p>`}
    ${error && html`<button onClick=${() => draw("[0, 0]")}>Start a new tree</button>`}`;
  return html`
    <div class="step-buttons" role="group" aria-label="drawing">
      ${TOOLS.map(([name, title]) => html`<button aria-pressed=${tool === name} onClick=${() => setTool(name)}>${title}</button>`)}
      <button disabled=${!past.length} onClick=${undo}>Undo</button>
      <button class="main" onClick=${() => watch(drawing.text)}>Search it</button>
    </div>
    <p class="soft">${{
      edit: "Click a node to choose it; of a leaf, type the value.",
      add: "Click a node to give it one more child; a leaf becomes a node with two.",
      delete: "Click a node to delete it, with all below it.",
    }[tool]} Or walk there with the arrow keys, and press Enter.</p>
    ${error && html`<p class="error" role="alert">${error}</p>`}
    <${TreePicture} svg=${drawing.svg} labels=${drawing.labels} pick=${pick} chosen=${chosen} />
    <${Node} key=${chosen} at=${drawing.data[chosen]} number=${chosen} label=${drawing.labels[chosen]}
      movers=${drawing.movers} value=${value} change=${(name, words) => change(name, chosen, words)} />
    <p class="soft">As text: <code>${drawing.text}</code></p>`;
}

// The form for the selected node.
function Node({ at, number, label, movers, value, change }) {
  const field = (name, title, words, reference = null) => html`<${Typed} key=${name} title=${title} value=${words}
    reference=${reference} commit=${(text) => change(name, text)} />`;
  return html`<section class="node-form" aria-label="selected node"><h3>${label}</h3>
    ${at.leaf
      ? field("value", "value (? for an unknown one)", at.value, value)
      : html`<label class="field">who moves
          <select onChange=${(event) => change("mover", event.target.value)}>
            <option value="" selected=${!at.mover}>in turn</option>
            ${movers.map((mover) => html`<option value=${mover} selected=${mover === at.mover}>${mover}</option>`)}
          </select></label>
        ${at.mover === "CHANCE" && field("odds", "probabilities", at.odds)}`}
    ${field("name", "name", at.name)}
    ${number > 0 && field("label", "name of the move to it", at.label)}
    <div class="buttons">
      <button onClick=${() => change("add")}>Add a child</button>
      <button disabled=${number === 0} onClick=${() => change("delete")}>Delete</button>
      <button disabled=${at.place === 0} onClick=${() => change("left")}>Move left</button>
    </div>
  </section>`;
}
