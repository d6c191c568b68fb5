import { api } from '../api.js';
import { ago, bytes, count, rate } from '../format.js';
import { useAsked, useLive } from '../live.js';
import { Empty, Failure, Lead, Loading, RelayLink, State, Table, Way } from '../parts.js';
import { to } from '../router.js';
import { html } from '../ui.js';

const ANEW = 30_000;

const TONES = { CASCADE: ['good', 'relays help'], DIRECT: ['quiet', 'direct'], EQUAL: ['quiet', 'either'], UNDECIDED: ['warn', 'not known'] };

const decision = (one) => TONES[one.plan?.decision] ?? ['busy', 'no plan yet'];

/** The page that plans for a destination from where its streams enter. */
export const planFor = (one) => `${to('plan')}?${new URLSearchParams(one.relay ? { to: one.destination, from: one.relay } : { to: one.destination })}`;

export function Advice() {
  useLive();
  const { answer: destinations, problem } = useAsked(api.advice, ANEW);
  return html`
    <h1 tabindex="-1">Advice</h1>
    <p class="fine">Would relays help for the destinations of the past day’s streams: direct ones of the relays’ proxies and of send, and those through chains? Each destination is planned at most once in five minutes.</p>
    ${problem && html`<${Failure} problem=${problem} />`}
    ${!destinations ? !problem && html`<${Loading} what="advice" />`
      : destinations.length === 0 ? html`<${Empty} title="No destination was seen">Streams of chains, of the relays’ SOCKS5 and CONNECT clients and direct transfers of send are listed here. For other destinations ask the <${Lead} href=${to('plan')}>planner</${Lead}>.</${Empty}>`
      : html`<${Table} label="Destinations" first="seen" descending rows=${destinations} rowKey=${(one) => one.destination} columns=${[
        { key: 'to', head: 'Destination', by: (one) => one.destination, cell: (one) => html`<${Lead} href=${planFor(one)}>${one.destination}</${Lead}>` },
        { key: 'relay', head: 'Enters at', by: (one) => one.relay ?? one.client, cell: (one) => (one.relay ? html`<${RelayLink} name=${one.relay} />` : `client ${one.client}`) },
        { key: 'helps', head: 'Would relays help?', by: (one) => decision(one)[1], cell: (one) => html`<${State} as=${decision(one)[0]} label=${decision(one)[1]} />` },
        { key: 'advice', head: 'Advice', text: true, cell: (one) => one.advice },
        { key: 'streams', head: 'Streams', number: true, unit: '', by: (one) => one.streams, cell: (one) => count(one.streams) },
        { key: 'bytes', head: 'Carried', number: true, unit: 'B', by: (one) => one.bytes, cell: (one) => bytes(one.bytes) },
        { key: 'direct', head: 'Seen directly', help: 'The highest rate of one direct stream over five seconds', number: true, unit: 'bit/s', by: (one) => one.directBitsPerSecond, cell: (one) => rate(one.directBitsPerSecond) },
        { key: 'relayed', head: 'Seen through relays', help: 'The highest rate of a chain between two samples', number: true, unit: 'bit/s', by: (one) => one.relayedBitsPerSecond, cell: (one) => rate(one.relayedBitsPerSecond) },
        { key: 'via', head: 'Last chain', cell: (one) => (one.via ? html`<${Way} relays=${one.via} />` : '–') },
        { key: 'seen', head: 'Last seen', unit: 'UTC', by: (one) => one.lastSeenAt, cell: (one) => ago(one.lastSeenAt) },
      ]} />`}`;
}
