// The notice while a game is compiled for the first time.
import { html, useEffect, useReducer } from "/static/preact.js";

export function Compiling({ readiness, title }) {
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
