// Arena: watch a match, with the current board and the standings.
import { html, useEffect, useLayoutEffect, useReducer, useState } from "/static/preact.js";
import { GameChoice, Waiting, download, playerTitle } from "/static/common.js";
import * as address from "/static/address.js";

const SHOWN = 40;
const START = { view: null, players: [], board: null, table: null, finished: [], total: 0, running: false, told: "", error: null };
const FORM = { games: "20", seconds: "0.1", workers: "1", test: false, elo0: "0", elo1: "50" };
let kept = { state: START, form: FORM, session: 0 }; // restored when the user returns from another page

// A match stops when the user leaves the page.
const left = (state) => (state.running ? { ...state, running: false, told: "Stopped." } : state);

function told(state, message) {
  switch (message.kind) {
    case "arena_view":
      return { ...START, view: message, players: usual(message) };
    case "players":
      return { ...state, players: message.players };
    case "arena_begun":
      return { ...state, running: true, total: message.total, board: null, table: null, finished: [], error: null,
        told: "Preparing the players …" };
    case "arena_game":
      return { ...state, board: message, told: "" };
    case "arena_table":
      return { ...state, table: message, finished: [...message.finished.reverse(), ...state.finished].slice(0, SHOWN) };
    case "arena_saved":
      download(message.name, message.text);
      return state;
    case "arena_over":
      return { ...state, running: false, error: message.error, told: message.stopped ? "Stopped." : "Match finished." };
    case "closed":
      return { ...state, running: false, told: "" };
    case "error":
      return { ...state, error: message.error };
    default:
      return state;
  }
}

// The strongest against a level in the middle.
function usual({ choices, sides }) {
  const timed = choices.find((choice) => choice.timed), untimed = choices.filter((choice) => !choice.timed);
  const found = [timed?.words, untimed[Math.floor(untimed.length / 2)]?.words, ...untimed.map((choice) => choice.words)];
  return [...new Set(found.filter(Boolean))].slice(0, Math.max(2, sides));
}

const clamp = (text, low, high, otherwise) => Math.min(Math.max(Number(text) || otherwise, low), high);

export function Arena({ connection, open, games }) {
  const [state, tell] = useReducer(told, kept.session === connection.session ? left(kept.state) : START);
  const [form, setForm] = useState(kept.form);
  const say = (message) => connection.send(message);
  const look = ({ game, settings }) => say({ do: "arena_look", game, settings });
  const isThere = ({ game, settings }) => kept.session === connection.session &&
    kept.state.view?.game === game && kept.state.view.settings.join() === settings.join();

  useEffect(() => connection.subscribe(tell), []);
  useEffect(() => {
    const begin = () => address.page() === "arena" && !isThere(address.position()) && look(address.position());
    if (open) begin();
    addEventListener("hashchange", begin);
    return () => removeEventListener("hashchange", begin);
  }, [open]);
  useLayoutEffect(() => {
    kept = { state, form, session: connection.session };
  }, [state, form]);
  useLayoutEffect(() => {
    const { game, settings } = address.position();
    const view = state.view;
    if (!view) return;
    if (view.game !== game || view.settings.join() !== settings.join()) address.put("arena", address.played(view));
    document.title = `Arena · ${view.title} · zermelo`;
  }, [state.view]);

  const { view, board, table, running, players } = state;
  if (!view) return html`<${Waiting} error=${state.error} page="arena" />`;
  const seated = players.map((words) => {
    const choice = view.choices.find((each) => each.words === words);
    return choice?.timed ? `${words}:seconds=${clamp(form.seconds, 0.001, 60, 0.1)}` : words;
  });
  const start = (event) => {
    event.preventDefault();
    say({
      do: "arena",
      players: seated,
      games: Math.round(clamp(form.games, 1, 1000, 20)),
      side_by_side: Math.round(clamp(form.workers, 1, 4, 1)),
      ...(form.test && players.length === 2 ? { elo0: Number(form.elo0) || 0, elo1: Number(form.elo1) || 0 } : {}),
    });
  };
  const field = (name, label, low, high) => html`<label class="field">${label}
    <input type="number" name=${name} min=${low} max=${high} step="any" value=${form[name]} disabled=${running}
      onInput=${(event) => setForm({ ...form, [name]: event.target.value })} /></label>`;
  const done = table?.done || 0;
  return html`<main class="contest">
    <div class="side">
      <div class="choose"><${GameChoice} class="title" aria-label="game" games=${games} chosen=${view.game} disabled=${running}
        choose=${(game) => look({ game, settings: [] })} /></div>
      <section aria-label="current game">
        ${board && html`<p class="soft versus">${board.players.map((words, seat) => html`<span><b>${board.seat_names[seat]}</b> ${words}</span>`)}</p>`}
        <div class="board" dangerouslySetInnerHTML=${{ __html: (board || view).svg }}></div>
        <p class="soft">${board ? caption(board) : view.title}</p>
      </section>
    </div>
    <section class="wide" aria-label="standings">
      <form class="terms panel" onSubmit=${start} aria-label="match">
        <${Players} view=${view} players=${players} disabled=${running} change=${(list) => tell({ kind: "players", players: list })} />
        ${field("games", "games", 1, 1000)}
        ${field("seconds", "seconds per move", 0.001, 60)}
        ${field("workers", "parallel games", 1, 4)}
        ${players.length === 2 && html`<label class="switch"><input type="checkbox" checked=${form.test} disabled=${running}
          onChange=${(event) => setForm({ ...form, test: event.target.checked })} /> stop early (SPRT)</label>`}
        ${form.test && players.length === 2 && [field("elo0", "Elo difference, H0", -2000, 2000), field("elo1", "Elo difference, H1", -2000, 2000)]}
        <div class="buttons">
          <button class="main" disabled=${running || players.length < 2}>Start</button>
          <button type="button" disabled=${!running} onClick=${() => say({ do: "arena_stop" })}>Stop</button>
          <button type="button" disabled=${!done} onClick=${() => say({ do: "arena_save" })}>Save games</button>
        </div>
      </form>
      <p class=${state.told || running ? "status" : "soft"} role="status" aria-live="polite">${state.told || (running ? `${done} of ${state.total} games` : players.length < 2 ? "A match needs two players, and only one is available for this game." : "Every pairing plays the same openings from all seats.")}</p>
      ${state.total > 0 && html`<progress max=${state.total} value=${done} aria-label="progress"></progress>`}
      ${state.error && html`<p class="error" role="alert">${state.error}</p>`}
      ${table && html`<${Standings} table=${table} />`}
      ${state.finished.length > 0 && html`<${Games} view=${view} finished=${state.finished} />`}
    </section>
  </main>`;
}

function caption(board) {
  const said = [`game ${board.number + 1}, ply ${board.plies}`];
  if (board.last) said.push(board.last);
  if (board.ended) said.push(board.ended);
  return said.join(": ");
}

function Players({ view, players, change, disabled }) {
  const free = view.choices.find((choice) => !players.includes(choice.words));
  return html`<fieldset disabled=${disabled}><legend>Players</legend>
    ${players.map((words, i) => html`<div class="field">
      <select aria-label=${`player ${i + 1}`} onChange=${(event) => change(players.map((each, j) => (j === i ? event.target.value : each)))}>
        ${view.choices.map((choice) => html`<option value=${choice.words} selected=${choice.words === words}>${choice.title}</option>`)}
      </select>
      ${players.length > 2 && html`<button type="button" aria-label=${`remove player ${i + 1}`}
        onClick=${() => change(players.filter((_, j) => j !== i))}>×</button>`}
    </div>`)}
    ${players.length < 8 && free && html`<button type="button" onClick=${() => change([...players, free.words])}>Add player</button>`}
  </fieldset>`;
}

function Standings({ table }) {
  const faults = table.rows.some((row) => row.faults);
  return html`<div class="scroll"><table class="results">
    <thead><tr><th>player</th><th>games</th><th>won</th><th>drawn</th><th>lost</th><th>score</th>
      <th>Elo, 95 %</th><th>time per move</th>${faults && html`<th>faults</th>`}</tr></thead>
    <tbody>${table.rows.map((row) => html`<tr>
      <th scope="row">${playerTitle(row.player)}</th><td>${row.games}</td><td>${row.won}</td><td>${row.drawn}</td><td>${row.lost}</td>
      <td><meter min="0" max="1" value=${row.score}></meter> ${(100 * row.score).toFixed(1)} %</td>
      <td><b>${row.elo}</b>${row.elo && row.interval && " "}${row.interval}</td><td>${row.move}</td>${faults && html`<td>${row.faults}</td>`}</tr>`)}
    </tbody></table></div>
    ${table.remarks.map((remark) => html`<p class="soft remark">${remark}</p>`)}
    ${table.sprt && html`<${Test} sprt=${table.sprt} />`}`;
}

// The progress of the sequential test between its two bounds.
function Test({ sprt: { llr, lower, upper, elo0, elo1 } }) {
  const at = (value) => 10 + (380 * (Math.min(Math.max(value, lower), upper) - lower)) / (upper - lower);
  return html`<svg class="test" viewBox="0 0 400 46" role="img" aria-label=${`log-likelihood ratio ${llr.toFixed(2)}, between ${lower.toFixed(2)} and ${upper.toFixed(2)}`}>
    <line x1="10" x2="390" y1="14" y2="14" /><line x1=${at(0)} x2=${at(0)} y1="6" y2="22" />
    <circle cx=${at(llr)} cy="14" r="7" />
    <text x="10" y="40">no more than ${elo0} Elo</text><text x="390" y="40" text-anchor="end">at least ${elo1} Elo</text></svg>`;
}

const half = (points) => (points === 0.5 ? "½" : String(points));

function Games({ view, finished }) {
  return html`<section aria-label="finished games"><h2>Games</h2><ol class="games">
    ${finished.map((game) => html`<li key=${game.number}>
      <span class="soft">${game.number + 1}</span> ${game.players.join(" – ")} <b>${game.points.map(half).join(" : ")}</b>${" "}
      <span class="soft">${game.plies} plies${game.ended === "rules" ? "" : `, ${game.ended}`}</span>${" "}
      ${game.moves && html` <a href=${`#/play?${address.played({ ...view, moves: game.moves })}`}>view</a>`}
    </li>`)}</ol></section>`;
}
