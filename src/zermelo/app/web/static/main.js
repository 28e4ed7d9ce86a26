// The page: it shows what the server says, and says what the user does. It computes nothing of any game.
import { html, render, useEffect, useState } from "/static/preact.js";
import { Connection } from "/static/connection.js";
import { Arena } from "/static/arena.js";
import { Play } from "/static/play.js";
import { Practice } from "/static/practice.js";
import { Trees } from "/static/trees.js";
import { Race } from "/static/race.js";
import * as address from "/static/address.js";

const PAGES = [
  { name: "play", title: "Play", page: Play },
  { name: "trees", title: "Trees", page: Trees },
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
    fetch("/api/games").then((answer) => answer.json()).then((found) => setGames(found.games));
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

  // The position that is looked at goes along from page to page; the page itself, clicked, begins with its own.
  const go = (event, name) => {
    if (name === address.page()) return;
    event.preventDefault();
    location.hash = address.along(name);
  };
  const shown = PAGES.find((each) => each.name === name) || PAGES[0];
  return html`
    <header>
      <h1>zermelo</h1>
      <nav aria-label="pages">${PAGES.map((each) => html`<a href=${`#/${each.name}`}
        onClick=${(event) => go(event, each.name)} aria-current=${each === shown ? "page" : null}>${each.title}</a>`)}</nav>
      ${!open && html`<span class="error" role="alert">the connection is lost; trying again …</span>`}
      ${ended && html`<span class="error" role="alert">${ended} <button class="quiet" onClick=${() => setEnded(null)}>all right</button></span>`}
      ${silent && html`<span class="error" role="alert">No answer for some seconds: the game may be slow, or never end.
        ${" "}<button onClick=${() => connection.begin()}>Begin again</button></span>`}
    </header>
    <${shown.page} connection=${connection} open=${open} games=${games} />`;
}

const place = document.getElementById("app");
place.replaceChildren();
render(html`<${App} connection=${new Connection()} />`, place);
