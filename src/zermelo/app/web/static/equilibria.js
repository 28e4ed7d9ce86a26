// Equilibria: lessons on games with hidden information.
import { html, useEffect, useState } from "/static/preact.js";
import * as address from "/static/address.js";
import { Averaging } from "/static/averaging.js";
import { Kuhn } from "/static/kuhn.js";
import { Matrix } from "/static/matrix.js";
import { Sets } from "/static/sets.js";

const LESSONS = [
  { name: "kuhn", title: "Kuhn poker", page: Kuhn },
  { name: "matrix", title: "Matrix games", page: Matrix },
  { name: "averaging", title: "Averaging over deals", page: Averaging },
  { name: "sets", title: "Information sets", page: Sets },
];

const chosen = () => LESSONS.find((each) => each.name === address.fields().get("lesson")) || LESSONS[0];

export function Equilibria({ connection, open, games }) {
  const [lesson, setLesson] = useState(chosen);
  useEffect(() => {
    const again = () => address.page() === "equilibria" && setLesson(chosen());
    addEventListener("hashchange", again);
    return () => removeEventListener("hashchange", again);
  }, []);
  return html`<nav class="lessons" aria-label="lessons">${LESSONS.map((each) => html`<a href=${`#/equilibria?lesson=${each.name}`}
      aria-current=${each === lesson ? "page" : null}>${each.title}</a>`)}</nav>
    <${lesson.page} key=${lesson.name} connection=${connection} open=${open} games=${games} />`;
}
