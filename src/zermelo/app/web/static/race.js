// Race: one position, several algorithms, each with the same time; nodes and depth over time.
import { html, useEffect, useLayoutEffect, useReducer, useState } from "/static/preact.js";
import { GameChoice, Waiting } from "/static/common.js";
import * as address from "/static/address.js";

const START = { view: null, chosen: null, lanes: [], now: null, running: false, told: "", error: null };

function told(state, message) {
  const change = (key, what) => state.lanes.map((lane) => (lane.key === key ? { ...lane, ...what(lane) } : lane));
  switch (message.kind) {
    case "race_view": {
      const there = message.runners.map((runner) => runner.key);
      const kept = (state.chosen || []).filter((key) => there.includes(key));
      const usual = message.runners.filter((runner) => runner.usual).map((runner) => runner.key);
      return { ...START, view: message, chosen: kept.length ? kept : usual };
    }
    case "race_begun":
      return {
        ...state,
        error: null,
        running: true,
        seconds: message.seconds,
        told: "Preparing …",
        lanes: message.runners.map((key) => ({ key, title: title(state.view, key), points: [], result: null })),
      };
    case "race_runner":
      return { ...state, now: message.runner, told: `${title(state.view, message.runner)} is compiling …` };
    case "race_started":
      return { ...state, told: `${title(state.view, message.runner)} is running …` };
    case "race_point":
      return { ...state, lanes: change(message.runner, (lane) => ({ points: [...lane.points, message.point] })) };
    case "race_result":
      return { ...state, lanes: change(message.runner, () => ({ result: message })) };
    case "race_failed":
      return { ...state, lanes: change(message.runner, () => ({ failed: message.error })) };
    case "race_over":
      return { ...state, running: false, now: null, told: message.stopped ? "Stopped." : "Race finished." };
    case "choose":
      return { ...state, chosen: message.chosen };
    case "closed":
      return { ...state, running: false, now: null, told: "" };
    case "error":
      return { ...state, error: message.error };
    default:
      return state;
  }
}

const title = (view, key) => view.runners.find((runner) => runner.key === key)?.title || key;

export function Race({ connection, open, games }) {
  const [state, tell] = useReducer(told, START);
  const [seconds, setSeconds] = useState("2");
  const say = (message) => connection.send(message);
  const look = ({ game, settings, moves, start }) =>
    say({ do: "race_look", game, settings, moves, ...(start ? { start } : {}) });

  useEffect(() => connection.subscribe(tell), []);
  useEffect(() => {
    const begin = () => address.page() === "race" && look(address.position());
    if (open) begin();
    addEventListener("hashchange", begin);
    return () => removeEventListener("hashchange", begin);
  }, [open]);
  useLayoutEffect(() => {
    if (state.view) {
      address.write(state.view, "race");
      document.title = `Race · ${state.view.title} · zermelo`;
    }
  }, [state.view]);

  const { view, chosen, lanes, running } = state;
  if (!view) return html`<${Waiting} error=${state.error} page="race" />`;
  const turn = (key, on) =>
    tell({ kind: "choose", chosen: view.runners.map((r) => r.key).filter((k) => (k === key ? on : chosen.includes(k))) });
  const done = lanes.filter((lane) => lane.result || lane.failed).length;
  const start = (event) => {
    event.preventDefault();
    say({ do: "race", runners: chosen, seconds: Math.min(Math.max(Number(seconds) || 2, 0.1), 60) });
  };
  return html`<main class="contest">
    <div class="side">
      <div class="choose"><${GameChoice} class="title" aria-label="game" games=${games} chosen=${view.game}
        choose=${(game) => look({ game, settings: [], moves: [] })} /></div>
      <section aria-label="position">
        <div class="board" dangerouslySetInnerHTML=${{ __html: view.svg }}></div>
        <p class="soft">${view.over ? view.result : `${view.mover} to move`}${view.moves.length > 0 &&
          html`, after ${view.moves.slice(-12).map((move) => move ?? "chance").join(" ")}`}.${" "}
          <a href=${`#/play?${address.played({ ...view, moves: view.viewer ? [] : view.moves })}`}>Play from here</a></p>
      </section>
      <section>
        <form class="terms" onSubmit=${start} aria-label="race">
          <fieldset disabled=${running}><legend>Algorithms</legend>
            ${view.runners.map((runner) => html`<label class="switch"><input type="checkbox" value=${runner.key}
              checked=${chosen.includes(runner.key)} onChange=${(event) => turn(runner.key, event.target.checked)} />
              ${runner.title}</label>`)}
            ${!view.runners.length && html`<p class="soft">No algorithm can play this kind of game.</p>`}
          </fieldset>
          <label class="field">seconds per algorithm
            <input type="number" min="0.1" max="60" step="any" value=${seconds} disabled=${running}
              onInput=${(event) => setSeconds(event.target.value)} /></label>
          <div class="buttons">
            <button class="main" disabled=${running || !chosen.length || view.over}>Start</button>
            <button type="button" disabled=${!running} onClick=${() => say({ do: "race_stop" })}>Stop</button>
          </div>
        </form>
      </section>
    </div>
    <section class="wide" aria-label="results">
      <p class=${state.told ? "status" : "soft"} role="status" aria-live="polite">${state.told || "Algorithms run one after the other. Each searches deeper until its time is up or the position is solved."}</p>
      ${running && html`<progress max=${lanes.length} value=${done} aria-label="progress"></progress>`}
      ${state.error && html`<p class="error" role="alert">${state.error}</p>`}
      ${lanes.length > 0 && html`
        <${Chart} lanes=${lanes} seconds=${state.seconds} what="nodes" />
        <${Chart} lanes=${lanes} seconds=${state.seconds} what="depth" />
        <${Results} lanes=${lanes} now=${state.now} />`}
    </section>
  </main>`;
}

export function amount(number) {
  for (const [size, unit] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]])
    if (number >= size) return `${(number / size).toPrecision(3)} ${unit}`;
  return String(Math.round(number));
}

const period = (seconds) => (seconds >= 1 ? `${seconds.toPrecision(3)} s` : `${Number((1000 * seconds).toPrecision(2))} ms`);
const power = (exponent) => `${10 ** (exponent % 3)}${["", " k", " M", " G", " T"][Math.floor(exponent / 3)]}`;

function Results({ lanes, now }) {
  return html`<div class="scroll"><table class="results">
    <thead><tr><th>algorithm</th><th>depth</th><th>nodes</th><th>nodes/s</th><th>time</th><th>move</th><th>value</th><th class="line">line</th></tr></thead>
    <tbody>${lanes.map(({ key, title, points, result, failed }, i) => {
      const last = points.at(-1);
      const depth = result ? result.depth : points.findLast((point) => point[2] !== null)?.[2];
      return html`<tr class=${key === now ? "now" : ""}>
        <th scope="row"><span class=${`swatch lane-${i % 9}`}></span>${title}</th>
        <td>${depth ?? ""}</td>
        <td>${result || last ? amount(result ? result.nodes : last[1]) : ""}</td>
        <td>${result ? amount(result.nodes / Math.max(result.seconds, 1e-6)) : ""}</td>
        <td>${result || last ? period(result ? result.seconds : last[0]) : ""}</td>
        <td>${result?.move ?? ""}</td>
        <td>${failed ? html`<span class="error">${failed}</span>` : result?.verdict ?? (key === now ? "…" : "")}${
          result?.exact && html` <span class="proven">proven</span>`}</td>
        <td class="line">${result ? result.line.slice(0, 6).join(" ") : ""}${result?.line.length > 6 ? " …" : ""}</td>
      </tr>`;
    })}</tbody></table></div>`;
}

const WIDTH = 640, HEIGHT = 230, LEFT = 52, RIGHT = 14, TOP = 26, BOTTOM = 30, SOONEST = 1e-3;

// A logarithmic time axis, because most depths finish within milliseconds.
function Chart({ lanes, seconds, what }) {
  const all = lanes.map((lane) => {
    const end = lane.result ? [[lane.result.seconds, lane.result.nodes, lane.result.depth]] : [];
    return [...lane.points, ...end].filter((point) => what === "nodes" || point[2] !== null);
  });
  const flat = all.flat();
  const latest = Math.max(seconds, ...flat.map((point) => point[0]));
  const most = Math.max(what === "nodes" ? 10 : 4, ...flat.map((point) => point[what === "nodes" ? 1 : 2]));
  const x = (time) => LEFT + ((WIDTH - LEFT - RIGHT) * Math.log(Math.max(time, SOONEST) / SOONEST)) / Math.log(latest / SOONEST);
  const rise = (share) => HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share;
  const decades = Math.ceil(Math.log10(most));
  const y = (point) => rise(what === "nodes" ? Math.log10(Math.max(point[1], 1)) / decades : point[2] / most);
  const path = (points) =>
    points.map((point, i) => {
      const step = what === "depth" && i > 0 ? `H${x(point[0]).toFixed(1)}V` : null;
      return step ? `${step}${y(point).toFixed(1)}` : `${i ? "L" : "M"}${x(point[0]).toFixed(1)} ${y(point).toFixed(1)}`;
    }).join("");
  const times = [0.001, 0.01, 0.1, 1, 10].filter((time) => time <= latest);
  const step = Math.max(1, Math.ceil(most / 6));
  const levels = what === "nodes"
    ? [...Array(decades + 1).keys()].filter((i) => decades <= 6 || i % 2 === 0).map((i) => [i / decades, power(i)])
    : [...Array(Math.floor(most / step) + 1).keys()].map((i) => [(i * step) / most, String(i * step)]);
  const said = lanes.map((lane, i) => `${lane.title}: ${what} ${all[i].at(-1)?.[what === "nodes" ? 1 : 2] ?? "none yet"}`);
  return html`<svg class="chart" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${`${what} over time; ${said.join("; ")}`}>
    <text class="heading" x="0" y="14">${what === "nodes" ? "nodes" : "depth in plies"} over time</text>
    ${levels.map(([share, name]) => html`<line x1=${LEFT} x2=${WIDTH - RIGHT} y1=${rise(share)} y2=${rise(share)} />
      <text x=${LEFT - 6} y=${rise(share) + 4} text-anchor="end">${name}</text>`)}
    ${times.map((time) => html`<line x1=${x(time)} x2=${x(time)} y1=${TOP} y2=${HEIGHT - BOTTOM} />
      <text x=${x(time)} y=${HEIGHT - 10} text-anchor="middle">${time >= 1 ? `${time} s` : `${1000 * time} ms`}</text>`)}
    ${all.map((points, i) => html`<g class=${`lane-${i % 9}`}><path d=${path(points)} />
      ${points.map((point) => html`<circle cx=${x(point[0])} cy=${y(point)} r="2.6"><title>${lanes[i].title}: ${amount(point[1])} nodes${point[2] === null ? "" : `, depth ${point[2]}`}, ${period(point[0])}</title></circle>`)}</g>`)}
  </svg>`;
}
