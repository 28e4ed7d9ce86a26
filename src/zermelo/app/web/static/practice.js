// Practice: exercises from a seed. The answers are graded by the server.
import { html, useEffect, useLayoutEffect, useRef, useState } from "/static/preact.js";
import { Typed } from "/static/fields.js";
import { TreePicture, flag, write } from "/static/tree_picture.js";
import * as address from "/static/address.js";

const KINDS = [
  ["values", "values of nodes"],
  ["chance", "values with chance"],
  ["pruning", "what alpha-beta prunes"],
  ["unknown", "an unknown leaf"],
  ["bounds", "bounds at a chance node"],
  ["mcts", "the next simulation of mcts"],
];
const newSeed = () => Math.floor(Math.random() * 1e6);

function read() {
  const found = address.fields();
  const kind = KINDS.some(([name]) => name === found.get("kind")) ? found.get("kind") : "values";
  return { practice: kind, seed: /^\d{1,12}$/.test(found.get("seed") || "") ? +found.get("seed") : newSeed() };
}

// Progress, kept in this browser: for each kind, exercises solved at the first try, solved at all, and tried.
const KEPT = "zermelo.practice";

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) || {};
  } catch {
    return {};
  }
}

function keep(progress) {
  try {
    localStorage.setItem(KEPT, JSON.stringify(progress));
  } catch {
    // private windows may forbid it: then progress lasts as long as the page
  }
}

function counted(progress, { practice, seed, passed }) {
  const old = progress[practice] || { first: 0, solved: 0, tried: 0, seed: null };
  const isNew = old.seed !== seed;
  return {
    ...progress,
    [practice]: {
      tried: old.tried + (isNew ? 1 : 0),
      first: old.first + (isNew && passed ? 1 : 0),
      solved: old.solved + (passed && (isNew || !old.done) ? 1 : 0),
      done: passed || (!isNew && old.done),
      seed,
    },
  };
}

export function Practice({ connection, open }) {
  const [asked, setAsked] = useState(read);
  const [exercise, setExercise] = useState(null);
  const [grade, setGrade] = useState(null);
  const [error, setError] = useState(null);
  const [answers, setAnswers] = useState({});
  const [pruned, setPruned] = useState(new Set());
  const [text, setText] = useState("");
  const [progress, setProgress] = useState(kept);
  const [hints, setHints] = useState(0);
  const [revealed, setRevealed] = useState(false);
  const fields = useRef({});

  useEffect(() => {
    const again = () => address.page() === "practice" && setAsked(read());
    addEventListener("hashchange", again);
    return () => removeEventListener("hashchange", again);
  }, []);
  useEffect(() => connection.subscribe((message) => {
    if (message.kind === "exercise") {
      setExercise(message);
      setError(null);
    }
    if (message.kind === "grade") {
      setGrade(message);
      setProgress((old) => {
        const now = counted(old, message);
        keep(now);
        return now;
      });
    }
    if (message.kind === "error") setError(message.error);
  }), []);
  useLayoutEffect(() => {
    address.put("practice", new URLSearchParams({ kind: asked.practice, seed: asked.seed }));
    document.title = "Practice · zermelo";
  }, [asked.practice, asked.seed]);
  useEffect(() => {
    setGrade(null);
    setHints(0);
    setRevealed(false);
    setAnswers({});
    setPruned(new Set());
    setText("");
    if (open) connection.send({ do: "exercise", ...asked });
  }, [asked.practice, asked.seed, open]);

  const go = (changes) => setAsked({ ...asked, ...changes });
  if (!exercise) return html`<p class="waiting">${error || "…"}</p>`;
  const given = {
    node: () => exercise.places.map((place) => `${place.name}=${(answers[place.node] || "").trim()}`).join(", "),
    leaf: () => exercise.places.filter((place) => pruned.has(place.node)).map((place) => place.name).join(", ") || "none",
    "": () => text,
  }[exercise.asks];
  const submit = (event) => {
    event.preventDefault();
    connection.send({ do: "grade", ...asked, answer: given() });
  };
  const pick = (node) => {
    if (grade) return;
    if (exercise.asks === "node") fields.current[node]?.focus();
    else setPruned((old) => new Set(old.has(node) ? [...old].filter((each) => each !== node) : [...old, node]));
  };
  const places = new Map(exercise.places.map((place) => [place.node, place]));
  const marks = new Map((grade?.marks || []).map((mark) => [mark.place.replace("leaf ", ""), mark]));
  const after = (place) => {
    for (const group of place.querySelectorAll("[data-node]")) {
      const node = +group.dataset.node;
      const mark = exercise.asks && marks.get(places.get(node)?.name);
      const sign = mark ? (mark.correct ? "✓" : "✗") : "";
      flag(group, { seen: true, right: Boolean(mark?.correct), wrong: Boolean(mark && !mark.correct) });
      if (exercise.asks === "node" && exercise.writes) write(group, "value", `${answers[node] || ""} ${sign}`.trim());
      if (exercise.asks === "leaf") above(group, sign);
    }
    for (const group of place.querySelectorAll("[data-edge]")) group.classList.toggle("cut", pruned.has(+group.dataset.edge));
  };

  return html`<main class="trees">
    <section class="table" aria-label="the exercise">
      <h2 class="tree-title">${KINDS.find(([name]) => name === exercise.practice)?.[1]}, number ${exercise.seed}</h2>
      <p class="question">${exercise.question}</p>
      ${error && html`<p class="error" role="alert">${error}</p>`}
      <${TreePicture} key=${exercise.svg} svg=${exercise.svg} labels=${exercise.labels} after=${after} pick=${exercise.asks ? pick : null}
        isPickable=${(node) => places.has(node)} pressed=${exercise.asks === "leaf" ? pruned : null}
        describe=${(node) => exercise.labels[node] + (exercise.asks === "leaf" ? (pruned.has(node) ? ", pruned" : ", visited") : "")} />
      <form class="answer" onSubmit=${submit}>
        ${exercise.asks === "node" && html`<fieldset disabled=${Boolean(grade)}><legend>${exercise.legend}</legend>
          ${exercise.places.map((place) => html`<label>${place.name} = <input ref=${(input) => (fields.current[place.node] = input)}
            value=${answers[place.node] || ""} inputmode="text" onInput=${(event) => setAnswers({ ...answers, [place.node]: event.target.value })} /></label>`)}
        </fieldset>`}
        ${exercise.asks === "leaf" && html`<p>Click the leaves that are never visited.
          ${" "}<strong>Pruned: ${given()}</strong></p>`}
        ${exercise.asks === "" && html`<label class="field">your answer, such as ${exercise.form}
          <input value=${text} disabled=${Boolean(grade)} onInput=${(event) => setText(event.target.value)} /></label>`}
        <div class="buttons">
          ${!grade && html`<button class="main">Check answer</button>`}
          ${!revealed && hints < exercise.hints.length && !grade?.passed && html`<button type="button"
            onClick=${() => setHints(hints + 1)}>Hint (${exercise.hints.length - hints} left)</button>`}
          ${grade && !grade.passed && html`<button type="button" class="main" onClick=${() => setGrade(null)}>Try again</button>
            <button type="button" onClick=${() => setRevealed(true)}>Show the answer</button>`}
          <button type="button" class=${grade?.passed ? "main" : ""} onClick=${() => go({ seed: newSeed() })}>New exercise</button>
        </div>
      </form>
      ${hints > 0 && html`<ol class="hints" aria-label="hints" aria-live="polite">
        ${exercise.hints.slice(0, hints).map((hint) => html`<li>${hint}</li>`)}</ol>`}
      <div role="status" aria-live="polite">${grade && html`<${Marks} grade=${grade} revealed=${revealed || grade.passed} />`}</div>
    </section>
    <section class="side">
      <section aria-label="which exercise"><h2>Exercise</h2>
        <label class="field">kind
          <select onChange=${(event) => go({ practice: event.target.value })}>
            ${KINDS.map(([name, title]) => html`<option value=${name} selected=${name === asked.practice}>${title}</option>`)}
          </select></label>
        <${Typed} title="number" type="number" min="0" value=${asked.seed} commit=${(text) => /^\d{1,12}$/.test(text) && go({ seed: +text })} />
        <p class="soft">The number identifies the exercise. Share it by its address.</p>
      </section>
      <${Progress} progress=${progress} forget=${() => { keep({}); setProgress({}); }} />
    </section>
  </main>`;
}

// A mark beside a node, so that results are not shown by colour alone.
function above(group, text) {
  const shape = group.querySelector("polygon,circle");
  let words = group.querySelector("text.sign");
  if (!words && text) {
    words = document.createElementNS("http://www.w3.org/2000/svg", "text");
    words.setAttribute("class", "sign");
    const box = shape.getBBox();
    words.setAttribute("x", box.x + box.width / 2);
    words.setAttribute("y", box.y - 2);
    words.setAttribute("text-anchor", "middle");
    group.append(words);
  }
  if (words) words.textContent = text;
}

// What was solved so far, in this browser.
function Progress({ progress, forget }) {
  const rows = KINDS.filter(([name]) => progress[name]);
  if (!rows.length) return null;
  return html`<section class="progress" aria-label="progress"><h2>Progress</h2>
    <table><thead><tr><th>kind</th><th>tried</th><th>solved</th><th>at once</th></tr></thead>
      <tbody>${rows.map(([name, title]) => html`<tr><td>${title}</td><td>${progress[name].tried}</td>
        <td>${progress[name].solved}</td><td>${progress[name].first}</td></tr>`)}</tbody></table>
    <div class="buttons"><button onClick=${forget}>Forget it</button></div>
    <p class="soft">Kept in this browser.</p>
  </section>`;
}

// Marks. The correct answers are hidden until the user asks for them.
function Marks({ grade, revealed }) {
  const watched = new URLSearchParams({ tree: grade.tree });
  for (const [name, value] of Object.entries(grade.watching)) watched.set(name, value === false ? "0" : value);
  return html`<section class="marks">
    <h3 class=${grade.passed ? "right" : "wrong"}>${grade.passed ? "✓ All correct" : `✗ ${grade.right} of ${grade.marks.length} correct`}</h3>
    <ul>${grade.marks.map((mark) => html`<li>
      <strong class=${mark.correct ? "right" : "wrong"}>${mark.correct ? "✓" : "✗"}</strong> ${mark.place}: ${mark.correct
        ? mark.right
        : html`${mark.given || "no answer"}${revealed && html`; the correct answer is <strong>${mark.right}</strong>. ${mark.why}`}`}</li>`)}</ul>
    ${revealed && html`<p><a href=${`#/trees?${watched}`}>Watch the search, step by step</a></p>`}
  </section>`;
}
