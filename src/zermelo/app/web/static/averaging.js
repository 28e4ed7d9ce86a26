// Averaging over clairvoyance: every deal solved with open cards, the average, and why it is wrong.
import { html, useEffect, useLayoutEffect, useRef, useState } from "/static/preact.js";
import * as address from "/static/address.js";

const FIRST = "roads";
const number = (x) => String(+x.toPrecision(3)).replace("-", "−");
const percent = (x) => `${+(100 * x).toFixed(1)} %`;

function read() {
  const found = address.fields();
  return { position: found.get("position") || FIRST, step: Math.max(0, Math.floor(Number(found.get("step"))) || 0) };
}

export function Averaging({ connection, open }) {
  const [{ position, step }, setAsked] = useState(read);
  const [view, setView] = useState(null);
  const [compared, setCompared] = useState(null);
  const [error, setError] = useState(null);
  const frame = useRef(null);

  useEffect(() => connection.subscribe((message) => {
    if (message.kind === "averaging") {
      setView(message);
      setError(null);
    }
    if (message.kind === "compared") setCompared(message);
    if (message.kind === "error") setError(message.error);
  }), []);
  useEffect(() => {
    if (open) connection.send({ do: "averaging", lesson: position });
  }, [open, position]);
  const at = view ? Math.min(step, view.steps.length - 1) : step;
  useLayoutEffect(() => {
    address.put("equilibria", new URLSearchParams({ lesson: "averaging", position, step: at }));
    document.title = "Averaging over deals · zermelo";
  }, [position, at]);
  useLayoutEffect(() => {
    for (const each of frame.current?.querySelectorAll("[data-set], [data-join]") || []) {
      each.classList.toggle("chosen", Number(each.dataset.set ?? each.dataset.join) === view.set);
    }
  }, [view]);

  if (!view) return html`<main>${error ? html`<p class="error" role="alert">${error} <a href="#/equilibria?lesson=averaging">Start again</a></p>` : html`<p class="waiting">…</p>`}</main>`;
  const go = (to) => setAsked({ position, step: Math.max(0, Math.min(to, view.steps.length - 1)) });
  const key = (event) => {
    if (event.target.closest("select, input") || event.altKey || event.ctrlKey || event.metaKey) return;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: view.steps.length - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      go(to);
    }
  };
  const now = view.steps[at];
  const deals = view.steps.slice(0, at + 1).filter((each) => each.deal !== null).map((each) => each.deal); // solved so far
  const averaged = at > view.steps.findLastIndex((each) => each.deal !== null);
  const done = at === view.steps.length - 1;

  return html`<main class="trees lesson" onKeyDown=${key}>
    <section class="table" aria-label="the steps">
      <h2 class="tree-title">${view.title}</h2>
      <p class="soft">${view.story}</p>
      ${error && html`<p class="error" role="alert">${error}</p>`}
      <div class="step-buttons">
        <button onClick=${() => go(0)} disabled=${at === 0} aria-label="first step">|◀</button>
        <button onClick=${() => go(at - 1)} disabled=${at === 0} aria-label="previous step">◀</button>
        <button class="main" onClick=${() => go(at + 1)} disabled=${done} aria-label="next step">Next ▶</button>
        <button onClick=${() => go(view.steps.length - 1)} disabled=${done} aria-label="last step">▶|</button>
        <span class="soft">${at + 1} of ${view.steps.length}: ${now.title}</span>
      </div>
      <p class="says" role="status">${now.text}</p>
      <div class="scroll"><table class="results"><caption>${view.player} to move, who knows: ${view.knows}. What each move is worth:</caption>
        <thead><tr><th>deal</th><th>probability</th>${view.moves.map((move) => html`<th scope="col">${move}</th>`)}</tr></thead>
        <tbody>
          ${view.deals.map((deal, i) => html`<tr class=${now.deal === i ? "now" : ""}><th scope="row">${deal.name}</th><td>${percent(deal.weight)}</td>
            ${deal.values.map((value, k) => html`<td class=${deals.includes(i) && view.moves[k] === deal.best ? "value best good" : ""}>${deals.includes(i) ? number(value) : ""}</td>`)}</tr>`)}
          <tr class=${averaged ? "total" : ""}><th scope="row">average (pimc)</th><td></td>${view.average.map((value, k) => html`<td class=${view.moves[k] === view.choice ? "value best" : ""}>${averaged ? number(value) : ""}</td>`)}</tr>
          <tr><th scope="row">equilibrium</th><td></td>${view.worth.map((value, k) => html`<td class=${view.moves[k] === view.right ? "value best good" : ""}>${done ? number(value) : ""}</td>`)}</tr>
        </tbody></table></div>
      ${done && html`<p>Averaging plays <strong>${view.choice}</strong>, the equilibrium plays ${view.moves.map((move, k) => `${move} ${percent(view.probabilities[k])}`).join(", ")}.</p>`}
    </section>
    <section class="side">
      <section><label class="field">Position <select onChange=${(event) => setAsked({ position: event.target.value, step: 0 })}>
        ${view.lessons.map((each) => html`<option value=${each.name} selected=${each.name === position}>${each.title}</option>`)}</select></label>
        <p class="soft">Averaging over clairvoyance (<code>pimc</code>) solves every possible deal as if all cards were open, and averages. It assumes that everyone will see the cards after this move.</p></section>
      <section aria-label="comparison"><h2>Side by side</h2>
        ${compared?.lesson === position ? html`<${Compared} rows=${compared.rows} />` : html`<p class="soft" role="status">comparing …</p>`}</section>
    </section>
    <section class="whole" aria-label="the tree"><h2>The whole game</h2>
      <p class="soft">Dashed lines join what a player cannot tell apart; the position of this lesson is highlighted. <a href=${`#/equilibria?lesson=sets&game=${view.game}`}>With an equilibrium</a></p>
      <div class="tree-frame" ref=${frame} tabindex="0" role="group" aria-label="tree" dangerouslySetInnerHTML=${{ __html: view.svg }}></div>
    </section>
  </main>`;
}

function Compared({ rows }) {
  const [head, ...body] = rows;
  return html`<div class="scroll"><table class="results compared"><caption class="sr">pimc, IS-MCTS and the equilibrium</caption>
    <thead><tr>${head.map((cell) => html`<th>${cell}</th>`)}</tr></thead>
    <tbody>${body.map(([name, ...cells]) => html`<tr><th scope="row">${name}</th>${cells.map((cell) => html`<td>${cell.replace("-", "−")}</td>`)}</tr>`)}</tbody></table></div>
    <p class="soft">Exploitability: what a best response gains against a player who chooses like this everywhere.</p>`;
}
