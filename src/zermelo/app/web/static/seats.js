// The seats: who plays, whose turn it is, the clock, and captured pieces or the score.
import { html } from "/static/preact.js";
import { playerTitle } from "/static/common.js";
import { Clock } from "/static/clocks.js";

export function Seat({ seat, view, game, say, thinking }) {
  const words = view.seats[seat];
  const name = view.seat_names[seat];
  const change = (event) => say({ do: "seats", seats: view.seats.map((each, i) => (i === seat ? event.target.value : each)) });
  const options = opponents(game);
  if (words !== "person" && !options.some((each) => each.words === words)) options.push({ words, title: playerTitle(words) });
  const turn = view.seat === seat;
  const called = view.tags[name];
  return html`<div class=${`seat ${turn ? "turn" : ""}`}>
    <span class="dot" aria-hidden="true"></span>
    <span class="who">${name}</span>
    ${called && called !== "?" && html`<span class="soft">${called}</span>`}
    ${turn && html`<span class="sr">to move</span>`}
    ${view.standings[seat] && html`<span class="standing">${view.standings[seat]}</span>`}
    ${turn && thinking && !["hint", "draw"].includes(thinking) && html`<span class="soft">thinking …</span>`}
    <select aria-label=${`who plays ${name}`} value=${words} onChange=${change}>
      <option value="person" selected=${words === "person"}>person</option>
      ${options.map((each) => html`<option value=${each.words} selected=${words === each.words}>${each.title}</option>`)}
    </select>
    ${view.clock && html`<${Clock} clock=${view.clock} seat=${seat} name=${name} />`}
  </div>`;
}

// The computer players of a game, as a person chooses one.
export function opponents(game) {
  const options = (game?.levels || []).map((level) => ({
    words: `level:${level.name}`,
    title: level.elo === null || level.name === "random" ? level.name : `${level.name} (${Math.round(level.elo)} Elo above random)`,
  }));
  if (game?.strongest) options.push({ words: game.strongest, title: playerTitle(game.strongest) });
  return options;
}
