// Play and analyse: the game on the table.
import { html, useEffect, useLayoutEffect, useReducer, useRef, useState } from "/static/preact.js";
import { Analysis, Grade, Review } from "/static/analysis.js";
import { AllMoves, Board } from "/static/board.js";
import { GameChoice, Waiting, download } from "/static/common.js";
import * as address from "/static/address.js";

const NO_GAME = 'contains no saved game. A saved game is a line of JSON with "zermelo": "game"';
const LONGEST = 190_000; // most characters of a saved game: the server refuses longer messages
const ANOTHER = ["new", "load", "set_up"]; // messages that put another game on the table
const TOO_LONG = "is too large. Remove the fields \"analysis\" and \"variations\" and try again";
const HIDDEN = "…"; // a move that the viewer may not see
const START = {
  view: null, game: null, analysis: null, graph: null, review: null, readiness: null,
  hint: null, played: null, thinking: null, error: null,
};

function told(state, message) {
  switch (message.kind) {
    case "closed":
      return { ...state, thinking: null };
    case "game":
      return { ...state, game: message, graph: null, review: null, played: null };
    case "readiness":
      return { ...state, readiness: { ...message, since: performance.now() - 1000 * message.seconds } };
    case "view": {
      const same = state.view && state.view.shown === message.shown && state.view.moves.join() === message.moves.join();
      return { ...state, view: message, error: null, thinking: null, ...(same ? {} : { hint: null, analysis: null }) };
    }
    case "analysis":
      return message.ply === state.view?.shown ? { ...state, analysis: message } : state;
    case "graph":
    case "review":
    case "hint":
    case "played":
      return { ...state, [message.kind]: message, ...(message.kind === "hint" ? { thinking: null } : {}) };
    case "thinking":
      return { ...state, thinking: message.who };
    case "saved":
      download(`${message.record.game.replace(/\.py.*$/, "").replace(/\W+/g, "_")}.jsonl`, JSON.stringify(message.record) + "\n");
      return state;
    case "error":
      return { ...state, error: message.error, thinking: null };
    default:
      return state;
  }
}

export function Play({ connection, open, games }) {
  const [state, tell] = useReducer(told, START);
  const [showing, setShowing] = useState(true);
  const say = (message) => {
    address.expect(ANOTHER.includes(message.do));
    connection.send(message);
  };

  useEffect(() => connection.subscribe(tell), []);
  useEffect(() => {
    const begin = () => address.page() === "play" && say(address.read());
    if (open) begin();
    addEventListener("hashchange", begin);
    return () => removeEventListener("hashchange", begin);
  }, [open]);

  const { view, game, analysis } = state;
  useLayoutEffect(() => {
    if (!view) return;
    if (!view.outdated) address.write(view, "play");
    document.title = `${view.title} · zermelo`;
  }, [view]);
  useEffect(() => {
    const step = (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
      if (!by || !view || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.target.closest?.("input, select, textarea, [role=dialog]")) return;
      event.preventDefault();
      say({ do: "show", ply: Math.min(Math.max(view.shown + by, 0), view.moves.length) });
    };
    addEventListener("keydown", step);
    return () => removeEventListener("keydown", step);
  }, [view]);

  if (!view) return html`<${Waiting} error=${state.error} page="play" />`;
  const atEnd = view.shown === view.moves.length;
  const canMove = open && view.legal.length > 0 && (!atEnd || view.seats[view.seat] === "person");
  const values = new Map(showing && analysis ? analysis.moves.map((move, rank) => [move.move, { ...move, rank }]) : []);
  const play = (name) => say({ do: "move", name });
  const anew = () => say({ do: "new", game: view.game, settings: view.settings, seats: view.seats });
  const seats = view.seats.map((_, seat) => seat);
  const below = view.flipped ? seats.slice(1) : seats.slice(0, 1);
  const strip = (seat) => html`<${Seat} key=${seat} ...${{ seat, view, game, say, thinking: state.thinking }} />`;

  return html`
    <main class="play">
      <section class="table" aria-label="game board">
        <div class="choose">
          <h2 class="sr">Game</h2>
          <${GameChoice} class="title" aria-label="game" games=${games} chosen=${view.game} choose=${(name) => say({ do: "new", game: name })} />
          ${view.settings.length > 0 && html`<span class="soft">${view.settings.join(", ")}</span>`}
          <button class="main" onClick=${anew}>New game</button>
        </div>
        ${seats.filter((seat) => !below.includes(seat)).reverse().map(strip)}
        <${Board} view=${view} canMove=${canMove} values=${values} hint=${state.hint?.move} play=${play} />
        ${below.map(strip)}
        <p class="status" role="status" aria-live="polite">${status(state, atEnd)}</p>
        ${state.error && html`<${Complaint} error=${state.error} />`}
        ${game && !game.hidden && html`<${Compiling} readiness=${state.readiness} title=${view.title} />`}
        <${Buttons} view=${view} game=${game} say=${say} tell=${tell} atEnd=${atEnd} />
        <${AllMoves} ...${{ view, canMove, values, play, hint: state.hint?.move }} />
        ${game && !game.hidden && !view.over && html`<${Elsewhere} view=${view} />`}
      </section>
      <div class="side">
        <${Analysis} ...${{ analysis, view, game, canMove, showing, setShowing, say }} />
        <${Moves} view=${view} say=${say} graph=${state.graph} />
        <${Review} graph=${state.graph} review=${state.review} view=${view} game=${game} say=${say} />
        <${SetUp} view=${view} game=${game} say=${say} />
      </div>
    </main>`;
}

function status({ view, thinking, hint, played }, atEnd) {
  const last = view.shown ? `${lastMove(view, view.shown - 1)}. ` : "";
  if (view.over) return `${last}${capital(view.result)}.`;
  const words = [];
  if (thinking === "hint") words.push("looking for a hint …");
  else if (thinking) words.push(`${view.mover} is thinking …`);
  else words.push(`${view.mover} to move${atEnd ? "" : " in this earlier position"}${view.paused && atEnd ? " (paused)" : ""}`);
  if (hint && hint.ply === view.shown) words.push(`hint: ${hint.move}${hint.verdict ? ` (${hint.verdict})` : ""}`);
  else if (played?.verdict && atEnd && !thinking) {
    words.push(`${title(played.who)} says ${played.verdict}${played.exact ? ", proven" : ""}`);
  }
  if (view.viewer) words.push(`showing what ${view.viewer} can see`);
  return last + capital(words.join("; ")) + (thinking ? "" : ".");
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
function lastMove(view, ply) {
  const who = capital(view.movers[ply] === null ? "chance" : view.seat_names[view.movers[ply]]);
  const move = view.called[ply];
  return move === null || move === HIDDEN ? `${who} has moved` : `${who}: ${move}`;
}
const title = (words) => words.replace(/^level:/, "").split(":")[0];

// Who sits here, and whose turn it is.
function Seat({ seat, view, game, say, thinking }) {
  const words = view.seats[seat];
  const change = (event) => say({ do: "seats", seats: view.seats.map((each, i) => (i === seat ? event.target.value : each)) });
  const options = (game?.levels || []).map((level) => ({
    words: `level:${level.name}`,
    title: level.elo === null ? level.name : `${level.name} (${level.elo > 0 ? "+" : ""}${Math.round(level.elo)} Elo)`,
  }));
  if (game?.strongest) options.push({ words: game.strongest, title: `${game.strongest.split(":")[0].replace("auto", "strongest")}, 1 s per move` });
  if (words !== "person" && !options.some((each) => each.words === words)) options.push({ words, title: words });
  const turn = view.seat === seat;
  return html`<div class=${`seat ${turn ? "turn" : ""}`}>
    <span class="dot" aria-hidden="true"></span>
    <span class="who">${view.seat_names[seat]}</span>
    ${turn && html`<span class="sr">to move</span>`}
    ${turn && thinking && thinking !== "hint" && html`<span class="soft">thinking …</span>`}
    <select aria-label=${`who plays ${view.seat_names[seat]}`} value=${words} onChange=${change}>
      <option value="person" selected=${words === "person"}>person</option>
      ${options.map((each) => html`<option value=${each.words} selected=${words === each.words}>${each.title}</option>`)}
    </select>
  </div>`;
}

// An error message, scrolled into view.
function Complaint({ error }) {
  const place = useRef(null);
  useEffect(() => place.current.scrollIntoView({ block: "nearest" }), [error]);
  return html`<p class="error" role="alert" ref=${place}>${error}</p>`;
}

// Links to the other pages, for the position that is shown.
function Elsewhere({ view }) {
  const here = address.played({ ...view, moves: view.moves.slice(0, view.shown) });
  return html`<p class="soft">See also <a href=${`#/trees?${here}`}>the game tree, step by step</a> and
    ${" "}<a href=${`#/race?${here}`}>a race of algorithms</a> from here.</p>`;
}

// The notice while a game is compiled for the first time.
function Compiling({ readiness, title }) {
  const [, tick] = useReducer((count) => count + 1, 0);
  const busy = readiness?.state === "compiling";
  useEffect(() => {
    if (!busy) return undefined;
    const timer = setInterval(tick, 500);
    return () => clearInterval(timer);
  }, [busy]);
  if (!busy) return readiness?.reason && html`<p class="soft note">Runs as plain Python: ${readiness.reason}.</p>`;
  const seconds = (performance.now() - readiness.since) / 1000;
  if (seconds < 1.5) return null;
  return html`<p class="soft note compiling"><span class="spinner" aria-hidden="true"></span>
    Compiling ${title}: ${Math.round(seconds)} s. This happens once. Until it is done, the search runs as plain Python,
    which is slower.</p>`;
}

function Buttons({ view, game, say, tell, atEnd }) {
  const file = useRef(null);
  const [copied, setCopied] = useState(false);
  const show = (ply) => say({ do: "show", ply });
  const load = async (event) => {
    const [chosen] = event.target.files;
    if (!chosen) return;
    const text = await chosen.text();
    event.target.value = "";
    const record = saved(text);
    if (record && JSON.stringify(record).length > LONGEST) tell({ kind: "error", error: `${chosen.name} ${TOO_LONG}` });
    else if (record) say({ do: "load", record });
    else tell({ kind: "error", error: `${chosen.name} ${NO_GAME}` });
  };
  const share = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      setCopied(true);
      setTimeout(() => setCopied(false), 2000);
    } catch {
      tell({ kind: "error", error: `the address of this position is ${location.href}` });
    }
  };
  const engines = !view.over && view.seats.every((words) => words !== "person");
  return html`<div class="buttons" role="group" aria-label="actions">
    <div class="group" role="group" aria-label="navigation">
      <button aria-label="first position" disabled=${!view.shown} onClick=${() => show(0)}>«</button>
      <button aria-label="previous position" disabled=${!view.shown} onClick=${() => show(view.shown - 1)}>‹</button>
      <button aria-label="next position" disabled=${atEnd} onClick=${() => show(view.shown + 1)}>›</button>
      <button aria-label="latest position" disabled=${atEnd} onClick=${() => show(view.moves.length)}>»</button>
    </div>
    ${engines && html`<button class="main" onClick=${() => say({ do: "pause", on: !view.paused })}>
      ${view.paused ? "Resume" : "Pause"}</button>`}
    <button onClick=${() => say({ do: "undo" })} disabled=${!view.movers.some((seat) => seat !== null)}>Undo</button>
    <button onClick=${() => say({ do: "hint" })} disabled=${view.over || !view.legal.length || !game || game.hidden}>Hint</button>
    <button aria-pressed=${view.flipped} onClick=${() => say({ do: "flip", on: !view.flipped })}>Flip</button>
    <span class="rest">
    <button class="quiet" onClick=${() => say({ do: "save" })}>Save</button>
    <button class="quiet" onClick=${() => file.current.click()}>Load</button>
    <button class="quiet" onClick=${share} disabled=${view.viewer !== null}
      title=${view.viewer !== null ? "the address would reveal hidden information" : "copy the address of this position"}>
      ${copied ? "Copied" : "Share"}</button></span>
    <input ref=${file} type="file" accept=".jsonl,.json" hidden onChange=${load} aria-label="saved game" />
  </div>`;
}

// The first saved game of a file of lines.
function saved(text) {
  for (const line of [text, ...text.split("\n")]) {
    try {
      const found = JSON.parse(line);
      if (found?.zermelo === "game") return found;
    } catch {
      // a line of another kind
    }
  }
  return null;
}

function Moves({ view, say, graph }) {
  const current = useRef(null);
  useEffect(() => {
    const box = current.current?.closest("ol");
    if (box) box.scrollTop = current.current.offsetTop - box.offsetTop - box.clientHeight / 2;
  }, [view.shown, view.moves.length]);
  const grades = new Map((graph?.mistakes || []).map((each) => [each.ply, each.grade]));
  let number = 0;
  return html`<section aria-label="moves"><h2>Moves</h2>
    ${!view.moves.length && html`<p class="soft">none yet</p>`}
    <ol class="record">
      ${view.called.map((move, ply) => {
        const begins = view.movers[ply] === 0 && view.movers[ply - 1] !== 0;
        if (begins) number += 1;
        const here = view.shown === ply + 1;
        return html`<li key=${ply}>
          ${begins && html`<span class="number">${number}.</span>`}
          <button ref=${here ? current : null}
            class=${`quiet ${here ? "current" : ""} ${view.movers[ply] === null ? "by-chance" : ""}`}
            aria-current=${here ? "step" : null} onClick=${() => say({ do: "show", ply: ply + 1 })}>
            ${move ?? HIDDEN}${grades.has(ply) && html`<${Grade} grade=${grades.get(ply)} />`}</button></li>`;
      })}
    </ol></section>`;
}

function SetUp({ view, game, say }) {
  const [text, setText] = useState("");
  const [given, setGiven] = useState({});
  useLayoutEffect(() => {
    setGiven({});
    setText("");
  }, [view.game, view.settings.join()]);
  const setUp = (event) => {
    event.preventDefault();
    say({ do: "set_up", text });
  };
  const parameters = game?.parameters || [];
  const expected = game?.reads_positions ? "a position in this notation, or moves" : "moves from the start";
  const begin = (event) => {
    event.preventDefault();
    const settings = parameters
      .map((each) => [each.name, given[each.name] ?? each.value, each.usual])
      .filter(([, value, usual]) => value !== usual)
      .map(([name, value]) => `${name}=${value}`);
    say({ do: "new", game: view.game, settings, seats: view.seats });
  };
  return html`<section aria-label="position and settings" class="setup">
    <details><summary>Position</summary>
      <form onSubmit=${setUp}>
        <input aria-label="position as text" value=${text} onInput=${(event) => setText(event.target.value)}
          placeholder=${expected} />
        <button>Set up</button>
      </form>
      ${view.fen && html`<p class="soft fen">${view.fen}</p>`}
    </details>
    ${parameters.length > 0 && html`<details><summary>Game settings</summary>
      <form class="settings" onSubmit=${begin}>
        ${parameters.map((each) => html`<label key=${each.name}>${each.name}
          <input value=${given[each.name] ?? each.value}
            onInput=${(event) => setGiven({ ...given, [each.name]: event.target.value })} /></label>`)}
        <button>New game with these settings</button>
      </form></details>`}
    <details><summary>About this game</summary>
      ${game?.rules && html`<p class="soft">${game.rules}</p>`}<p class="soft">${game?.traits}.</p></details>
  </section>`;
}
