// Curves in a coordinate system, linear or logarithmic. The page only draws: all numbers come from the server.
import { html } from "/static/preact.js";

const WIDTH = 420, HEIGHT = 250, LEFT = 46, RIGHT = 20, TOP = 26, BOTTOM = 40;

const written = (x) => (x !== 0 && (Math.abs(x) < 0.001 || Math.abs(x) >= 100000) ? x.toExponential(0) : String(+x.toPrecision(3))).replace("-", "−");

// Round numbers from low to high; powers of ten on a logarithmic axis.
function ticks(low, high, isLog) {
  if (isLog) {
    const first = Math.ceil(Math.log10(low) - 1e-9), last = Math.floor(Math.log10(high) + 1e-9);
    const step = Math.max(1, Math.ceil((last - first) / 6));
    const found = [];
    for (let power = first; power <= last; power += step) found.push(10 ** power);
    return found;
  }
  const rough = (high - low) / 5 || 1;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * unit).find((each) => each >= rough);
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) found.push(k * step);
  return found;
}

function axis(values, isLog, from, to, range) {
  const usable = values.filter((x) => Number.isFinite(x) && (!isLog || x > 0));
  let [low, high] = range || [Math.min(...usable), Math.max(...usable)];
  if (!usable.length && !range) [low, high] = [1, 10];
  if (!(high > low)) [low, high] = isLog ? [low / 2, high * 2] : [low - 0.5, high + 0.5];
  const scaled = (x) => (isLog ? Math.log10(x) : x);
  const place = (x) => from + ((scaled(x) - scaled(low)) / (scaled(high) - scaled(low))) * (to - from);
  return { place, low, high, ticks: ticks(low, high, isLog) };
}

// series: [{ name, lane, points: [[x, y], …], dashed }]; mark: an x that is pointed out.
export function Plot({ title, series, across, logX, logY, rangeX, rangeY, mark, said }) {
  const all = series.flatMap((each) => each.points);
  const x = axis(all.map((point) => point[0]), logX, LEFT, WIDTH - RIGHT, rangeX);
  const y = axis(all.map((point) => point[1]), logY, HEIGHT - BOTTOM, TOP, rangeY);
  const path = (points) => points.filter(([a, b]) => (!logX || a > 0) && (!logY || b > 0) && Number.isFinite(b))
    .map(([a, b], i) => `${i ? "L" : "M"}${x.place(a).toFixed(1)} ${y.place(b).toFixed(1)}`).join("");
  return html`<figure class="plot"><svg class="chart" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${said || `${title}: ${series.map((each) => each.name).join(", ")}`}>
    <text class="heading" x=${LEFT} y="15">${title}</text>
    ${y.ticks.map((at) => html`<g><line x1=${LEFT} x2=${WIDTH - RIGHT} y1=${y.place(at)} y2=${y.place(at)} />
      <text x=${LEFT - 6} y=${y.place(at) + 4} text-anchor="end">${written(at)}</text></g>`)}
    ${x.ticks.map((at) => html`<g><line x1=${x.place(at)} x2=${x.place(at)} y1=${TOP} y2=${HEIGHT - BOTTOM} />
      <text x=${x.place(at)} y=${HEIGHT - BOTTOM + 15} text-anchor="middle">${written(at)}</text></g>`)}
    <text x=${(LEFT + WIDTH - RIGHT) / 2} y=${HEIGHT - 6} text-anchor="middle">${across}</text>
    ${mark !== undefined && mark !== null && html`<line class="at" x1=${x.place(mark)} x2=${x.place(mark)} y1=${TOP} y2=${HEIGHT - BOTTOM} />`}
    ${series.map((each) => html`<g class=${`lane-${each.lane}${each.faint ? " faint" : ""}`}><path d=${path(each.points)} /></g>`)}
  </svg>
  <figcaption class="soft legend">${series.filter((each) => each.name).map((each) => html`<span><span class=${`swatch lane-${each.lane}`}></span>${each.name}</span> `)}</figcaption></figure>`;
}
