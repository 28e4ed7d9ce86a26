// The seats: who plays, and whose turn it is.
import { html } from "/static/preact.js";

export function Seat({ seat, view, game, say, thinking }) {
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
