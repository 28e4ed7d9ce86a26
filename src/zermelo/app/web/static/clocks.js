// The clock of a seat. The server keeps the time; between its messages the page counts down.
import { html, useEffect, useReducer } from "/static/preact.js";

const LOW = 20; // seconds from which a clock is red, and shows tenths

export function Clock({ clock, seat, name }) {
  const [, tick] = useReducer((count) => count + 1, 0);
  const runs = clock.running === seat;
  useEffect(() => {
    if (!runs) return undefined;
    const timer = setInterval(tick, 100);
    return () => clearInterval(timer);
  }, [runs]);
  const spent = runs ? (performance.now() - clock.received) / 1000 : 0;
  const left = Math.max(clock.left[seat] - spent, 0);
  return html`<span class=${`clock ${runs ? "runs" : ""} ${left < LOW ? "low" : ""}`} role="timer" aria-label=${`time left for ${name}`}>${shown(left)}</span>`;
}

export function shown(seconds) {
  if (seconds < LOW) return seconds.toFixed(1);
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

// Time limits to choose from: minutes, and seconds per move.
const LIMITS = [[1, 0], [3, 2], [5, 0], [5, 3], [10, 5], [15, 10], [30, 0], [60, 30]];

export function TimeChoice({ chosen, choose, ...more }) {
  const given = chosen && !LIMITS.some(([m, s]) => 60 * m === chosen[0] && s === chosen[1]) ? [[chosen[0] / 60, chosen[1]]] : [];
  return html`<select ...${more} value=${chosen ? chosen.join() : ""}
    onChange=${(event) => choose(event.target.value ? event.target.value.split(",").map(Number) : null)}>
    <option value="" selected=${!chosen}>no time limit</option>
    ${[...LIMITS, ...given].map(([minutes, add]) => html`<option value=${[60 * minutes, add].join()}
      selected=${chosen && chosen[0] === 60 * minutes && chosen[1] === add}>${minutes} min${add ? ` + ${add} s per move` : ""}</option>`)}
  </select>`;
}
