import { attention, silenced } from '../attention.js';
import { dateTime } from '../format.js';
import { changed, live } from '../live.js';
import { Confirm, Failure, Field } from '../parts.js';
import { endSilence, LONGEST_REASON, silence } from '../silences.js';
import { html, useEffect, useRef, useState } from '../ui.js';

const SHOWN = 8;
const HOUR = 3_600_000;
const HOURS = { 1: '1 hour', 8: '8 hours', 24: '1 day', 168: '7 days' };

/** What needs attention, and what of it is silenced. */
export function Attention() {
  const [chosen, setChosen] = useState(null); // Items that are about to be silenced.
  const section = useRef(null);
  const gone = useRef(false); // Whether the button that was pressed has gone with its entry.
  useEffect(() => {
    if (!gone.current) return;
    gone.current = false;
    (section.current.querySelector('summary') ?? section.current).focus();
  });
  const listsChanged = () => {
    gone.current = true;
    changed();
  };
  const items = attention(live);
  const over = items.filter((item) => item.over);
  return html`
    <section ref=${section} class="attention" tabindex="-1" aria-label="What needs attention">
      ${items.length === 0
        ? html`<p class="calm"><span aria-hidden="true">●</span> Nothing needs attention.</p>`
        : html`<ul>${items.slice(0, SHOWN).map((item) => html`
          <li key=${item.key} class=${item.tone}><a href=${item.where}><span aria-hidden="true">${item.tone === 'bad' ? '✕' : '▲'}</span> ${item.what}</a>${item.more && html` <span class="more">${item.more}</span>`}<button class="small" aria-label="Silence… ${item.what}" onClick=${() => setChosen([item])}>Silence…</button></li>`)}
          ${(items.length > SHOWN || over.length > 1) && html`<li key="more" class="more">${items.length > SHOWN && `and ${items.length - SHOWN} more `}${over.length > 1 && html`<button class="small" onClick=${() => setChosen(over)}>Silence all ${over.length} that are over…</button>`}</li>`}</ul>`}
      <${Silenced} changed=${listsChanged} />
      ${chosen && html`<${Silence} items=${chosen} close=${() => setChosen(null)} done=${listsChanged} />`}
    </section>`;
}

function Silenced({ changed: listsChanged }) {
  const [failure, setFailure] = useState(null);
  const quiet = silenced(live);
  const end = (key) => {
    try {
      endSilence(key);
      listsChanged();
    } catch (problem) {
      setFailure(problem);
    }
  };
  return quiet.length > 0 && html`
    <details class="silenced"><summary>Silenced (${quiet.length})</summary>
      <ul>${quiet.map(({ key, what, reason, until, item }) => html`
        <li key=${key}>${item ? html`<a href=${item.where}>${item.what}</a>` : html`<span>${what} <small>(not seen now)</small></span>`}
          <span class="more">${reason} <small>until ${dateTime(until)}</small></span><button class="small" aria-label="End silence: ${what}" onClick=${() => end(key)}>End silence</button></li>`)}</ul>
      ${failure && html`<${Failure} problem=${failure} />`}
      <p class="fine">Kept in this browser only: other browsers still show these entries. An entry that gets worse is shown again before that.</p>
    </details>`;
}

/** They may have become worse while the reason was written. */
const asTheyAreNow = (items) => attention(live).filter((one) => items.some(({ key }) => key === one.key));

function Silence({ items, close, done }) {
  const [reason, setReason] = useState('');
  const [hours, setHours] = useState('1');
  return html`
    <${Confirm} title=${items.length === 1 ? `Silence “${items[0].what}”?` : `Silence ${items.length} entries?`} verb="Silence" close=${close} done=${done}
        run=${async () => silence(asTheyAreNow(items), reason, Number(hours) * HOUR)}>
      <p>In this browser only: other browsers still show it. It is shown again when the time is over, or sooner if it gets worse.</p>
      <${Field} label="Reason" hint="${LONGEST_REASON} characters at most; shown with the silenced entry.">${(id, hint) => html`
        <input id=${id} aria-describedby=${hint} required maxlength=${LONGEST_REASON} autocomplete="off" value=${reason} onInput=${(event) => setReason(event.target.value)} />`}</${Field}>
      <${Field} label="For">${(id) => html`
        <select id=${id} value=${hours} onChange=${(event) => setHours(event.target.value)}>${Object.entries(HOURS).map(([value, name]) => html`<option value=${value}>${name}</option>`)}</select>`}</${Field}>
    </${Confirm}>`;
}
