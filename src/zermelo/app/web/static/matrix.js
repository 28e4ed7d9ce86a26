// Matrix games: the exact equilibrium of a table, and regret matching step by step.
import { html, useEffect, useLayoutEffect, useRef, useState } from "/static/preact.js";
import * as address from "/static/address.js";
import { Plot } from "/static/plot.js";
import { Triangle } from "/static/triangle.js";

const FIRST = { payoffs: "0 -1 1; 1 0 -1; -1 1 0", rows: "rock paper scissors", columns: "rock paper scissors", method: "cfr-simultaneous", begin: "first", iterations: 1000 };
const SEATS = ["Rows", "Columns"];
const number = (x, digits = 3) => (Math.abs(x) < 0.5 * 10 ** -digits ? 0 : x).toFixed(digits).replace("-", "−");
const short = (x) => String(+x.toPrecision(4)).replace("-", "−");
const LEAST = 1e-6; // smaller numbers are rounding
const percent = (x) => `${(100 * x).toFixed(1)} %`;

function read() {
  const found = address.fields();
  const asked = { ...FIRST };
  if (found.get("payoffs")) Object.assign(asked, { payoffs: found.get("payoffs"), rows: found.get("rows") || "", columns: found.get("columns") || "" });
  for (const name of ["method", "begin"]) asked[name] = found.get(name) || asked[name];
  const iterations = Number(found.get("iterations"));
  if (Number.isInteger(iterations) && iterations >= 1 && iterations <= 10_000) asked.iterations = iterations;
  return { asked, step: Math.max(1, Math.floor(Number(found.get("step"))) || 1) };
}

export function Matrix({ connection, open }) {
  const [{ asked, step }, setState] = useState(read);
  const [view, setView] = useState(null);
  const [shown, setShown] = useState(null); // the numbers of one step
  const [error, setError] = useState(null);
  const at = view ? Math.min(step, view.iterations) : step;

  useEffect(() => connection.subscribe((message) => {
    if (message.kind === "matrix") setView(message);
    if (message.kind === "matrix_step") setShown(message);
    if (message.kind === "error") setError(message.error);
    else if (message.kind === "matrix") setError(null);
  }), []);
  useEffect(() => {
    if (open) connection.send({ do: "matrix", ...asked });
  }, [open, JSON.stringify(asked)]);
  useEffect(() => {
    if (view) connection.send({ do: "matrix_step", step: at });
  }, [view, at]);
  useLayoutEffect(() => {
    address.put("equilibria", new URLSearchParams({ lesson: "matrix", ...asked, step: at }));
    document.title = "Matrix games · zermelo";
  }, [asked, at]);

  const ask = (changes) => setState((old) => ({ asked: { ...old.asked, ...changes }, step: 1 }));
  const go = (to) => setState((old) => ({ ...old, step: Math.max(1, Math.min(to, view.iterations)) }));
  const key = (event) => {
    if (event.target.closest("select, input, textarea") || event.altKey || event.ctrlKey || event.metaKey) return;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 1, End: view.iterations }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      go(to);
    }
  };
  if (!view) return html`<main>${error ? html`<p class="error" role="alert">${error} <a href="#/equilibria?lesson=matrix">Start again</a></p>` : html`<p class="waiting">…</p>`}</main>`;

  return html`<main class="trees lesson" onKeyDown=${key}>
    <section class="table" aria-label="the table and its steps">
      <h2 class="tree-title">Regret matching in a matrix game</h2>
      <p class="soft">Both players choose at once. After each round, every choice gets a regret: how much better it would have done than what was played, added up over all rounds.
        In the next round, each choice is played in proportion to its positive regret. CFR does the same in every information set of a larger game.</p>
      ${error && html`<p class="error" role="alert">${error}</p>`}
      <${Payoffs} view=${view} shown=${shown} />
      <div class="step-buttons">
        <button onClick=${() => go(1)} disabled=${at === 1} aria-label="first round">|◀</button>
        <button onClick=${() => go(at - 1)} disabled=${at === 1} aria-label="previous round">◀</button>
        <button class="main" onClick=${() => go(at + 1)} disabled=${at === view.iterations} aria-label="next round">Next round ▶</button>
        <button onClick=${() => go(at * 10)} disabled=${at === view.iterations} aria-label="ten times as many rounds">× 10</button>
        <button onClick=${() => go(view.iterations)} disabled=${at === view.iterations} aria-label="last round">▶|</button>
        <input type="range" min="0" max="1000" value=${(1000 * Math.log(at)) / Math.log(Math.max(2, view.iterations))} aria-label="round" aria-valuetext=${`round ${at}`}
          onInput=${(event) => go(Math.round(view.iterations ** (event.target.value / 1000)))} />
        <span class="soft count">${at} of ${view.iterations}</span>
      </div>
      ${shown && html`<p class="says" role="status">${said(view, shown)}</p>`}
      ${shown && html`<div class="rounds">${[0, 1].map((player) => html`<${Choices} view=${view} shown=${shown} player=${player} />`)}</div>`}
    </section>
    <section class="side">
      <${Settings} view=${view} asked=${asked} ask=${ask} />
      <${Guarantee} view=${view} />
    </section>
    <section class="whole plots" aria-label="curves">
      <${Plot} title="Exploitability" across="rounds" logX logY mark=${at} series=${[
        { name: "average strategy", lane: 0, points: view.curves.map((each) => [each.number, Math.max(each.far, LEAST)]) },
        { name: "current strategy", lane: 1, faint: true, points: view.curves.map((each) => [each.number, Math.max(each.now, LEAST)]) },
        ...(view.curves[0].bound === null ? [] : [{ name: "guaranteed for the average", lane: 4, points: view.curves.map((each) => [each.number, each.bound]) }]),
      ]} />
      ${[0, 1].map((player) => html`<${Paths} view=${view} player=${player} at=${at} />`)}
    </section>
  </main>`;
}

const names = (view, player) => (player ? view.columns : view.rows);

function said(view, shown) {
  const told = [0, 1].map((player) => {
    const played = shown.played[player].map((chance, i) => [chance, names(view, player)[i]]).filter(([chance]) => chance > 5e-4);
    return `${SEATS[player]}: ${played.map(([chance, name]) => (chance > 0.9995 ? name : `${name} ${percent(chance)}`)).join(", ")}`;
  });
  return `Round ${shown.number}. ${told.join(". ")}. A best response to the average strategies gains ${number(shown.far, 4)}, one to the current strategies ${number(shown.now, 4)}.`;
}

// The table; the darker a cell, the more often it is played in this round.
function Payoffs({ view, shown }) {
  const share = (i, j) => (shown && shown.played[0].length === view.rows.length && shown.played[1].length === view.columns.length ? shown.played[0][i] * shown.played[1][j] : 0);
  return html`<div class="scroll"><table class="results payoffs">
    <caption class="sr">${view.zero_sum ? "what the rows win and the columns lose" : "what rows and columns win"}</caption>
    <thead><tr><th></th>${view.columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
    <tbody>${view.first.map((row, i) => html`<tr><th scope="row">${view.rows[i]}</th>
      ${row.map((worth, j) => html`<td style=${`background:color-mix(in srgb,var(--accent) ${Math.round(55 * share(i, j))}%,transparent)`}>${short(worth)}${view.zero_sum ? "" : `, ${short(view.second[i][j])}`}</td>`)}</tr>`)}</tbody></table></div>`;
}

// One player's numbers of a round.
function Choices({ view, shown, player }) {
  const list = names(view, player);
  if (shown.played[player].length !== list.length) return null;
  const mean = shown.played[player].reduce((sum, chance, i) => sum + chance * shown.values[player][i], 0);
  return html`<div class="scroll"><table class="results">
    <caption>${SEATS[player]} got ${number(mean)} in this round. Regret counts all rounds so far.</caption>
    <thead><tr><th></th><th>played</th><th>would get</th><th>regret</th><th>next</th><th>average</th>${view.exact && html`<th>exact</th>`}</tr></thead>
    <tbody>${list.map((name, i) => html`<tr><th scope="row">${name}</th><td>${percent(shown.played[player][i])}</td><td>${number(shown.values[player][i])}</td>
      <td class=${shown.regret[player][i] > 0 ? "value good" : "value"}>${number(shown.regret[player][i], 2)}</td><td>${percent(shown.next[player][i])}</td><td><strong>${percent(shown.average[player][i])}</strong></td>
      ${view.exact && html`<td>${percent(view.exact[player][i])}</td>`}</tr>`)}</tbody></table></div>`;
}

function Settings({ view, asked, ask }) {
  const table = view.tables.find((each) => each.payoffs === asked.payoffs);
  const form = useRef(null);
  const submit = (event) => {
    event.preventDefault();
    const text = (name) => form.current.elements[name].value.trim();
    ask({ payoffs: text("payoffs").split("\n").filter((row) => row.trim()).join("; ").replace(/;\s*;/g, ";"), rows: text("rows"), columns: text("columns") });
  };
  return html`<section aria-label="settings">
    <label class="field">Game <select onChange=${(event) => ask((({ payoffs, rows, columns }) => ({ payoffs, rows, columns }))(view.tables.find((each) => each.name === event.target.value)))}>
      ${!table && html`<option selected>your own table</option>`}
      ${view.tables.map((each) => html`<option value=${each.name} selected=${each === table}>${each.title}</option>`)}</select></label>
    <label class="field">Method <select onChange=${(event) => ask({ method: event.target.value })}>
      ${Object.entries(view.methods).map(([name, title]) => html`<option value=${name} selected=${name === asked.method}>${title}</option>`)}</select></label>
    <label class="field">First round <select onChange=${(event) => ask({ begin: event.target.value })}>
      ${Object.entries(view.starts).map(([name, title]) => html`<option value=${name} selected=${name === asked.begin}>${title}</option>`)}</select></label>
    <label class="field">Rounds <select onChange=${(event) => ask({ iterations: +event.target.value })}>
      ${[...new Set([100, 1000, 10_000, asked.iterations])].sort((a, b) => a - b).map((each) => html`<option value=${each} selected=${each === asked.iterations}>${each.toLocaleString("en")}</option>`)}</select></label>
    <details><summary>Type your own table</summary>
      <form class="own" ref=${form} onSubmit=${submit} key=${asked.payoffs + asked.rows + asked.columns}>
        <label>Payoffs, a line for each row; what the row player wins, or both as in 3,1
          <textarea name="payoffs" rows="4" spellcheck="false">${asked.payoffs.split(/;\s*/).join("\n")}</textarea></label>
        <label class="field">Rows <input name="rows" defaultValue=${asked.rows} placeholder="names, separated by spaces" /></label>
        <label class="field">Columns <input name="columns" defaultValue=${asked.columns} placeholder="names, separated by spaces" /></label>
        <button class="main">Use this table</button>
      </form></details>
  </section>`;
}

// What is known of the game and of the averages.
function Guarantee({ view }) {
  const mix = (player) => view.exact[player].map((chance, i) => [chance, names(view, player)[i]]).filter(([chance]) => chance > 1e-9)
    .map(([chance, name]) => `${name} ${percent(chance)}`).join(", ");
  return html`<section aria-label="equilibrium"><h2>${view.zero_sum ? "Equilibrium, by linear programming" : "General sum"}</h2>
    ${view.exact && html`<p>Value <strong>${number(view.value, 4)}</strong> to the rows.</p>
      <p>Rows: ${mix(0)}</p><p>Columns: ${mix(1)}</p>`}
    ${view.missing && html`<p class="soft">${view.missing}</p>`}
    ${view.zero_sum
      ? html`<p class="soft">Guaranteed in zero-sum games: the average strategies approach an equilibrium. The current ones need not; they may go round in circles. If there are several equilibria, the averages may approach another one than linear programming has found.</p>`
      : html`<p class="soft">The payoffs do not add up to 0. Then the averages need not approach a Nash equilibrium. Guaranteed is only that regrets per round go to 0: the joint play approaches a coarse correlated equilibrium.
          After ${view.iterations.toLocaleString("en")} rounds nobody gains more than ${number(view.correlated, 4)} by a fixed choice.</p>
        <${Joint} view=${view} />`}
    <p class="soft">${view.pure.length ? `Pure equilibria: ${view.pure.map((pair) => pair.join(" and ")).join("; ")}.` : "There is no equilibrium in pure strategies."}</p>
  </section>`;
}

function Joint({ view }) {
  return html`<div class="scroll"><table class="results payoffs"><caption>How often each pair was played</caption>
    <thead><tr><th></th>${view.columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
    <tbody>${view.joint.map((row, i) => html`<tr><th scope="row">${view.rows[i]}</th>${row.map((share) => html`<td>${percent(share)}</td>`)}</tr>`)}</tbody></table></div>`;
}

// How a player's strategy moves: in a triangle if it has three choices, otherwise as curves.
function Paths({ view, player, at }) {
  const list = names(view, player);
  const exact = view.exact?.[player];
  if (list.length === 3) return html`<${Triangle} title=${`${SEATS[player]}: the way of the strategy`} names=${list} exact=${exact}
    played=${view.curves.filter((each) => each.number <= at).map((each) => each.played[player])} average=${view.curves.filter((each) => each.number <= at).map((each) => each.average[player])} />`;
  return html`<${Plot} title=${`${SEATS[player]}: probabilities`} across="rounds" logX rangeY=${[0, 1]} mark=${at} series=${list.flatMap((name, i) => [
    { name, lane: i, points: view.curves.map((each) => [each.number, each.average[player][i]]) },
    { name: "", lane: i, faint: true, points: view.curves.map((each) => [each.number, each.played[player][i]]) },
  ])} />`;
}
