// Information sets: the whole tree of a small game, what players cannot tell apart, and an equilibrium.
import { html, useEffect, useLayoutEffect, useRef, useState } from "/static/preact.js";
import * as address from "/static/address.js";

const number = (x, digits = 3) => (Math.abs(x) < 0.5 * 10 ** -digits ? 0 : x).toFixed(digits).replace("-", "−");
const percent = (x) => `${+(100 * x).toFixed(1)} %`;

function read() {
  const found = address.fields();
  return { game: found.get("game") || "kuhn_poker", settings: found.getAll("set"), moves: address.parted(found.get("moves") || "").filter(Boolean) };
}

export function Sets({ connection, open, games }) {
  const [asked, setAsked] = useState(read);
  const [view, setView] = useState(null);
  const [error, setError] = useState(null);
  const [chosen, setChosen] = useState(null);
  const frame = useRef(null);
  const moves = useRef(null);

  useEffect(() => connection.subscribe((message) => {
    if (message.kind === "information_sets") {
      setView(message);
      setChosen(null);
      setError(null);
    }
    if (message.kind === "error") setError(message.error);
  }), []);
  useEffect(() => {
    const again = () => address.page() === "equilibria" && address.fields().get("lesson") === "sets" && setAsked(read());
    addEventListener("hashchange", again);
    return () => removeEventListener("hashchange", again);
  }, []);
  useEffect(() => {
    if (open) connection.send({ do: "information_sets", ...asked });
  }, [open, JSON.stringify(asked)]);
  useLayoutEffect(() => {
    const fields = new URLSearchParams({ lesson: "sets", game: asked.game });
    for (const setting of asked.settings) fields.append("set", setting);
    if (asked.moves.length) fields.set("moves", address.joined(asked.moves));
    address.put("equilibria", fields);
    document.title = "Information sets · zermelo";
  }, [asked]);
  useLayoutEffect(() => {
    for (const each of frame.current?.querySelectorAll("[data-set], [data-join]") || []) {
      each.classList.toggle("chosen", Number(each.dataset.set ?? each.dataset.join) === chosen);
    }
  }, [view, chosen]);
  const click = (event) => {
    const node = event.target.closest("[data-set]");
    if (node) setChosen(Number(node.dataset.set));
  };
  const same = (each) => each.game === asked.game && each.settings.join() === asked.settings.join();
  const example = view?.examples.findIndex(same) ?? -1;
  const start = (event) => {
    event.preventDefault();
    setAsked({ ...asked, moves: moves.current.value.split(/[,\s]+/).filter(Boolean) });
  };

  return html`<main class="trees lesson">
    <section class="whole" aria-label="the tree">
      <h2 class="tree-title">${view ? view.title : "Information sets"}</h2>
      <p class="soft">A dashed line joins states that the player to move cannot tell apart: an information set. A strategy must play the same way in all of them.
        The percentages are an equilibrium, and a line is as wide as play is frequent. Click a circle or a row to find the other one.</p>
      <form class="row" onSubmit=${start}>
        <label>Game <select onChange=${(event) => setAsked({ ...view.examples[event.target.value], moves: [] })} disabled=${!view}>
          ${example < 0 && html`<option selected>${games.find((each) => each.name === asked.game)?.title || asked.game} ${asked.settings.join(" ")}</option>`}
          ${view?.examples.map((each, i) => html`<option value=${i} selected=${i === example}>${each.title}</option>`)}</select></label>
        <label>After the moves <input ref=${moves} key=${asked.moves.join()} defaultValue=${asked.moves.join(", ")} placeholder="QK, check" /></label>
        <button>Show</button>
      </form>
      ${error && html`<p class="error" role="alert">${error} <a href="#/equilibria?lesson=sets">Kuhn poker</a></p>`}
      ${view && html`<div class="tree-frame" ref=${frame} tabindex="0" role="group" aria-label="tree" onClick=${click} dangerouslySetInnerHTML=${{ __html: view.svg }}></div>
        <p role="status">Value: ${view.players.map((name, p) => `${name} ${number(view.values[p], 4)}`).join(", ")} (${view.method}; NashConv ${number(view.nash_conv, 4)}).${view.guarantee && ` ${view.guarantee[0].toUpperCase()}${view.guarantee.slice(1)}.`}</p>
        <div class="scroll"><table class="results"><caption class="sr">all information sets</caption>
          <thead><tr><th>player</th><th class="line">knows</th><th class="line">states</th><th>reached</th><th class="line">moves: probability (value)</th></tr></thead>
          <tbody>${view.sets.map((each, i) => html`<tr class=${i === chosen ? "now" : ""} aria-selected=${i === chosen} onClick=${() => setChosen(i)}>
            <th>${view.players[each.player]}</th><td class="line"><button class="quiet" onClick=${() => setChosen(i)}>${each.name}</button></td><td class="line">${each.states.slice(0, 6).join(" · ")}${each.states.length > 6 ? ` and ${each.states.length - 6} more` : ""}</td>
            <td>${percent(each.reach)}</td><td class="line">${each.moves.map((move, k) => `${move} ${percent(each.chances[k])}${each.values ? ` (${number(each.values[k])})` : ""}`).join(", ")}</td></tr>`)}</tbody></table></div>`}
    </section>
  </main>`;
}
