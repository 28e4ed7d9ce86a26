// Kuhn poker: set how often to bet and call, see what it costs against a best response, and play hands.
import { html, useEffect, useLayoutEffect, useRef, useState } from "/static/preact.js";
import * as address from "/static/address.js";
import { Plot } from "/static/plot.js";

const SEATS = ["First player", "Second player"];
const number = (x, digits = 3) => (Math.abs(x) < 0.5 * 10 ** -digits ? 0 : x).toFixed(digits).replace("-", "−");
const percent = (x) => `${+(100 * x).toFixed(1)} %`;

function read() {
  const found = address.fields();
  const bets = (found.get("bets") || "").split("_").filter(Boolean).map(Number);
  const step = Number(found.get("step"));
  return { bets: bets.length === 12 && bets.every((bet) => bet >= 0 && bet <= 1) ? bets : [], step: Number.isInteger(step) ? step : 0 };
}

export function Kuhn({ connection, open }) {
  const asked = useRef(read());
  const [view, setView] = useState(null);
  const [hand, setHand] = useState(null);
  const [error, setError] = useState(null);
  const [step, setStep] = useState(asked.current.step);
  const [place, setPlace] = useState(null); // the situation that is pointed at
  const waiting = useRef({ busy: false, next: null }); // a slider moves faster than answers come

  const ask = (message) => {
    if (waiting.current.busy) waiting.current.next = message;
    else {
      waiting.current.busy = true;
      connection.send(message);
    }
  };
  useEffect(() => connection.subscribe((message) => {
    if (message.kind === "kuhn" || message.kind === "error") {
      const { next } = waiting.current;
      waiting.current = { busy: false, next: null };
      if (next) ask(next);
    }
    if (message.kind === "kuhn") setView(message);
    if (message.kind === "hand") setHand(message);
    if (message.kind === "error") setError(message.error);
    else if (["kuhn", "hand"].includes(message.kind)) setError(null);
  }), []);
  useEffect(() => {
    waiting.current = { busy: false, next: null };
    if (open) ask({ do: "kuhn", bets: asked.current.bets });
  }, [open]);
  useEffect(() => {
    const again = () => {
      const found = read();
      if (address.page() !== "equilibria" || !found.bets.length) return;
      setStep(found.step);
      ask({ do: "kuhn", bets: found.bets });
    };
    addEventListener("hashchange", again);
    return () => removeEventListener("hashchange", again);
  }, []);
  useEffect(() => { // the first step of the lesson, unless the address has a strategy
    if (view && !asked.current.bets.length) {
      asked.current.bets = view.bets;
      ask({ do: "kuhn", bets: view.steps[Math.min(step, view.steps.length - 1)].bets });
    }
  }, [view]);
  useLayoutEffect(() => {
    if (!view) return;
    const fields = new URLSearchParams({ lesson: "kuhn", step, bets: view.bets.map((bet) => +bet.toFixed(6)).join("_") });
    address.put("equilibria", fields);
    document.title = "Kuhn poker · zermelo";
  }, [view, step]);

  if (!view) return html`<main>${error ? html`<p class="error" role="alert">${error}</p>` : html`<p class="waiting">…</p>`}</main>`;
  const { steps, bets } = view;
  const go = (to) => {
    setStep(to);
    ask({ do: "kuhn", bets: steps[to].bets });
  };
  const change = (at, bet) => ask({ do: "kuhn", bets: bets.map((old, i) => (i === at ? bet : old)) });
  const key = (event) => {
    if (event.target.closest("select, input, textarea") || event.altKey || event.ctrlKey || event.metaKey) return;
    const to = { ArrowLeft: step - 1, ArrowRight: step + 1 }[event.key];
    if (to !== undefined && steps[to]) {
      event.preventDefault();
      go(to);
    }
  };
  const own = steps[step].bets.every((bet, i) => Math.abs(bet - bets[i]) < 1e-6);

  return html`<main class="trees lesson" onKeyDown=${key}>
    <section class="table" aria-label="the lesson">
      <h2 class="tree-title">Kuhn poker: how often to bluff</h2>
      <p class="soft">Three cards, Jack, Queen, King. Both players put in one chip (the ante) and get a card. Check or bet one chip; a bet is called or folded.
        The higher card wins. Set how often each card bets or calls, and see what an opponent who knows this could win.</p>
      ${error && html`<p class="error" role="alert">${error}</p>`}
      <div class="step-buttons">
        <button onClick=${() => go(step - 1)} disabled=${step === 0} aria-label="previous step">◀</button>
        <button class="main" onClick=${() => go(step + 1)} disabled=${step === steps.length - 1} aria-label="next step">Next ▶</button>
        <span class="soft">${step + 1} of ${steps.length}: ${steps[step].title}</span>
        ${!own && html`<button class="quiet" onClick=${() => go(step)}>Back to this step's strategy</button>`}
      </div>
      <p class="says" role="status">${steps[step].text}</p>
      <${Cost} view=${view} />
      <${Sliders} view=${view} place=${place} point=${setPlace} change=${change} family=${(alpha) => ask({ do: "kuhn_family", alpha })} />
    </section>
    <section class="side">
      <${Hand} hand=${hand} connection=${connection} situations=${view.situations} />
    </section>
    <section class="whole plots" aria-label="bluffing in numbers"><h2>Bluffing in numbers</h2><${Curves} view=${view} /></section>
    <section class="whole" aria-label="the tree">
      <h2>The tree, with its information sets</h2>
      <p class="soft">A dashed line joins states that the player to move cannot tell apart: it knows its own card and the moves. The numbers in the circles are the players.
        A line is as wide as play is frequent, and the ends show what the first player wins. Click a circle to find its probability.</p>
      <${Tree} view=${view} place=${place} point=${setPlace} />
    </section>
  </main>`;
}

// What the strategy of each seat costs.
function Cost({ view }) {
  const { verdict, game_value, situations } = view;
  return html`<div class="scroll"><table class="results costs">
    <caption class="sr">what this strategy costs</caption>
    <thead><tr><th>per hand, in antes</th><th>cost</th><th>against a best response</th><th>against the equilibrium</th><th>value of the game</th></tr></thead>
    <tbody>${verdict.seats.map((seat, player) => html`<tr>
      <th>${SEATS[player]}</th><td class=${seat.loss > 5e-4 ? "value bad" : "value good"}><strong>${number(seat.loss)}</strong></td>
      <td>${number(seat.worst)}</td><td>${number(seat.equilibrium)}</td><td>${number(player ? -game_value : game_value)}</td></tr>`)}</tbody></table></div>
    <p class="numbers">Exploitability ${number(verdict.exploitability, 4)} antes = <strong>${number(1000 * verdict.exploitability, 1)} milli-antes</strong> per hand (the mean of both costs); NashConv ${number(verdict.nash_conv, 4)}.</p>
    ${verdict.seats.map((seat, player) => {
      const moves = seat.reply.filter((each) => each.departs && each.arrival > 1e-9);
      return html`<p class="soft">${moves.length
        ? html`What punishes the ${SEATS[player].toLowerCase()}: ${moves.map((each, i) => html`${i ? ", " : ""}<strong>${each.best}</strong> with the ${situations[each.place].card} ${situations[each.place].when} (+${number(each.gain)})`)}.`
        : html`Nothing punishes the ${SEATS[player].toLowerCase()}.`}</p>`;
    })}`;
}

// Twelve probabilities, and α for the whole family of equilibria.
function Sliders({ view, place, point, change, family }) {
  const { situations, alpha, most } = view;
  return html`<fieldset class="alpha"><legend>Kuhn's equilibria</legend>
      <label class="slider"><span>α ${alpha === null ? "–" : percent(alpha)}</span>
        <input type="range" min="0" max=${most} step=${most / 60} value=${alpha ?? most} aria-label="alpha: how often the first player bluffs with the Jack"
          aria-valuetext=${alpha === null ? "not an equilibrium" : percent(alpha)} onInput=${(event) => family(Math.min(+event.target.value, most))} /></label>
      <p class="soft">${alpha === null ? "The first player's strategy is not an equilibrium." : "The first player's strategy is an equilibrium."} It bets the Jack with α, the King with 3α, calls with the Queen with α + 1/3; α is at most 1/3.</p></fieldset>
    <div class="sliders">${[0, 1].map((player) => html`<fieldset><legend>${SEATS[player]}</legend>
      ${situations.map((each, i) => (each.player === player ? html`${i % 3 === 0 && html`<h3>${each.when}</h3>`}
        <label class=${place === i ? "slider current" : "slider"} onFocusIn=${() => point(i)}>
          <span>${each.card} <b>${each.moves[1]}s</b> ${percent(each.bet)}</span>
          <input type="range" min="0" max="100" step="1" value=${100 * each.bet} aria-label=${`${SEATS[player]}, ${each.card}, ${each.when}: ${each.moves[1]}`}
            aria-valuetext=${percent(each.bet)} onInput=${(event) => change(i, event.target.value / 100)} />
          <span class="value" title=${`values if the opponent plays as set here: ${each.moves[0]}, ${each.moves[1]}`}>${each.values ? html`${each.moves[0]} ${number(each.values[0], 2)}, ${each.moves[1]} ${number(each.values[1], 2)}` : "never reached"}</span>
        </label>` : null))}</fieldset>`)}</div>
    <p class="soft">Beside each slider: what both moves are worth if the opponent plays as set here. In an equilibrium, a move that is played is never worse than the other one.</p>`;
}

const ABOUT = [
  "The Queen answers a bet. If the first player bluffs more often with the Jack, a call is worth more.",
  "The Jack opens. If the second player's Queen calls more often, a bluff is worth less.",
  "The Queen has checked and faces a bet. If the second player bluffs more often with the Jack, a call is worth more.",
];

function Curves({ view }) {
  const { situations } = view;
  return html`${view.curves.map((curve, i) => {
    const seen = situations[curve.seen], changed = situations[curve.changed];
    const points = curve.points.filter(([, pass, bet]) => pass !== 0 || bet !== 0);
    return html`<div><p class="soft">${ABOUT[i]} Where the lines cross, both are worth the same.</p>
      <${Plot} title=${`Worth to the ${seen.card}, ${SEATS[seen.player].toLowerCase()}`} across=${`how often the ${changed.card} ${changed.moves[1]}s, ${SEATS[changed.player].toLowerCase()}`}
        rangeX=${[0, 1]} mark=${curve.at}
        series=${seen.moves.map((move, k) => ({ name: move, lane: k, points: points.map((point) => [point[0], point[1 + k]]) }))} /></div>`;
  })}`;
}

function Tree({ view, place, point }) {
  const frame = useRef(null);
  useLayoutEffect(() => {
    for (const each of frame.current.querySelectorAll("[data-set], [data-join]")) {
      each.classList.toggle("chosen", view.places[each.dataset.set ?? each.dataset.join] === place);
    }
  }, [view.svg, place]);
  const click = (event) => {
    const node = event.target.closest("[data-set]");
    if (node) point(view.places[node.dataset.set]);
  };
  return html`<div class="tree-frame" ref=${frame} tabindex="0" role="group" aria-label="tree" onClick=${click} dangerouslySetInnerHTML=${{ __html: view.svg }}></div>
    ${place !== null && html`<p class="soft" role="status">${SEATS[view.situations[place].player]}, ${view.situations[place].card}, ${view.situations[place].when}: ${view.situations[place].moves[1]}s ${percent(view.situations[place].bet)}, reached in ${percent(view.situations[place].reach)} of the hands.</p>`}`;
}

// Hands against the equilibrium, each decision judged.
function Hand({ hand, connection, situations }) {
  const [seat, setSeat] = useState(0);
  const deal = () => {
    connection.send({ do: "kuhn_deal", seat });
    setSeat(1 - seat);
  };
  const play = (bet) => connection.send({ do: "kuhn_move", bet });
  const ready = hand && hand.moves.length > 0;
  return html`<section class="hand" aria-label="play a hand">
    <h2>Play against the equilibrium</h2>
    ${!hand && html`<p class="soft">The computer plays an equilibrium. Each of your decisions is judged by what it costs on average, whatever the cards were.</p>`}
    ${hand?.svg && html`<p class="soft">You are the ${SEATS[hand.seat].toLowerCase()}.</p><div class="position" dangerouslySetInnerHTML=${{ __html: hand.svg }}></div>`}
    <div class="step-buttons">
      ${ready ? hand.moves.map((name, i) => html`<button class="main" onClick=${() => play(i === 1)}>${name}</button>`)
        : html`<button class="main" onClick=${deal}>${hand ? "Next hand" : "Deal"}</button>`}
    </div>
    <div role="status">
      ${hand?.result != null && html`<p><strong>You ${hand.result > 0 ? `win ${hand.result}` : `lose ${-hand.result}`}.</strong>${hand.folded ? " The cards are not shown." : ""}</p>`}
      ${hand?.judged.map((each) => html`<p class=${each.cost ? "value bad" : "value good"}>${verdict(each, situations[each.place])}</p>`)}
    </div>
    ${hand && hand.hands > 0 && html`<dl class="facts">
      <dt>hands</dt><dd>${hand.hands}</dd>
      <dt>chips won</dt><dd>${number(hand.chips, 0)}</dd>
      <dt>expected, without luck</dt><dd>${number(hand.expected)}</dd>
      <dt>cost of your mistakes</dt><dd>${number(hand.cost)} antes</dd></dl>
      <p class="soft">If you went on with your frequencies so far, a best response would cost you ${number(hand.losses[0])} antes per hand as the first player and ${number(hand.losses[1])} as the second
        (equilibrium play assumed where you have not had to decide). A few hands say little.
        ${" "}<button class="quiet" onClick=${() => connection.send({ do: "kuhn_forget" })}>Start again</button></p>`}
  </section>`;
}

function verdict(each, situation) {
  const worth = each.moves.map((name, i) => `${name} ${number(each.values[i])}`).join(", ");
  const told = `${each.move[0].toUpperCase()}${each.move.slice(1)} with the ${situation.card}`;
  if (each.cost) return `${told}: this costs ${number(each.cost)} on average (${worth}).`;
  const same = Math.abs(each.values[0] - each.values[1]) < 1e-9;
  return same ? `${told}: both moves are worth the same here (${worth}). Only how often you choose each matters.` : `${told}: right (${worth}).`;
}
