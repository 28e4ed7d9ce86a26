// Play and analyse: the game on the table.
import { html, useEffect, useLayoutEffect, useReducer, useRef, useState } from "/static/preact.js";
import { Actions } from "/static/actions.js";
import { Analysis, Review, arrowsOf } from "/static/analysis.js";
import { AllMoves, Board } from "/static/board.js";
import { GameChoice, Waiting } from "/static/common.js";
import { Compiling } from "/static/compiling.js";
import { Composing, Outcomes, stepwise } from "/static/composing.js";
import { Editor } from "/static/editor.js";
import { Contents, save, saveText } from "/static/files.js";
import { Moves } from "/static/moves.js";
import { Seat } from "/static/seats.js";
import { SetUp } from "/static/setup.js";
import { status } from "/static/status.js";
import * as address from "/static/address.js";
import * as recent from "/static/recent.js";

const ANOTHER = ["new", "load", "set_up", "import", "rematch", "next_game"]; // messages that put another game on the table
let onTable = null; // the game that was shown last, and by which process
const START = {
  view: null, game: null, analysis: null, graph: null, review: null, readiness: null,
  hint: null, played: null, thinking: null, error: null, notice: null, contents: null, edited: null,
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
      const view = { ...message, clock: message.clock && { ...message.clock, received: performance.now() } };
      const at = (each) => each?.line[each.shown];
      const same = state.view?.id === view.id && at(state.view) === at(view);
      const contents = state.view && state.view.id !== view.id && !state.opening ? null : state.contents;
      const fresh = { error: null, thinking: null, contents, opening: false };
      return { ...state, view, ...fresh, ...(same ? {} : { hint: null, analysis: null, notice: null }) };
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
      save(message.record);
      return state;
    case "edited":
      return { ...state, edited: message };
    case "exported":
      saveText(state.view.game, message);
      return state;
    case "contents":
      return { ...state, contents: message, opening: true };
    case "declined":
      return { ...state, notice: "The draw was declined" };
    case "error":
      return { ...state, error: message.error, thinking: null };
    default:
      return state;
  }
}

export function Play({ connection, open, games }) {
  const [state, tell] = useReducer(told, START);
  const [showing, setShowing] = useState(true);
  const [editing, setEditing] = useState(false);
  const imported = useRef("");
  const say = (message) => {
    if (message.do === "import") imported.current = message.text;
    address.expect(ANOTHER.includes(message.do));
    connection.send(message);
  };

  useEffect(() => connection.subscribe(tell), []);
  useEffect(() => {
    const begin = () => {
      if (address.page() !== "play") return;
      address.expect(false); // this address is replaced by that of the game
      connection.turnTo(opening(connection.session, games));
    };
    if (open) begin();
    addEventListener("hashchange", begin);
    return () => removeEventListener("hashchange", begin);
  }, [open]);

  const { view, game, analysis } = state;
  useLayoutEffect(() => {
    if (!view) return;
    onTable = { id: view.id, session: connection.session };
    if (!view.outdated) {
      address.write(view, "play");
      recent.save(view, location.hash);
    }
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
  const edit = () => {
    say({ do: "edit_position", text: view.fen });
    setEditing(true);
  };
  const play = (name) => say({ do: "move", name });
  const isStepwise = canMove && view.composition !== null;
  const anew = () => say({ do: "new", game: view.game, settings: view.settings, seats: view.seats, ...timed(view) });
  const seats = view.seats.map((_, seat) => seat);
  const below = view.flipped ? seats.slice(1) : seats.slice(0, 1);
  const strip = (seat) => html`<${Seat} key=${seat} ...${{ seat, view, game, say, thinking: state.thinking }} />`;

  return html`
    <main class="play">
      <div class="choose">
        <h2 class="sr">Game</h2>
        <${GameChoice} class="title" aria-label="game" games=${games} chosen=${view.game} choose=${(name) => say({ do: "new", game: name })} />
        ${view.settings.length > 0 && html`<span class="soft">${view.settings.join(", ")}</span>`}
        <button class="main" onClick=${anew}>New game</button>
      </div>
      <section class="table" aria-label="game board">
        ${seats.filter((seat) => !below.includes(seat)).reverse().map(strip)}
        <${Board} ...${{ view, values, play, ...(isStepwise ? stepwise(view, state.hint?.move, say) : {}) }} canMove=${canMove}
          hint=${state.hint?.move} arrows=${showing && analysis ? arrowsOf(analysis, view) : undefined} />
        ${isStepwise && html`<${Composing} view=${view} say=${say} play=${play} />`}
        ${view.outcomes.length > 0 && html`<${Outcomes} outcomes=${view.outcomes} say=${say} />`}
        ${below.map(strip)}
      </section>
      <div class="side">
        <div class="controls">
          <p class="status" role="status" aria-live="polite">${status(state, atEnd)}</p>
          ${state.error && html`<${Complaint} error=${state.error} />`}
          <${Contents} contents=${state.contents} text=${imported.current} say=${say} />
          ${game && !game.hidden && html`<${Compiling} readiness=${state.readiness} title=${view.title} />`}
          <${Actions} view=${view} game=${game} say=${say} tell=${tell} atEnd=${atEnd} />
          <${AllMoves} ...${{ view, canMove, values, play, hint: state.hint?.move }} />
        </div>
        <${Analysis} ...${{ analysis, view, game, canMove, showing, setShowing, say }} />
        <${Moves} view=${view} say=${say} graph=${state.graph} />
        <${Review} graph=${state.graph} review=${state.review} view=${view} game=${game} say=${say} />
        <${SetUp} view=${view} game=${game} say=${say} edit=${edit} />
        ${game && !game.hidden && !view.over && html`<${Elsewhere} view=${view} />`}
      </div>
      ${editing && html`<${Editor} edited=${state.edited} view=${view} say=${say} close=${() => setEditing(false)} />`}
    </main>`;
}

// The message that opens the game of an address: as it was kept in this browser, with what the address does not hold.
// An address without a game continues the last one.
function opening(session, games) {
  if (address.fields().has("new")) return { ...address.read(), do: "new" }; // from the start page
  const isHere = onTable?.session === session;
  const kept = address.fields().has("game") ? recent.find(location.hash) : isHere ? null : recent.of(games)[0];
  return kept && !(isHere && onTable.id === kept.id) ? { do: "load", record: kept.record, at: kept.at } : address.read();
}

export const timed = (view) => (view.clock ? { clock: [view.clock.seconds, view.clock.increment] } : {});

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
