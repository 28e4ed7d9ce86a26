// Backwards: retrograde analysis of a small game. Which positions become known in which pass, and why.
import { html, useEffect, useLayoutEffect, useRef, useState } from "/static/preact.js";
import * as address from "/static/address.js";

const FIRST = "rook_ending";
const ENDLESS = -1; // the positions that no pass decides

function read() {
  const found = address.fields();
  const number = (name, usual) => (/^-?\d+$/.test(found.get(name) || "") ? +found.get(name) : usual);
  return { lesson: found.get("lesson") || FIRST, pass: number("pass", 0), first: number("first", 0), verdict: found.get("only") || "", state: number("state", null) };
}

function write({ lesson, pass, first, verdict, state }) {
  const fields = new URLSearchParams({ lesson, pass });
  if (first) fields.set("first", first);
  if (verdict) fields.set("only", verdict);
  if (state !== null) fields.set("state", state);
  address.put("backwards", fields);
}

const amount = (n) => n.toLocaleString("en");
const named = (number) => (number === ENDLESS ? "no pass" : `pass ${number}`);

export function Backwards({ connection, open }) {
  const [asked, setAsked] = useState(read);
  const [view, setView] = useState(null); // the passes of the game
  const [shown, setShown] = useState(null); // the positions of a pass
  const [known, setKnown] = useState(null); // the chosen position
  const [error, setError] = useState(null);
  const { lesson, pass, first, verdict, state } = asked;
  const ready = open && view?.lesson === lesson;

  useEffect(() => {
    const again = () => address.page() === "backwards" && setAsked(read());
    addEventListener("hashchange", again);
    return () => removeEventListener("hashchange", again);
  }, []);
  useEffect(() => connection.subscribe((message) => {
    if (message.kind === "passes") setView(message);
    if (message.kind === "pass") setShown(message);
    if (message.kind === "known") setKnown(message);
    if (message.kind === "error") setError(message.error);
    else if (["passes", "pass", "known"].includes(message.kind)) setError(null);
  }), []);
  useEffect(() => {
    if (open) connection.send({ do: "passes", lesson });
  }, [open, lesson]);
  useEffect(() => {
    if (ready) connection.send({ do: "pass", number: pass, first, verdict });
  }, [ready, lesson, pass, first, verdict]);
  useEffect(() => {
    if (ready && state !== null) connection.send({ do: "known", state });
  }, [ready, lesson, state]);
  useEffect(() => { // the first position of a pass is chosen, until the user chooses another one
    if (shown && view && state === null && shown.positions.length) connection.send({ do: "known", state: shown.positions[0].state });
  }, [shown, state]);
  useLayoutEffect(() => {
    write(asked);
    document.title = `Backwards · ${view?.title || ""} · zermelo`;
  }, [asked, view]);

  const ask = (changes) => setAsked((old) => ({ ...old, ...changes }));
  if (!view) return html`<main>${error ? html`<p class="error" role="alert">${error} <a href="#/backwards">Start again</a></p>` : html`<p class="waiting">…</p>`}</main>`;
  const passes = view.passes.filter((each) => !verdict || each.counts[verdict]);
  const at = Math.max(0, passes.findIndex((each) => each.number === pass));
  const go = (place) => ask({ pass: passes[Math.max(0, Math.min(place, passes.length - 1))].number, first: 0, state: null });
  const key = (event) => {
    if (event.target.closest("select, input") || event.altKey || event.ctrlKey || event.metaKey) return;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: passes.length - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      go(to);
    }
  };

  return html`<main class="trees backwards" onKeyDown=${key}>
    <section class="table" aria-label="the passes">
      <h2 class="tree-title">${view.title}</h2>
      <p class="soft">Retrograde analysis goes backwards from the ends of the game. Pass 0 knows the ends. Each pass finds the positions
        from which a move leads to a position that is known and good, or all moves lead to positions that are known and bad.</p>
      ${error && html`<p class="error" role="alert">${error}</p>`}
      <${Chart} view=${view} pass=${pass} choose=${(number) => ask({ pass: number, first: 0, state: null })} />
      <div class="step-buttons">
        <button onClick=${() => go(0)} disabled=${at === 0} aria-label="first pass">|◀</button>
        <button onClick=${() => go(at - 1)} disabled=${at === 0} aria-label="previous pass">◀</button>
        <button class="main" onClick=${() => go(at + 1)} disabled=${at === passes.length - 1} aria-label="next pass">Next pass ▶</button>
        <button onClick=${() => go(passes.length - 1)} disabled=${at === passes.length - 1} aria-label="last pass">▶|</button>
        <input type="range" min="0" max=${passes.length - 1} value=${at} aria-label="pass" onInput=${(event) => go(+event.target.value)} />
      </div>
      <p class="says" role="status">${said(view, pass)}</p>
      ${shown && shown.number === pass && html`<${Positions} shown=${shown} chosen=${known?.state} ask=${ask} />`}
    </section>
    <section class="side">
      <section>
        <label class="field">Game
          <select onChange=${(event) => setAsked({ lesson: event.target.value, pass: 0, first: 0, verdict: "", state: null })}>
            ${view.lessons.map((each) => html`<option value=${each.name} selected=${each.name === lesson}>${each.title}</option>`)}
          </select></label>
        <label class="field">Show
          <select onChange=${(event) => ask({ verdict: event.target.value, first: 0, state: null, ...kept(view, pass, event.target.value) })}>
            <option value="">all positions</option>
            ${view.verdicts.map((each) => html`<option value=${each} selected=${each === verdict}>${each}</option>`)}
          </select></label>
        <p class="soft">${amount(view.total)} positions in ${view.passes.length} passes. <button class="quiet" onClick=${() => ask({ state: view.start })}>Start position</button></p>
      </section>
      ${known && html`<${Chosen} known=${known} wanted=${state} ask=${ask} />`}
    </section>
  </main>`;
}

// With a filter, the pass stays if it has such positions.
function kept(view, pass, verdict) {
  const there = view.passes.filter((each) => !verdict || each.counts[verdict]);
  return { pass: there.some((each) => each.number === pass) ? pass : there[0].number };
}

function said(view, pass) {
  const place = view.passes.findIndex((each) => each.number === pass);
  if (place < 0) return "";
  const { total, counts } = view.passes[place];
  const parts = Object.entries(counts).map(([verdict, count]) => `${verdict}: ${amount(count)}`).join(", ");
  const sofar = view.passes.slice(0, place + 1).reduce((sum, each) => sum + each.total, 0);
  if (pass === ENDLESS) return `No pass decides ${amount(total)} positions: nobody can force an end, so they are drawn.`;
  const which = pass === 0 ? "the game is over" : `the game ends after ${pass} ${pass === 1 ? "ply" : "plies"} of best play`;
  return `Pass ${pass}: ${amount(total)} position${total === 1 ? "" : "s"} become${total === 1 ? "s" : ""} known (${parts}); ${which}. Known so far: ${amount(sofar)} of ${amount(view.total)}.`;
}

// A bar for each pass, with a part for each value. Its height is the number of positions.
function Chart({ view, pass, choose }) {
  const most = Math.max(...view.passes.map((each) => each.total));
  return html`<div class="pass-chart" role="group" aria-label="positions by pass">
    ${view.passes.map(({ number, total, counts }) => html`<button class=${number === pass ? "bar-of-pass current" : "bar-of-pass"}
      aria-current=${number === pass ? "step" : null} onClick=${() => choose(number)} title=${`${named(number)}: ${amount(total)} positions`}>
      <span class="stack">${view.verdicts.map((verdict, i) => counts[verdict]
        ? html`<span class=${`lane-${i}`} style=${`height:${Math.max(1.5, (100 * counts[verdict]) / most)}%`}></span>` : null)}</span>
      <span class="number">${number === ENDLESS ? "–" : number}</span></button>`)}
    </div>
    <p class="soft legend">${view.verdicts.map((verdict, i) => html`<span><span class=${`swatch lane-${i}`}></span>${verdict}</span> `)}</p>`;
}

function Positions({ shown, chosen, ask }) {
  const { positions, first, total, each } = shown;
  return html`<div class="positions">${positions.map((one) => html`<button key=${one.state} class=${one.state === chosen ? "one current" : "one"}
      aria-pressed=${one.state === chosen} onClick=${() => ask({ state: one.state })}>
      <span class="picture-of" dangerouslySetInnerHTML=${{ __html: one.svg }}></span>
      <span>${one.verdict}</span><span class="soft">${one.turn || "over"}</span></button>`)}</div>
    ${total > each && html`<div class="step-buttons">
      <button disabled=${first === 0} onClick=${() => ask({ first: Math.max(0, first - each), state: null })}>Previous</button>
      <span class="soft">${amount(first + 1)} to ${amount(Math.min(first + each, total))} of ${amount(total)}</span>
      <button disabled=${first + each >= total} onClick=${() => ask({ first: first + each, state: null })}>More</button></div>`}`;
}

function Chosen({ known, wanted, ask }) {
  const place = useRef(null);
  useEffect(() => { // on a phone it is below the pictures
    if (known.state === wanted) place.current.scrollIntoView({ block: "nearest" });
  }, [known]);
  const visit = (move) => ask({ state: move.state, pass: move.number, first: 0, verdict: "" });
  return html`<section class="chosen-position" ref=${place} aria-label="the chosen position">
    <h2>${known.verdict}, known ${known.number === ENDLESS ? "by no pass" : `in pass ${known.number}`}</h2>
    <div class="position" dangerouslySetInnerHTML=${{ __html: known.svg }}></div>
    <p class="soft">${known.turn || "The game is over."}</p>
    <p class="because">Why: ${known.because}.</p>
    ${known.moves.length > 0 && html`<div class="scroll"><table class="results">
      <thead><tr><th>move</th><th class="line">leads to</th><th>known in</th></tr></thead>
      <tbody>${known.moves.map((move) => html`<tr class=${move.best ? "now" : ""}>
        <td><button class="quiet" onClick=${() => visit(move)}>${move.name}</button></td>
        <td class="line">${move.verdict}</td><td>${named(move.number)}</td></tr>`)}</tbody></table></div>
      <p class="soft">The best moves are marked. Click a move to see the position that it leads to.</p>`}
  </section>`;
}
