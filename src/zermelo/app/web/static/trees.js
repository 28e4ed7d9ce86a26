// Trees: textbook trees, your own, and real games unrolled, searched by any algorithm step by step.
import { html, useEffect, useLayoutEffect, useRef, useState } from "/static/preact.js";
import { GameChoice } from "/static/common.js";
import { Replay, TreePicture, follow, paint } from "/static/tree_picture.js";
import { Typed, useDraft } from "/static/fields.js";
import { Drawing } from "/static/tree_drawing.js";
import * as address from "/static/address.js";

const FIRST = "fig-5.2";
const TOGGLES = ["cut", "fail", "order"];
const NUMBERS = ["seed", "beam", "budget", "simulations"];
const LONGEST_ADDRESS = 6000;
const MOST_PLIES = 8;
const USUAL_SPEED = 1200;
const SPEEDS = [[2500, "slow"], [1200, "normal"], [400, "fast"]];

// Reading and writing the address bar.
function read() {
  const found = address.fields();
  const watching = {};
  if (found.get("algorithm")) watching.algorithm = found.get("algorithm");
  for (const name of TOGGLES) if (found.get(name)) watching[name] = found.get(name);
  for (const name of NUMBERS) if (/^\d+$/.test(found.get(name) || "")) watching[name] = +found.get(name);
  if (found.get("deepening")) watching.deepening = true;
  if (found.get("proofs") === "0") watching.proofs = false;
  const exploration = +found.get("exploration");
  if (exploration >= 0.01 && exploration <= 100) watching.exploration = exploration;
  const given = found.getAll("give");
  if (given.length) watching.given = given;
  const depth = /^\d+$/.test(found.get("depth") || "") ? +found.get("depth") : null;
  const step = +(found.get("step") || 1) - 1 || 0;
  if (found.get("game")) {
    const { moves } = address.position();
    return { game: found.get("game"), settings: found.getAll("set"), moves, start: found.get("start") || "", plies: Math.min(depth || 2, MOST_PLIES), watching, step };
  }
  if (depth) watching.depth = depth;
  return { tree: found.get("tree") || FIRST, watching, step, drawing: found.has("draw") };
}

function write(asked, step) {
  const fields = asked.game ? address.played(asked) : new URLSearchParams({ tree: asked.tree });
  if (asked.game) fields.set("depth", asked.plies);
  for (const [name, value] of Object.entries(asked.watching)) {
    if (name === "given") for (const each of value) fields.append("give", each);
    else if (name === "proofs") fields.set(name, value ? "1" : "0");
    else if (value === true) fields.set(name, "1");
    else if (value !== false && value !== "" && value !== null) fields.set(name, value);
  }
  if (asked.drawing) fields.set("draw", "1");
  else if (step) fields.set("step", step + 1);
  if (fields.toString().length > LONGEST_ADDRESS) return false;
  address.put("trees", fields);
  return true;
}

export function Trees({ connection, open, games }) {
  const [asked, setAsked] = useState(read);
  const [library, setLibrary] = useState(null);
  const [shown, setShown] = useState(null);
  const [error, setError] = useState(null);
  const [step, setStep] = useState(asked.step);
  const [view, setView] = useState(null);
  const [tooLong, setTooLong] = useState(false);
  const [waiting, setWaiting] = useState(false);
  const requests = useRef(0);

  useEffect(() => {
    const again = () => {
      if (address.page() !== "trees") return;
      const found = read();
      setAsked(found);
      setStep(found.step);
    };
    addEventListener("hashchange", again);
    return () => removeEventListener("hashchange", again);
  }, []);

  useEffect(() => connection.subscribe((message) => {
    if (message.kind === "trees") setLibrary(message);
    if (message.kind === "error") {
      setError(message);
      setWaiting(false);
    }
    if (message.request !== requests.current) return;
    if (message.kind === "tree") {
      setShown({ ...message, replay: message.steps && new Replay(message.steps) });
      setError(null);
      setWaiting(false);
      setStep((at) => Math.max(0, Math.min(at, (message.steps?.length || 1) - 1)));
      setView((old) => (message.views?.some(([name]) => name === old) ? old : message.views?.[0]?.[0] || "none"));
    }
    if (message.kind === "tree_error") {
      setError(message);
      setWaiting(false);
    }
  }), []);

  useEffect(() => {
    if (open) connection.send({ do: "trees" });
  }, [open]);

  // Request the tree whenever the choice changes.
  const { game, settings, moves, start, plies, tree, watching, drawing } = asked;
  useEffect(() => {
    if (!open || drawing) return;
    const request = ++requests.current;
    setWaiting(true);
    if (game) connection.send({ do: "unroll", request, game, settings, moves, start, plies, watching });
    else connection.send({ do: "tree", request, tree, watching });
  }, [open, JSON.stringify([game, settings, moves, start, plies, tree, watching, drawing])]);

  const called = games.find((each) => each.name === game)?.title;
  useLayoutEffect(() => {
    setTooLong(!write(asked, step));
    document.title = `${called || shown?.title || "Trees"} · zermelo`;
  }, [asked, step, shown, called]);

  const ask = (changes) => {
    setStep(0);
    setAsked({ ...asked, ...changes });
  };
  const watch = (changes) => ask({ watching: clean({ ...watching, ...changes }) });
  const show = (text) => ask({ tree: text, game: null, drawing: false, watching: clean({ ...watching, algorithm: "", given: [], depth: null }) });

  return html`<main class="trees">
    <section class="table" aria-label="the tree">
      <h2 class="tree-title">${drawing ? "Draw a tree" : called || shown?.title || "Your own tree"}</h2>
      ${shown?.question && !drawing && html`<p class="soft">${shown.question}</p>`}
      ${drawing
        ? html`<${Drawing} connection=${connection} open=${open} start=${tree}
            changed=${(text) => setAsked((old) => ({ ...old, tree: text }))} watch=${show} />`
        : html`
          ${error && html`<p class="error" role="alert">${error.error}</p>`}
          ${shown && shown.steps && html`<${Steps} shown=${shown} step=${step} setStep=${setStep} view=${view} setView=${setView} />`}
          ${shown && !shown.steps && html`<${Unknown} shown=${shown} />`}
          ${!shown && !error && html`<p class="waiting">…</p>`}`}
      ${waiting && html`<p class="soft" role="status">searching …</p>`}
      ${tooLong && html`<p class="soft">This tree is too large to be shared by its address.</p>`}
    </section>
    <section class=${game ? "side of-a-game" : "side"}>
      <${Choose} library=${library} asked=${asked} shown=${shown} show=${show} error=${drawing ? null : error}
        draw=${(text) => ask({ tree: text, game: null, drawing: true })} />
      ${!drawing && html`<${Algorithm} asked=${asked} shown=${shown} watch=${watch} />`}
      ${game && shown?.positions && html`<${Position} connection=${connection} shown=${shown} step=${step} asked=${asked} ask=${ask} />`}
      <${Unroll} games=${games} asked=${asked} ask=${ask} />
    </section>
  </main>`;
}

const clean = (watching) =>
  Object.fromEntries(Object.entries(watching).filter(([name, value]) => value !== "" && value !== null && value !== (name === "proofs") && !(Array.isArray(value) && !value.length)));

// A search, one step after the other.
function Steps({ shown, step, setStep, view, setView }) {
  const last = shown.steps.length - 1;
  const at = Math.min(step, last);
  const now = shown.steps[at];
  const [speed, setSpeed] = useState(0); // milliseconds for each step of the autoplay; 0: it is off
  const [predicting, setPredicting] = useState(false);
  const [guess, setGuess] = useState(null); // the node that the user predicts, and whether that is right
  const move = (wanted) => setStep((old) => Math.max(0, Math.min(last, typeof wanted === "function" ? wanted(old) : wanted)));
  const go = (wanted) => {
    setSpeed(0);
    setGuess(null);
    move(wanted);
  };
  useEffect(() => {
    if (!speed) return;
    if (at === last) return setSpeed(0);
    const timer = setTimeout(() => move((old) => old + 1), speed);
    return () => clearTimeout(timer);
  }, [speed, at, last]);
  useEffect(() => {
    setSpeed(0);
    setGuess(null);
  }, [shown]);
  const play = () => {
    setGuess(null);
    if (at === last) move(0);
    setSpeed(speed ? 0 : USUAL_SPEED);
  };
  const predict = (node) => {
    const next = shown.steps[at + 1];
    if (!next) return;
    // A node that has not grown yet cannot be clicked: its parent stands for it.
    const isThere = !shown.svg.includes("zermelo-tree growing") || shown.replay.known.seen.has(next.node);
    const right = node === (isThere ? next.node : next.path[next.path.length - 2]);
    setGuess({ node, right, tries: (guess?.tries || 0) + 1 });
    if (right) move(at + 1);
  };

  useLayoutEffect(() => {
    const jumps = { ArrowLeft: (old) => old - 1, ArrowRight: (old) => old + 1, Home: 0, End: last };
    const press = (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !(event.key in jumps)) return;
      if (event.target.matches?.("input:not([type=range]),textarea,select,[role=button]")) return;
      event.preventDefault();
      go(jumps[event.key]);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [shown]);

  const after = (place) => {
    paint(place, shown, at, shown.replay, view);
    for (const group of place.querySelectorAll("[data-node]")) {
      group.classList.toggle("wrong", Boolean(guess && !guess.right && guess.node === +group.dataset.node));
      group.onclick = () => {
        const node = +group.dataset.node;
        if (predicting) return predict(node);
        const later = shown.steps.findIndex((each, i) => i > at && each.node === node);
        go(later >= 0 ? later : shown.steps.findIndex((each) => each.node === node));
      };
    }
    follow(place, now.node);
  };

  return html`
    <div class="step-buttons" role="group" aria-label="steps">
      <button aria-label="first step" disabled=${at === 0} onClick=${() => go(0)}>|◀</button>
      <button aria-label="step back" disabled=${at === 0} onClick=${() => go((old) => old - 1)}>◀</button>
      <button aria-label="step forward" disabled=${at === last} onClick=${() => go((old) => old + 1)}>▶</button>
      <button aria-label="last step" disabled=${at === last} onClick=${() => go(last)}>▶|</button>
      <button aria-pressed=${speed > 0} onClick=${play}>${speed ? "Pause" : "Play"}</button>
      ${speed > 0 && html`<select aria-label="speed" onChange=${(event) => setSpeed(+event.target.value)}>
        ${SPEEDS.map(([each, title]) => html`<option value=${each} selected=${each === speed}>${title}</option>`)}</select>`}
      <input type="range" min="0" max=${last} value=${at} aria-label="step" aria-valuetext=${`step ${at + 1} of ${last + 1}`}
        onInput=${(event) => go(+event.target.value)} />
      <span class="count">${at + 1} of ${last + 1}</span>
    </div>
    <p class=${now.kind === "cut" ? "says is-cut" : "says"} role="status" aria-live="polite" aria-atomic="true">
      ${guess?.right && html`<strong class="right">✓ ${guess.tries === 1 ? "Predicted." : `Predicted, with ${guess.tries} tries.`} </strong>`}${now.text}</p>
    <div class="predict"><label class="switch"><input type="checkbox" checked=${predicting}
      onChange=${(event) => { setPredicting(event.target.checked); setGuess(null); }} /> predict the next step</label>
      ${predicting && at < last && html`<span role="status">${guess && !guess.right
        ? html`<strong class="wrong">✗ Not there.</strong> ${guess.tries > 1 && `The next step is of the kind “${shown.steps[at + 1].kind}”. `}Try again, or step forward.`
        : "Which node is next? Click it."}</span>`}
    </div>
    <${TreePicture} svg=${shown.svg} labels=${shown.labels} after=${after} />
    ${shown.drawn < shown.nodes && html`<p class="soft">${shown.nodes.toLocaleString("en")} nodes, of which
      ${" "}${shown.drawn.toLocaleString("en")} are drawn. The others are collapsed; their steps are shown at the collapsed node.</p>`}
    ${shown.views.length > 0 && html`<fieldset class="views"><legend>beside the nodes</legend>
      ${shown.views.map(([name, title]) => html`<label><input type="radio" name="view" checked=${view === name}
        onChange=${() => setView(name)} /> ${title}</label>`)}</fieldset>`}
    <div class="below">
      <dl class="facts" aria-label="at this step">${shown.facts.map(([name, title]) => html`<dt>${title}</dt><dd>${now.now[name] || "–"}</dd>`)}</dl>
      ${shown.code.length > 0 && html`<ol class="code" aria-label="the algorithm">${shown.code.map((line, i) => html`<li
        aria-current=${i + 1 === now.line ? "step" : null}>${line}</li>`)}</ol>`}
    </div>
    ${shown.moves_at && !predicting && html`<${MovesAt} shown=${shown} now=${now} go=${go} />`}
    <details class="result" key=${at === last} open=${at === last}><summary>the result</summary><p class="soft">${shown.summary}</p></details>
    <p class="soft">${shown.legend} <span class="keys">Keys: ← → Home End; a click on a node goes to its next step.</span></p>`;
}

// The result of each move at the current node: for wide trees, a table is easier to read.
function MovesAt({ shown, now, go }) {
  const parent = Object.keys(shown.moves_at).find((place) => shown.moves_at[place].some((row) => row.place === now.at));
  const here = shown.moves_at[now.at] ? now.at : parent;
  const rows = shown.moves_at[here] || [];
  const last = (place) => shown.steps.findLastIndex((each) => each.at === place);
  return html`<details class="moves-at" open><summary>the ${rows.length === 1 ? "only branch" : `${rows.length} branches`} ${here === now.at ? "here" : "beside this one"}</summary>
    <div class="scroll"><table><thead><tr><th>move</th><th>value</th><th>${shown.moves_title || "how it ended"}</th></tr></thead>
    <tbody>${rows.map((row) => html`<tr class=${row.place === now.at ? "current" : ""}>
      <td>${last(row.place) >= 0 ? html`<button onClick=${() => go(last(row.place))}>${row.move}</button>` : row.move}</td>
      <td>${row.value}</td><td>${row.ended}</td></tr>`)}</tbody></table></div>
    ${parent && html`<button onClick=${() => go(last(+parent))}>Go to parent</button>`}
  </details>`;
}

// A tree with unknown leaves: which move is best and which leaves are pruned, for all values.
function Unknown({ shown }) {
  const [marked, setMarked] = useState(null);
  const after = (place) => {
    for (const group of place.querySelectorAll("[data-node]")) group.classList.toggle("marked", +group.dataset.node === marked);
  };
  const row = (each, words) => html`<li onMouseEnter=${() => setMarked(each.node)} onMouseLeave=${() => setMarked(null)}>${words}</li>`;
  return html`<${TreePicture} svg=${shown.svg} labels=${shown.labels} after=${after} />
    ${shown.problem && html`<p class="solution">${shown.problem}</p>`}
    ${(shown.solution || []).map((each) => html`<section class="solution" aria-label=${`for all ${each.unknown}`}>
      <h3>For every ${each.unknown}${each.whatever.length > 0 && `, whatever ${each.whatever.join(" and ")} may be`}</h3>
      <p>The root is worth <strong>${each.value}</strong>.</p>
      ${each.best.length > 0 && html`<ul>${each.best.map((move) => row(move, html`${move.move} is best: <strong>${move.where}</strong>`))}</ul>`}
      ${each.problem
        ? html`<p class="soft">${each.problem}</p>`
        : each.pruned.length
          ? html`<p>Alpha-beta, from left to right, never visits</p>
            <ul>${each.pruned.map((leaf) => row(leaf, html`the leaf ${leaf.leaf}: <strong>${leaf.where}</strong>`))}</ul>`
          : html`<p>No leaf is pruned, whatever ${each.unknown} is.</p>`}
    </section>`)}
    <p class="soft">Give the unknown leaves values, under “Algorithm”, to search the tree step by step.</p>`;
}

// The choice of a tree: from the library, as text, or drawn.
function Choose({ library, asked, shown, show, draw, error }) {
  const isNamed = library?.trees.some((each) => each.name === asked.tree);
  const [text, setText] = useDraft(asked.game ? "" : !isNamed ? asked.tree : shown?.name === asked.tree ? shown.text : "");
  const area = useRef(null);
  useLayoutEffect(() => {
    if (!error?.line || !area.current) return;
    const lines = area.current.value.split("\n");
    const from = lines.slice(0, error.line - 1).reduce((sum, line) => sum + line.length + 1, 0) + error.column - 1;
    area.current.focus();
    area.current.setSelectionRange(from, from + 1);
  }, [error]);
  const submit = (event) => {
    event.preventDefault();
    show(text);
  };
  return html`<section aria-label="which tree"><h2>Tree</h2>
    <label class="field">from the textbook
      <select onChange=${(event) => event.target.value && show(event.target.value)}>
        ${!isNamed && html`<option value="" selected>–</option>`}
        ${(library?.trees || []).map((each) => html`<option value=${each.name} selected=${!asked.game && each.name === asked.tree}>${each.title}</option>`)}
      </select></label>
    ${shown?.answer && !asked.game && !asked.drawing && html`<details><summary>answer</summary><p>${shown.answer}</p><p class="soft">${shown.source}</p></details>`}
    <form class="own" onSubmit=${submit}>
      <label class="field">your own, as nested lists
        <textarea ref=${area} rows="4" spellcheck="false" value=${text} aria-invalid=${Boolean(error?.line)}
          onInput=${(event) => setText(event.target.value)} placeholder="[[3, 12, 8], [x, 4, 6], {1/2: 14, 1/2: 2}]"></textarea></label>
      <div class="buttons"><button>Search this tree</button>
        <button type="button" onClick=${() => draw(text.trim() && !asked.game ? text : "[0, 0]")}>Draw it</button>
        <button type="button" onClick=${() => draw("[0, 0]")}>Draw a new one</button></div>
    </form>
    <p class="soft">[3, 12, 8] is a node with three leaves, x an unknown leaf, MIN[…] a node of MIN, and
      ${" "}{1/2: 8, 1/2: 4} is a chance node. Indented text and JSON also work.</p>
  </section>`;
}

// The choice of an algorithm and its options.
function Algorithm({ asked, shown, watch }) {
  const { watching } = asked;
  const chosen = shown?.algorithm;
  const picked = (name, values, title) => html`<label class="field">${title}
    <select value=${watching[name] || values[0][0]} onChange=${(event) => watch({ [name]: event.target.value })}>
      ${values.map(([value, words]) => html`<option value=${value} selected=${(watching[name] || values[0][0]) === value}>${words}</option>`)}
    </select></label>`;
  const number = (name, title, low, high, usual) => html`<${Typed} title=${title} type="number" min=${low} max=${high} value=${watching[name] ?? usual}
    commit=${(text) => watch({ [name]: text === "" ? null : Math.max(low, Math.min(high, Math.round(+text))) })} />`;
  const unknowns = shown?.unknowns || [];
  const given = Object.fromEntries((watching.given || []).map((each) => each.split("=")));
  const give = (name, value) => watch({ given: Object.entries({ ...given, [name]: value.trim() }).filter(([, v]) => v).map(([n, v]) => `${n}=${v}`) });
  return html`<section aria-label="which algorithm"><h2>Algorithm</h2>
    ${unknowns.map((name) => html`<${Typed} key=${name} title=${`${name} =`} value=${given[name] || ""} placeholder="unknown"
      commit=${(text) => give(name, text)} />`)}
    ${shown?.algorithms && html`<label class="field">algorithm
      <select onChange=${(event) => watch({ algorithm: event.target.value })}>
        ${shown.algorithms.map((each) => html`<option value=${each.name} selected=${each.name === chosen} disabled=${Boolean(each.objection)}
          title=${each.objection || each.summary}>${each.name.replace("_", "-")}${each.objection ? " (not suitable)" : ""}</option>`)}
      </select></label>
      <p class="soft">${shown.algorithms.find((each) => each.name === chosen)?.summary}</p>`}
    ${chosen === "alpha_beta" && html`${picked("cut", [["<=", "if α ≥ β"], ["<", "if α > β"]], "cutoff")}
      ${picked("fail", [["soft", "fail-soft"], ["hard", "fail-hard"]], "bounds")}`}
    ${chosen === "beam" && number("beam", "beam width", 1, 100, 3)}
    ${chosen === "mcts" && html`
      ${number("simulations", "simulations", 1, 500, 30)}
      ${number("seed", "seed", 0, 1e9, 0)}
      <${Typed} title="exploration c" type="number" min="0.01" max="100" step="0.1" value=${watching.exploration ?? 1.4}
        commit=${(text) => watch({ exploration: text === "" ? null : Math.max(0.01, Math.min(100, +text)) })} />
      <label class="switch"><input type="checkbox" checked=${watching.proofs ?? true}
        onChange=${(event) => watch({ proofs: event.target.checked })} /> proofs (MCTS-Solver)</label>`}
    ${chosen && chosen !== "engine" && chosen !== "mcts" && html`
      ${picked("order", [["given", "as given"], ["best", "best first"], ["worst", "worst first"], ["random", "at random"]], "order of moves")}
      ${watching.order === "random" && number("seed", "seed", 0, 1e9, 0)}
      ${shown.estimates && !asked.game && number("depth", "depth", 1, 200, "")}
      <label class="switch"><input type="checkbox" checked=${Boolean(watching.deepening)}
        onChange=${(event) => watch({ deepening: event.target.checked })} /> iterative deepening</label>`}
    ${shown && shown.drawn < shown.nodes && html`<label class="field">nodes drawn
      <select onChange=${(event) => watch({ budget: +event.target.value })}>
        ${[160, 400, 1000].map((count) => html`<option value=${count} selected=${shown.budget === count}>at most ${count}</option>`)}
      </select></label>`}
  </section>`;
}

// Moves separated by commas; or by spaces, if no name has a space.
const listed = (text) => text.split(text.includes(",") ? /\s*,\s*/ : /\s+/).filter(Boolean);

// A few plies of a real game.
function Unroll({ games, asked, ask }) {
  const played = (asked.moves || []).join(asked.moves?.some((move) => move.includes(" ")) ? ", " : " ");
  const known = asked.game ? [asked.game, asked.start || played, asked.plies] : ["tic_tac_toe", "", 2];
  const [draft, setDraft] = useDraft(JSON.stringify(known));
  const [chosen, words, plies] = JSON.parse(draft);
  const form = { game: chosen, moves: words, plies };
  const setForm = (now) => setDraft(JSON.stringify([now.game, now.moves, now.plies]));
  const submit = (event) => {
    event.preventDefault();
    const isPosition = form.moves.includes("/");
    const kept = asked.game === form.game;
    ask({
      game: form.game,
      settings: kept ? asked.settings : [],
      start: isPosition ? form.moves : "",
      moves: kept && form.moves === known[1] ? asked.moves : isPosition ? [] : listed(form.moves),
      plies: form.plies,
      drawing: false,
      watching: kept ? asked.watching : {},
    });
  };
  return html`<section aria-label="a real game"><h2>A real game</h2>
    <form class="own" onSubmit=${submit}>
      <label class="field">game
        <${GameChoice} games=${games} chosen=${form.game} choose=${(game) => setForm({ ...form, game, moves: "" })} /></label>
      <label class="field">after the moves
        <input value=${form.moves} placeholder="from the start" onInput=${(event) => setForm({ ...form, moves: event.target.value })} /></label>
      <label class="field">plies
        <input type="number" min="1" max=${MOST_PLIES} value=${form.plies} onInput=${(event) => setForm({ ...form, plies: Math.max(1, Math.min(MOST_PLIES, +event.target.value || 1)) })} /></label>
      <div class="buttons"><button>Unroll</button></div>
    </form>
    ${asked.game && html`<p class="soft">Choose the algorithm “engine” to see what the real engine does: what it cut, where its
      table answered, and where quiescence took over. Choose “mcts” to see a tree grow by random play.</p>`}
  </section>`;
}

// The position at the node of this step.
function Position({ connection, shown, step, asked, ask }) {
  const [position, setPosition] = useState(null);
  const requests = useRef(1e9);
  const node = shown.steps[Math.min(step, shown.steps.length - 1)].at;
  useEffect(() => connection.subscribe((message) => {
    if (message.kind === "position" && message.request === requests.current) setPosition(message);
  }), []);
  useEffect(() => {
    const timer = setTimeout(() => connection.send({ do: "position", request: ++requests.current, node }), 80);
    return () => clearTimeout(timer);
  }, [node, shown]);
  if (!position) return null;
  const canGo = position.moves?.length > 0;
  return html`<section aria-label="the position"><h2>Position</h2>
    ${position.moves && html`<p class="soft">${position.moves.length ? `after ${position.moves.join(" ")}` : "at the root"}</p>`}
    ${position.svg
      ? html`<div class="position" dangerouslySetInnerHTML=${{ __html: position.svg }}></div>`
      : html`<pre>${position.text || "pruned"}</pre>`}
    ${canGo && html`<div class="buttons"><button onClick=${() => ask({ moves: [...asked.moves, ...position.moves] })}>Unroll from here</button></div>`}
  </section>`;
}
