// Mixed strategies of three choices as points of a triangle: each corner is a pure strategy.
import { html } from "/static/preact.js";

const CORNERS = [[50, 215], [370, 215], [210, 34]];

const place = (mix) => [0, 1].map((k) => mix.reduce((sum, chance, i) => sum + chance * CORNERS[i][k], 0));
const path = (mixes) => mixes.map((mix, i) => `${i ? "L" : "M"}${place(mix).map((x) => x.toFixed(1)).join(" ")}`).join("");

export function Triangle({ title, names, played, average, exact }) {
  const last = (mixes) => (mixes.length ? place(mixes.at(-1)) : null);
  const at = [last(played), last(average)];
  const goal = exact && place(exact);
  return html`<figure class="plot"><svg class="chart" viewBox="0 0 420 250" role="img" aria-label=${`${title}, as points of a triangle`}>
    <text class="heading" x="8" y="15">${title}</text>
    ${CORNERS.map(([x, y], i) => {
      const [a, b] = CORNERS[(i + 1) % 3];
      return html`<line x1=${x} y1=${y} x2=${a} y2=${b} />`;
    })}
    ${CORNERS.map(([x, y], i) => html`<text x=${i === 2 ? x + 12 : x} y=${i === 2 ? y : y + 18} text-anchor=${i === 2 ? "start" : "middle"}>${names[i]}</text>`)}
    <g class="lane-1 faint"><path d=${path(played)} /></g>
    <g class="lane-0"><path d=${path(average)} /></g>
    ${at[0] && html`<g class="lane-1"><circle cx=${at[0][0]} cy=${at[0][1]} r="4" /></g>`}
    ${at[1] && html`<g class="lane-0"><circle cx=${at[1][0]} cy=${at[1][1]} r="5" /></g>`}
    ${goal && html`<g class="goal"><line x1=${goal[0] - 7} x2=${goal[0] + 7} y1=${goal[1]} y2=${goal[1]} /><line x1=${goal[0]} x2=${goal[0]} y1=${goal[1] - 7} y2=${goal[1] + 7} /></g>`}
  </svg><figcaption class="soft legend"><span><span class="swatch lane-0"></span>average</span> <span><span class="swatch lane-1"></span>current</span>${goal && html` <span>+ equilibrium</span>`}</figcaption></figure>`;
}
