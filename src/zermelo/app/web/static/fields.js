// Fields that keep what is being typed, whatever is redrawn meanwhile.
import { html, useState } from "/static/preact.js";

// A state that begins anew whenever what it is made from changes.
export function useDraft(known) {
  const [draft, setDraft] = useState({ known, now: known });
  return [draft.known === known ? draft.now : known, (now) => setDraft({ known, now })];
}

// A field that hands on what was typed when it is finished.
export function Typed({ title, value, commit, reference, ...more }) {
  const known = String(value ?? "");
  const [text, setText] = useDraft(known);
  return html`<label class="field">${title}
    <input ...${more} ref=${reference} value=${text} onInput=${(event) => setText(event.target.value)}
      onChange=${(event) => event.target.value !== known && commit(event.target.value)} /></label>`;
}
