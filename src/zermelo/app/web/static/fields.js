// Fields that keep what the user types while the page is redrawn.
import { html, useState } from "/static/preact.js";

// A state that is reset whenever its source changes.
export function useDraft(known) {
  const [draft, setDraft] = useState({ known, now: known });
  return [draft.known === known ? draft.now : known, (now) => setDraft({ known, now })];
}

// A field that commits its text when editing ends.
export function Typed({ title, value, commit, reference, ...more }) {
  const known = String(value ?? "");
  const [text, setText] = useDraft(known);
  return html`<label class="field">${title}
    <input ...${more} ref=${reference} value=${text} onInput=${(event) => setText(event.target.value)}
      onChange=${(event) => event.target.value !== known && commit(event.target.value)} /></label>`;
}
