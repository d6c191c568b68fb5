import { ago, dateTime, shortId, withShortIds, words } from '../format.js';
import { live, useLive } from '../live.js';
import { Empty, Panel, State } from '../parts.js';
import { remember, to } from '../router.js';
import { html, useState } from '../ui.js';

const TONES = {
  RELAY_REGISTERED: 'good', RELAY_RECOVERED: 'good', RELAY_RESTARTED: 'warn',
  RELAY_DRAINING: 'warn', RELAY_SILENT: 'warn', RELAY_LOST: 'bad', RELAY_STOPPED: 'quiet', RELAY_FORGOTTEN: 'quiet', REGISTRATION_REFUSED: 'bad',
  ROUTE_TRIED: 'quiet',
};

export function EventList({ events, whole }) {
  if (!events.length) return html`<${Empty} title="No events">No event since the orchestrator started, or none that matches.</${Empty}>`;
  return html`
    <ol class="events">${events.map((event) => html`
      <li key=${event.id}>
        <time datetime=${event.at} title=${dateTime(event.at)}>${whole ? dateTime(event.at) : ago(event.at)}</time>
        ${event.state
          ? html`<${State} of=${event.state} />`
          : html`<${State} of=${event.type} as=${TONES[event.type] ?? 'quiet'} label=${words(event.type).replace('relay ', '')} />`}
        <span class="message" title=${event.message}>${withShortIds(event.message)}</span>
        ${event.chainId && html`<a href=${to('chains', event.chainId)}>chain ${shortId(event.chainId)}</a>`}
        ${event.relay && html`<a href=${to('relays', event.relay)}>relay ${event.relay}</a>`}
      </li>`)}</ol>`;
}

export function Events({ query }) {
  useLive();
  const [text, setText] = useState(query.get('text') ?? '');
  const [type, setType] = useState(query.get('type') ?? '');
  const look = (changes, set) => (event) => {
    set(event.target.value);
    remember({ [changes]: event.target.value });
  };
  const wanted = text.trim().toLowerCase();
  const found = live.events.filter((event) =>
    (!type || event.type === type)
    && (!wanted || [event.message, event.chainId, event.relay].some((one) => one?.toLowerCase().includes(wanted))));
  return html`
    <h1 tabindex="-1">Events</h1>
    <form class="filters" onSubmit=${(event) => event.preventDefault()}>
      <label>Containing <input type="search" value=${text} onInput=${look('text', setText)} /></label>
      <label>Of type
        <select value=${type} onChange=${look('type', setType)}>
          <option value="">any</option>
          ${[...Object.keys(TONES), 'CHAIN_STATE'].map((one) => html`<option value=${one}>${words(one)}</option>`)}
        </select></label>
      <span class="muted" aria-live="polite">${found.length} of ${live.events.length}, newest first</span>
    </form>
    <${Panel} title="What happened" wide>
      <${EventList} events=${found.slice(0, 300)} whole />
      ${found.length > 300 && html`<p class="fine">The newest 300 are shown; narrow the filter for older ones.</p>`}
      <p class="fine">The orchestrator keeps the last 1,000 events.</p>
    </${Panel}>`;
}
