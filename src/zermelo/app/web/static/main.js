// The page: it shows what the server says, and says what the user does. It computes nothing of any game.
import { html, render, useEffect, useState } from "/static/preact.js";
import { Connection } from "/static/connection.js";
import { Play } from "/static/play.js";
import * as address from "/static/address.js";

const PAGES = [
  { name: "play", title: "Play", page: Play },
];

function App({ connection }) {
  const [open, setOpen] = useState(connection.isOpen);
  const [games, setGames] = useState([]);
  const [name, setName] = useState(address.page());

  useEffect(() => {
    fetch("/api/games").then((answer) => answer.json()).then((found) => setGames(found.games));
    let last = address.page();
    const turn = () => {
      if (address.page() !== last) connection.send({ do: "leave" });
      last = address.page();
      setName(last);
    };
    addEventListener("hashchange", turn);
    return () => removeEventListener("hashchange", turn);
  }, []);
  useEffect(() => {
    setOpen(connection.isOpen);
    return connection.subscribe(() => setOpen(connection.isOpen));
  }, []);

  const shown = PAGES.find((each) => each.name === name) || PAGES[0];
  return html`
    <header>
      <h1>zermelo</h1>
      <nav aria-label="pages">${PAGES.map((each) => html`<a href=${`#/${each.name}`}
        aria-current=${each === shown ? "page" : null}>${each.title}</a>`)}</nav>
      ${!open && html`<span class="error" role="alert">the connection is lost; trying again …</span>`}
    </header>
    <${shown.page} connection=${connection} open=${open} games=${games} />`;
}

const root = document.getElementById("app");
root.textContent = "";
render(html`<${App} connection=${new Connection()} />`, root);
