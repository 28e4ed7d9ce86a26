// The page shows what the server sends, and sends what the user does. It does not know the rules of any game.
import { html, render, useEffect, useState } from "/static/preact.js";
import { Connection } from "/static/connection.js";
import { Arena } from "/static/arena.js";
import { Play } from "/static/play.js";
import { Practice } from "/static/practice.js";
import { Start } from "/static/start.js";
import { Trees } from "/static/trees.js";
import { Race } from "/static/race.js";
import { Backwards } from "/static/backwards.js";
import { Equilibria } from "/static/equilibria.js";
import * as address from "/static/address.js";

const PAGES = [
  { name: "start", title: "Games", page: Start },
  { name: "play", title: "Play", page: Play },
  { name: "trees", title: "Trees", page: Trees },
  { name: "backwards", title: "Backwards", page: Backwards },
  { name: "equilibria", title: "Equilibria", page: Equilibria },
  { name: "practice", title: "Practice", page: Practice },
  { name: "race", title: "Race", page: Race },
  { name: "arena", title: "Arena", page: Arena },
];

function App({ connection }) {
  const [open, setOpen] = useState(connection.isOpen);
  const [games, setGames] = useState([]);
  const [silent, setSilent] = useState(false);
  const [ended, setEnded] = useState(null);
  const [name, setName] = useState(address.page());

  useEffect(() => {
    fetch("/api/games").then((answer) => answer.json()).then((found) => {
      const [own] = found.games.filter((each) => each.own);
      if (own && location.hash.length < 3) location.replace(`#/play?game=${encodeURIComponent(own.name)}`);
      setGames(found.games);
    });
    let last = address.page();
    const turn = () => {
      if (address.page() !== last) connection.send({ do: "leave" }); // before the next page asks for anything
      last = address.page();
      setName(last);
    };
    addEventListener("hashchange", turn);
    return () => removeEventListener("hashchange", turn);
  }, []);
  useEffect(() => {
    setOpen(connection.isOpen);
    return connection.subscribe((message) => {
      setOpen(connection.isOpen);
      setSilent((old) => message.kind === "silent" || (old && connection.unheard > 0));
      if (message.kind === "dead") setEnded(message.error);
    });
  }, []);

  // A link to another page keeps the position. A link to the current page starts with the default.
  const go = (event, name) => {
    if (name === address.page()) return;
    event.preventDefault();
    location.hash = address.along(name);
  };
  const shown = PAGES.find((each) => each.name === name) || PAGES[0];
  return html`
    <header>
      <h1><a href="#/start">zermelo</a></h1>
      <nav aria-label="pages">${PAGES.map((each) => html`<a href=${`#/${each.name}`}
        onClick=${(event) => go(event, each.name)} aria-current=${each === shown ? "page" : null}>${each.title}</a>`)}</nav>
      ${!open && html`<span class="error" role="alert">Connection lost. Reconnecting …</span>`}
      ${ended && html`<span class="error" role="alert">${ended} <button class="quiet" onClick=${() => setEnded(null)}>Dismiss</button></span>`}
      ${silent && html`<span class="error" role="alert">No response for several seconds. The game may be slow or stuck.
        ${" "}<button onClick=${() => connection.begin()}>Restart</button></span>`}
    </header>
    ${games.length > 0 && html`<${shown.page} connection=${connection} open=${open} games=${games} />`}`;
}

const place = document.getElementById("app");
place.replaceChildren();
render(html`<${App} connection=${new Connection()} />`, place);
