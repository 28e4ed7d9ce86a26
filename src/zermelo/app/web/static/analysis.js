// Analysis: the value of every move, the value over the game, and mistakes with better moves.
import { html, useState } from "/static/preact.js";
import { tone } from "/static/board.js";
import { percent } from "/static/choices.js";

const LISTED = 5;
const ARROWS = 3;
const HIDDEN = `This game has hidden information. Analysis and hints are not available. You can play against people and
  against the computer, which sees no more than you would in its place.`;
const DRAWN = `Analysis is not available: no algorithm that searches to a depth suits this game. The computer can play it
  and give hints.`;

export function Analysis({ analysis, view, game, canMove, showing, setShowing, say }) {
  const [all, setAll] = useState(false);
  const on = view.analysing;
  if (!game?.analysable) {
    return html`<section aria-label="analysis"><h2>Analysis</h2>
      <p class="soft">${game?.hidden === false ? DRAWN : HIDDEN}</p></section>`;
  }
  const moves = analysis?.moves || [];
  return html`<section aria-label="analysis" class="analysis">
    <h2>Analysis</h2>
    <div class="row">
      <button class=${on ? "on" : "main"} aria-pressed=${on} onClick=${() => say({ do: "analyse", on: !on })}>
        ${on ? "Pause" : moves.length ? "Resume" : "Analyse"}</button>
      <label class="switch"><input type="checkbox" checked=${showing} onChange=${(event) => setShowing(event.target.checked)} />
        values on the board</label>
    </div>
    ${analysis?.nodes > 0 && html`<p class="soft numbers" aria-label="search progress">
      depth ${analysis.depth} · ${analysis.nodes.toLocaleString("en")} ${analysis.simulated ? "simulations" : "nodes"} · ${speed(analysis.speed)}
      ${analysis.done ? html` · <strong class="settled">complete</strong>` : on ? "" : " · paused"}</p>`}
    ${moves.length > 0 && html`<${Bar} best=${moves[0]} view=${view} /><p class="soft legend">${analysis.legend}
      ${analysis.simulated && " The best move has the most visits. The board shows a move’s share of visits above its value."}</p>`}
    ${(analysis?.notes || []).map((note) => html`<p class="note" key=${note}>${note}</p>`)}
    ${on && !analysis && !view.over && html`<p class="soft">thinking …</p>`}
    <ol class="found">
      ${moves.slice(0, all ? moves.length : LISTED).map((move) => html`<li key=${move.move}>
        <button class="quiet name" disabled=${!canMove} onClick=${() => say({ do: "move", name: move.move })}
          title="play this move">${move.move}</button>
        <span class=${`value ${tone(move)}`}>${move.verdict}</span>
        ${move.visits !== null && html`<span class="soft">${percent(move.visits)} of visits</span>`}
        ${move.proven && html`<span class="exact" title="proven, not estimated">proven</span>`}
        ${move.line.length > 1 && html`<${Line} line=${move.line} from=${1} ...${{ view, canMove, say }} />`}
      </li>`)}
    </ol>
    ${moves.length > LISTED && html`<button class="quiet more" onClick=${() => setAll(!all)}>
      ${all ? "fewer moves" : `all ${moves.length} moves`}</button>`}
  </section>`;
}

// The evaluation bar: how much of the game is the first player's.
function Bar({ best, view }) {
  if (best.share === null || view.seats.length !== 2) return null;
  const [first, second] = view.seat_names;
  return html`<div class=${`bar ${first.toLowerCase() === "black" ? "dark-first" : ""}`} role="meter" aria-valuemin="0" aria-valuemax="100" aria-valuenow=${Math.round(100 * best.share)}
    aria-label=${`evaluation: ${best.verdict}`} title=${best.verdict}>
    <span class="first" style=${`width:${100 * best.share}%`}>${first}</span><span class="second">${second}</span></div>`;
}

// A line whose moves are buttons: a click plays the line up to there, as a variation. The computer is paused meanwhile.
function Line({ line, from = 0, view, canMove, say }) {
  const playTo = (last) => {
    if (view.seats.some((seat) => seat !== "person")) say({ do: "pause", on: true });
    for (const name of line.slice(0, last + 1)) say({ do: "move", name });
  };
  return html`<span class="line">${line.slice(from).map((name, i) => html`<button key=${i} class="quiet step"
    disabled=${!canMove} title="play the line up to here" onClick=${() => playTo(from + i)}>${name}</button>`)}</span>`;
}

// The three best moves as arrows, the better the stronger; a move that loses is not green.
export function arrowsOf(analysis, view) {
  const kinds = { good: "good", even: "poor", bad: "bad", "": "good" };
  return analysis.moves.slice(0, ARROWS).filter((move) => move.verdict !== "open").flatMap((move, rank) => {
    const path = view.legal.find((each) => each.name === move.move)?.paths[0];
    if (!path) return [];
    const kind = rank === 0 && move.tone !== "bad" ? "best" : kinds[move.tone];
    if (view.composition) return rank || view.composition.path.length ? [] : stepsOf(path).map((step) => ({ ...step, kind }));
    return [{ from: path.length > 1 ? path[0] : undefined, to: path.at(-1), weight: 1 - 0.3 * rank, kind }];
  });
}

// The steps of a move whose path has the squares from and to of each.
const stepsOf = (path) => path.flatMap((from, i) => (i % 2 ? [] : [{ from, to: path[i + 1], weight: 0.6 }]));

function speed(nodes) {
  if (nodes >= 1e6) return `${(nodes / 1e6).toFixed(1)} M/s`;
  return nodes >= 1e3 ? `${Math.round(nodes / 1e3)} k/s` : `${Math.round(nodes)}/s`;
}

export const Grade = ({ grade }) => html`<span class=${`grade ${grade === "??" ? "bad" : "poor"}`}>${grade}</span>`;

export function Review({ graph, review, view, game, say }) {
  const [quiz, setQuiz] = useState(false);
  const [shown, setShown] = useState(null);
  if (!game?.analysable || !view.moves.length) return null;
  const busy = review && review.done < review.of;
  const points = graph?.points || [];
  return html`<section aria-label="review" class="review">
    <h2>Review</h2>
    ${points.length > 1 && html`<${Graph} graph=${graph} view=${view} say=${say} />`}
    <div class="row">
      ${busy
        ? html`<progress max=${review.of} value=${review.done} aria-label="positions reviewed"></progress>
            <span class="soft">${review.done ? `${review.done} of ${review.of}` : `preparing: ${review.of} positions`}</span>
            <button onClick=${() => say({ do: "review", on: false })}>Stop</button>`
        : html`<button onClick=${() => say({ do: "review", on: true })}>Find mistakes</button>`}
      ${!busy && graph?.mistakes.length > 0 && html`<label class="switch"><input type="checkbox" checked=${quiz}
        onChange=${(event) => setQuiz(event.target.checked)} /> quiz: hide the answers</label>`}
    </div>
    ${!busy && review?.players && html`<${Totals} players=${review.players} />`}
    ${!busy && review?.of > 0 && !graph?.mistakes.length && html`<p class="soft">No mistakes found.</p>`}
    <ul class="mistakes">${(graph?.mistakes || []).map((each) => html`<li key=${each.ply}>
      <button class=${`quiet ${view.shown === each.ply ? "current" : ""}`} onClick=${() => say({ do: "show", ply: each.ply })}>
        <${Grade} grade=${each.grade} />
        ${each.who}: ${quiz ? html`<strong>${each.move}</strong>. Find a better move.` : each.why}</button>
      ${view.shown === each.ply && (quiz
        ? html`<button onClick=${() => setShown(each.ply)}>Show the answer</button>`
        : each.line.length > 0 && html`<p class="better"><${Line} line=${each.line} ...${{ view, say }} canMove=${true} /></p>`)}
      ${quiz && shown === each.ply && html`<p class="better">${each.why}</p>`}
    </li>`)}</ul>
  </section>`;
}

// Each player's totals: accuracy or, in games with dice, the error rate, the points lost and the luck.
function Totals({ players }) {
  const dice = players.some((each) => each.luck !== undefined);
  const measures = dice ? ["error rate", "lost", "luck"] : ["accuracy"];
  const shown = (each) => (dice
    ? [each.error_rate === null ? "" : each.error_rate.toFixed(1), each.lost.toFixed(3), signed(each.luck)]
    : [each.accuracy === null ? "" : `${Math.round(each.accuracy)} %`]);
  return html`<table class="accuracy"><thead><tr><th></th>${measures.map((name) => html`<th key=${name}>${name}</th>`)}
    ${MARKS.map(([mark, name]) => html`<th key=${mark} title=${name}>${dice ? mark : name}</th>`)}</tr></thead>
    <tbody>${players.map((each) => html`<tr key=${each.name}><th>${each.name}</th>
      ${shown(each).map((text, i) => html`<td key=${i}>${text}</td>`)}
      <td>${each.inaccuracy}</td><td>${each.mistake}</td><td>${each.blunder}</td></tr>`)}</tbody></table>
    ${dice && html`<p class="soft">Error rate: points lost per decision, times 1,000. Luck: points won by the dice.</p>`}`;
}

const MARKS = [["?!", "inaccuracies"], ["?", "mistakes"], ["??", "blunders"]];
const signed = (number) => `${number < 0 ? "−" : "+"}${Math.abs(number).toFixed(3)}`;

// The first player's value over the game, from loss (bottom) to win (top). A click shows that position.
function Graph({ graph, view, say }) {
  const wide = 300, high = 90, last = Math.max(graph.plies, 1);
  const x = (ply) => 4 + ((wide - 8) * ply) / last;
  const y = (share) => 4 + (high - 8) * (1 - share);
  const line = graph.points.map((each) => `${x(each.ply).toFixed(1)},${y(each.share).toFixed(1)}`).join(" ");
  const shares = new Map(graph.points.map((each) => [each.ply, each.share]));
  const look = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const ply = Math.round((((event.clientX - box.x) / box.width) * wide - 4) / ((wide - 8) / last));
    say({ do: "show", ply: Math.min(Math.max(ply, 0), last) });
  };
  const first = view.seat_names[0];
  return html`<figure class="graph">
    <svg viewBox=${`0 0 ${wide} ${high}`} role="img" onClick=${look}
      aria-label=${`${graph.measured ? "chance of winning" : "value"} for ${first} over the game`}>
      <line class="zero" x1="0" x2=${wide} y1=${high / 2} y2=${high / 2} />
      <polygon class="area" points=${`${x(graph.points[0].ply)},${high / 2} ${line} ${x(graph.points.at(-1).ply)},${high / 2}`} />
      <polyline points=${line} />
      <line class="now" x1=${x(view.shown)} x2=${x(view.shown)} y1="0" y2=${high} />
      ${graph.mistakes.filter((each) => shares.has(each.ply)).map((each) => html`<circle key=${each.ply}
        class=${each.grade === "??" ? "bad" : "poor"} cx=${x(each.ply)} cy=${y(shares.get(each.ply))} r="4">
        <title>${each.move} ${each.grade}</title></circle>`)}
    </svg>
    <figcaption class="soft">${graph.measured ? `${first}’s chance of winning` : `value for ${first}`}, move by move</figcaption>
  </figure>`;
}
