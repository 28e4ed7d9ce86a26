// The start page: choose a game, play the engine, and return to recent games.
import { html, useEffect, useState } from "/static/preact.js";
import { TimeChoice } from "/static/clocks.js";
import { opponents } from "/static/seats.js";
import * as address from "/static/address.js";
import * as recent from "/static/recent.js";

const USUAL = "level:casual";
const CHOICES = "zermelo.choices"; // what was chosen last, in the browser's storage
const cards = new Map(); // of this visit: pictures take a moment

export function Start({ connection, open, games }) {
  const [, redraw] = useState(0);
  const [chosen, setChosen] = useState(choices().game);
  useEffect(() => connection.subscribe((message) => {
    if (message.kind !== "card") return;
    cards.set(message.game, message);
    redraw((count) => count + 1);
  }), []);
  useEffect(() => {
    document.title = "zermelo";
    const missing = games.map((each) => each.name).filter((name) => !cards.has(name));
    if (open && missing.length) connection.send({ do: "cards", of: [shown.name, ...missing.filter((name) => name !== shown.name)] });
  }, [open]);
  const shown = games.find((each) => each.name === chosen) || games.find((each) => each.own) || games.find((each) => each.name === "chess") || games[0];
  const choose = (name) => {
    setChosen(name);
    remember({ game: name });
    scrollTo({ top: 0, behavior: "smooth" });
  };
  return html`<main class="start">
    <${NewGame} key=${shown.name} game=${shown} card=${cards.get(shown.name)} connection=${connection} />
    <${Recent} here=${games} />
    <section aria-label="games"><h2>Games</h2>
      <ul class="cards">${games.map((each) => html`<li key=${each.name}>
        <button class=${`card ${each === shown ? "chosen" : ""}`} aria-pressed=${each === shown} onClick=${() => choose(each.name)}>
          <${Picture} card=${cards.get(each.name)} />
          <strong>${each.title}</strong>${each.own && html`<span class="soft">your game</span>`}</button></li>`)}</ul>
    </section>
  </main>`;
}

// A picture is decoration here: the name stands below it.
function Picture({ card }) {
  return html`<span class="thumb" aria-hidden="true" dangerouslySetInnerHTML=${{ __html: card?.svg || "" }}></span>`;
}

// Who plays whom, from which side, and with how much time.
function NewGame({ game, card, connection }) {
  const last = choices();
  const [level, setLevel] = useState(last.level || USUAL);
  const [side, setSide] = useState(last.side ?? 0);
  const [time, setTime] = useState(last.time || null);
  const variants = card?.variants || [];
  const [variant, setVariant] = useState(last.variants?.[game.name] || "");
  const settings = variants.find((each) => each.title === variant)?.settings || [];
  const seats = card?.seats || ["first", "second"];
  const options = opponents(card);
  const words = options.some((each) => each.words === level) ? level : options[Math.min(2, options.length - 1)]?.words || USUAL;
  const go = (occupants, clock, analysed = false) => {
    connection.send({ do: "analyse", on: analysed });
    const fields = new URLSearchParams({ game: game.name, new: 1 });
    if (occupants.some((each) => each !== "person")) fields.set("seats", address.joined(occupants));
    for (const setting of settings) fields.append("set", setting);
    if (clock) fields.set("clock", address.joined(clock.map(String)));
    location.hash = `#/play?${fields}`;
  };
  const play = (event) => {
    event.preventDefault();
    remember({ game: game.name, level: words, side, time, variants: { ...last.variants, [game.name]: variant } });
    const own = side === "either" ? Math.floor(Math.random() * seats.length) : Math.min(side, seats.length - 1);
    go(seats.map((_, seat) => (seat === own ? "person" : words)), time);
  };
  const people = seats.map(() => "person");
  return html`<section class="hero" aria-label="new game">
    <${Picture} card=${card} />
    <div>
      <h2>${game.title}</h2>
      ${card?.rules && html`<p class="soft">${card.rules}</p>`}
      ${card?.error && html`<p class="error" role="alert">${card.error}</p>`}
      <form class="choices-of-game" onSubmit=${play}>
        <label>Opponent <select aria-label="level" value=${words} onChange=${(event) => setLevel(event.target.value)}>
          ${options.map((each) => html`<option value=${each.words} selected=${each.words === words}>${each.title}</option>`)}
          ${!options.length && html`<option value=${words}>casual</option>`}</select></label>
        ${seats.length > 1 && html`<label>You play <select aria-label="side" onChange=${(event) => setSide(event.target.value === "either" ? "either" : Number(event.target.value))}>
          ${seats.map((name, seat) => html`<option value=${seat} selected=${seat === side}>${name}${seat ? "" : ", first"}</option>`)}
          <option value="either" selected=${side === "either"}>either, by chance</option></select></label>
        ${variants.length > 0 && html`<label>Game <select aria-label="kind of game" onChange=${(event) => setVariant(event.target.value)}>
          ${variants.map((each) => html`<option value=${each.title} selected=${each.title === variant}>${each.title}</option>`)}</select></label>`}
        <label>Time <${TimeChoice} aria-label="time" chosen=${time} choose=${setTime} /></label>`}
        <button class="main">Play the engine</button>
      </form>
      <p class="others">
        ${seats.length > 1 && html`<button onClick=${() => go(people, time)}>${seats.length === 2 ? "Two people" : "People only"}</button>`}
        ${!card?.hidden && html`<button onClick=${() => go(people, null, true)}>Analyse</button>`}
      </p>
    </div>
  </section>`;
}

function Recent({ here }) {
  const [games, setGames] = useState(recent.of(here));
  const [all, setAll] = useState(false);
  if (!games.length) return null;
  const forget = (id) => {
    recent.forget(id);
    setGames(recent.of(here));
  };
  return html`<section aria-label="recent games"><h2>Recent games</h2>
    <ul class="recent">${games.slice(0, all ? games.length : 5).map((each) => html`<li key=${each.id}>
      <a href=${each.hash}><strong>${each.title}</strong> ${each.players.map(named).join(" – ")}</a>
      <span class="soft">${each.ended || `${each.record.moves.length} moves`}, ${ago(each.when)}</span>
      <button class="quiet" aria-label=${`forget this game of ${each.title}`} onClick=${() => forget(each.id)}>×</button></li>`)}</ul>
    ${games.length > 5 && html`<button class="quiet" onClick=${() => setAll(!all)}>${all ? "fewer" : `all ${games.length}`}</button>`}
  </section>`;
}

const named = (words) => words.replace(/^level:/, "").split(":")[0];

function ago(when) {
  const minutes = Math.round((Date.now() - when) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.round(minutes / 60)} h ago`;
  return new Date(when).toLocaleDateString("en", { year: "numeric", month: "short", day: "numeric" });
}

function choices() {
  try {
    return JSON.parse(localStorage.getItem(CHOICES)) || {};
  } catch {
    return {};
  }
}

function remember(more) {
  try {
    localStorage.setItem(CHOICES, JSON.stringify({ ...choices(), ...more }));
  } catch {
    // storage is off
  }
}
