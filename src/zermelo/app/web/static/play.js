// Play and analyse: the game on the table.
import { html, useEffect, useReducer, useRef, useState } from "/static/preact.js";
import { Board } from "/static/board.js";
import * as address from "/static/address.js";

const START = { view: null, game: null, analysis: null, hint: null, played: null, thinking: null, error: null };

function told(state, message) {
  switch (message.kind) {
    case "closed":
      return { ...state, thinking: null };
    case "game":
      return { ...state, game: message, analysis: null };
    case "view":
      return { ...state, view: message, hint: null, thinking: null, error: null, analysis: null };
    case "analysis":
      return message.ply === state.view?.shown ? { ...state, analysis: message } : state;
    case "hint":
      return { ...state, hint: message };
    case "played":
      return { ...state, played: message };
    case "thinking":
      return { ...state, thinking: message.who };
    case "saved":
      download(message.record);
      return state;
    case "error":
    case "dead":
      return { ...state, error: message.error, thinking: null };
    default:
      return state;
  }
}

function download(record) {
  const link = document.createElement("a");
  link.href = `data:application/json,${encodeURIComponent(JSON.stringify(record) + "\n")}`;
  link.download = `${record.game.replace(/\W+/g, "_")}.jsonl`;
  link.click();
}

export function Play({ connection, open, games }) {
  const [state, tell] = useReducer(told, START);
  const [analysing, setAnalysing] = useState(false);
  const [flipped, setFlipped] = useState(false);
  const say = (message) => connection.send(message);

  useEffect(() => {
    const begin = () => {
      const { game, settings, moves, start } = address.read();
      say({ do: "new", game, settings, moves: start ? [] : moves });
      if (start) say({ do: "set_up", text: start });
    };
    if (open) begin();
    addEventListener("hashchange", begin);
    return () => removeEventListener("hashchange", begin);
  }, [open]);
  useEffect(() => connection.subscribe(tell), []);

  useEffect(() => {
    if (state.view) {
      address.write(state.view);
      document.title = `${state.view.title} · zermelo`;
    }
  }, [state.view]);

  const { view, game, analysis } = state;
  if (!view) return html`<p class="waiting">${state.error || "zermelo is starting …"}</p>`;
  const atEnd = view.shown === view.moves.length;
  const canMove = open && !view.over && (!atEnd || view.seats[view.seat] === "person");
  const values = new Map((analysis?.lines || []).map((line) => [line.move, line]));
  const begin = (name) => say({ do: "new", game: name, seats: [] });

  return html`
    <main>
      <section class="table" aria-label="the game">
        <${Board} view=${view} canMove=${canMove} values=${values} hint=${state.hint?.move}
          play=${(name) => say({ do: "move", name })} />
        <p class="status" role="status" aria-live="polite">${status(state, atEnd)}</p>
        ${state.error && html`<p class="error" role="alert">${state.error}</p>`}
        <${Buttons} view=${view} say=${say} flipped=${flipped} setFlipped=${setFlipped} />
      </section>
      <section class="side">
        <label>game
          <select onChange=${(event) => begin(event.target.value)}>
            ${games.map((each) => html`<option value=${each.name} selected=${each.name === view.game}>${each.title}</option>`)}
          </select>
        </label>
        <${Seats} view=${view} game=${game} say=${say} />
        <${Analysis} analysis=${analysis} on=${analysing} possible=${game?.analysable}
          turn=${(on) => (setAnalysing(on), say({ do: "analyse", on, lines: 4 }))} />
        <${Moves} view=${view} say=${say} />
        <${SetUp} say=${say} view=${view} />
      </section>
    </main>`;
}

function status({ view, thinking, hint, played }, atEnd) {
  if (view.over) return view.result;
  const told = [];
  if (thinking) told.push(`${view.mover} (${thinking}) is thinking …`);
  else told.push(`${view.mover} to move${atEnd ? "" : ", in an earlier position"}`);
  if (hint && hint.ply === view.shown) told.push(`hint: ${hint.move}${hint.verdict ? ` (${hint.verdict})` : ""}`);
  else if (played?.verdict && atEnd && !thinking) told.push(`${played.who}: ${played.verdict}${played.exact ? ", proven" : ""}`);
  return told.join("; ");
}

function Buttons({ view, say, flipped, setFlipped }) {
  const file = useRef(null);
  const load = async (event) => {
    const [chosen] = event.target.files;
    if (!chosen) return;
    const line = (await chosen.text()).split("\n").find((text) => text.includes('"game"')) || "{}";
    try {
      say({ do: "load", record: JSON.parse(line) });
    } catch {
      say({ do: "load", record: {} });
    }
    event.target.value = "";
  };
  return html`<div class="buttons">
    <button onClick=${() => say({ do: "undo" })} disabled=${!view.moves.length}>undo</button>
    <button onClick=${() => say({ do: "hint" })} disabled=${view.over}>hint</button>
    <button aria-pressed=${flipped} onClick=${() => (setFlipped(!flipped), say({ do: "flip", on: !flipped }))}>flip</button>
    <button onClick=${() => say({ do: "new", game: view.game, settings: view.settings, seats: view.seats })}>new game</button>
    <button onClick=${() => say({ do: "save" })}>save</button>
    <button onClick=${() => file.current.click()}>load</button>
    <input ref=${file} type="file" accept=".jsonl,.json" hidden onChange=${load} aria-label="a saved game" />
  </div>`;
}

function Seats({ view, game, say }) {
  const change = (seat, words) => say({ do: "seats", seats: view.seats.map((each, i) => (i === seat ? words : each)) });
  const options = (game?.levels || []).map((level) => ({
    words: `level:${level.name}`,
    title: level.elo === null ? level.name : `${level.name} (${level.elo} Elo)`,
  }));
  if (game) options.push({ words: game.strongest, title: "engine, a second a move" });
  return html`<section aria-label="players"><h2>Players</h2>
    ${view.seats.map((words, seat) => html`<label class="seat">${view.seat_names[seat]}
      <select onChange=${(event) => change(seat, event.target.value)}>
        <option value="person" selected=${words === "person"}>a person</option>
        ${options.map((each) => html`<option value=${each.words} selected=${words === each.words}>${each.title}</option>`)}
        ${words !== "person" && !options.some((each) => each.words === words) && html`<option value=${words} selected>${words}</option>`}
      </select></label>`)}
  </section>`;
}

function Analysis({ analysis, on, possible, turn }) {
  return html`<section aria-label="analysis"><h2>Analysis</h2>
    <label class="switch"><input type="checkbox" checked=${on} disabled=${!possible}
      onChange=${(event) => turn(event.target.checked)} /> analyse while you look</label>
    ${!possible && html`<p class="soft">the engine does not play this kind of game</p>`}
    ${on && analysis && html`
      <p class="soft">depth ${analysis.depth}, ${analysis.nodes.toLocaleString("en")} nodes, ${speed(analysis.speed)}</p>
      <ol class="lines">${analysis.lines.map((line) => html`<li>
        <strong>${line.verdict}</strong>${line.proven && html` <span class="proven">proven</span>`}
        <span class="line">${line.line.slice(0, 12).join(" ")}${line.line.length > 12 ? " …" : ""}</span></li>`)}</ol>`}
  </section>`;
}

const speed = (nodes) => (nodes >= 1e6 ? `${(nodes / 1e6).toFixed(1)} M/s` : `${Math.round(nodes / 1e3)} k/s`);

function Moves({ view, say }) {
  return html`<section aria-label="moves"><h2>Moves</h2>
    <ol class="record">
      <li><button class=${view.shown === 0 ? "current" : ""} onClick=${() => say({ do: "show", ply: 0 })}>start</button></li>
      ${view.moves.map((move, i) => html`<li><button class=${view.shown === i + 1 ? "current" : ""}
        aria-current=${view.shown === i + 1} onClick=${() => say({ do: "show", ply: i + 1 })}>${move ?? "chance"}</button></li>`)}
    </ol></section>`;
}

function SetUp({ view, say }) {
  const [text, setText] = useState("");
  const submit = (event) => {
    event.preventDefault();
    say({ do: "set_up", text });
  };
  return html`<section aria-label="position"><h2>Position</h2>
    <form onSubmit=${submit}>
      <input aria-label="a position by its text" value=${text} onInput=${(event) => setText(event.target.value)}
        placeholder=${view.fen ? "FEN, or moves" : "moves, such as 4 4 3"} />
      <button>set up</button>
    </form>
    ${view.fen && html`<p class="soft fen">${view.fen}</p>`}
  </section>`;
}
