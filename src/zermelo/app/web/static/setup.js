// Another position to start from, the settings of the game, and its rules in a few words.
import { html, useLayoutEffect, useState } from "/static/preact.js";
import { TimeChoice } from "/static/clocks.js";

export function SetUp({ view, game, say, edit }) {
  const [text, setText] = useState("");
  const [given, setGiven] = useState({});
  const [time, setTime] = useState(view.clock ? [view.clock.seconds, view.clock.increment] : null);
  useLayoutEffect(() => {
    setGiven({});
    setText("");
  }, [view.game, view.settings.join()]);
  const setUp = (event) => {
    event.preventDefault();
    say({ do: "set_up", text });
  };
  const parameters = game?.parameters || [];
  const expected = game?.reads_positions ? "a position in this notation, or moves" : "moves from the start";
  const begin = (event) => {
    event.preventDefault();
    const settings = parameters
      .map((each) => [each.name, given[each.name] ?? each.value, each.usual])
      .filter(([, value, usual]) => value !== usual && value !== "")
      .map(([name, value]) => `${name}=${value}`);
    say({ do: "new", game: view.game, settings, seats: view.seats, ...(time ? { clock: time } : {}) });
  };
  return html`<section aria-label="position and settings" class="setup">
    <details><summary>Position</summary>
      <form onSubmit=${setUp}>
        <input aria-label="position as text" value=${text} onInput=${(event) => setText(event.target.value)}
          placeholder=${expected} />
        <button>Set up</button>
      </form>
      ${view.fen && html`<p class="soft fen">${view.fen}</p>`}
      ${view.fen && game?.reads_positions && html`<button onClick=${edit}>Edit the board</button>`}
    </details>
    ${game && html`<details><summary>Game settings</summary>
      <form class="settings" onSubmit=${begin}>
        ${parameters.map((each) => html`<label key=${each.name}>${each.name}
          <input value=${given[each.name] ?? each.value}
            onInput=${(event) => setGiven({ ...given, [each.name]: event.target.value })} /></label>`)}
        <label>time <${TimeChoice} chosen=${time} choose=${setTime} /></label>
        <button>New game with these settings</button>
      </form></details>`}
    <details><summary>About this game</summary>
      ${game?.rules && html`<p class="soft">${game.rules}</p>`}<p class="soft">${game?.traits}.</p></details>
  </section>`;
}
