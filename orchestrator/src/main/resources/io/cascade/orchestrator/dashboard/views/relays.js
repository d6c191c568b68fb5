import { isOpen } from '../access.js';
import { Spark } from '../charts.js';
import { forgetRelay, drainRelay } from '../actions.js';
import { ago, bytes, count, dateTime, millis, percent, price, rate, seconds, shortId, words } from '../format.js';
import { carries, linkKey, live, may, useLive } from '../live.js';
import { lossCounts, lossText, seenLoss } from '../loss.js';
import { ChainLink, Empty, Facts, Loading, NoRelays, Note, Panel, State, Table, Way } from '../parts.js';
import { to } from '../router.js';
import { uptime } from '../rows.js';
import { html, useState } from '../ui.js';

export const chainsOver = (name) => (live.chains ?? []).filter((chain) => carries(chain) && chain.relays.includes(name));

/** What it answered to the last look at the statistics; null where that is not known. */
const answered = (relay) => live.statistics?.relays.find((one) => one.relay === relay.name && one.answered);

const processorShare = (relay) => answered(relay)?.processorShare ?? null;

const processors = (relay) => {
  const all = answered(relay)?.processors;
  return all == null ? '' : `of ${all} ${all === 1 ? 'processor' : 'processors'}`;
};

const upFor = (relay) => uptime(relay, answered(relay)?.uptimeSeconds);

export function Relays() {
  useLive();
  if (!live.relays) return html`<h1 tabindex="-1">Relays</h1><${Loading} what="relays" />`;
  return html`
    <h1 tabindex="-1">Relays</h1>
    ${live.relays.length === 0
      ? html`<${NoRelays} />`
      : html`<${Table} label="Relays" first="name" rows=${live.relays} rowKey=${(relay) => relay.name} mark=${(relay) => (relay.status === 'LOST' || relay.status === 'STOPPED' ? 'faded' : '')} columns=${[
        { key: 'name', head: 'Relay', by: (relay) => relay.name, cell: (relay) => html`<a href=${to('relays', relay.name)}>${relay.name}</a>` },
        { key: 'status', head: 'State', by: (relay) => relay.status, cell: (relay) => html`<${State} of=${relay.status} />` },
        { key: 'site', head: 'Site', by: (relay) => relay.site, cell: (relay) => relay.site },
        { key: 'chains', head: 'Chains', number: true, unit: '', by: (relay) => chainsOver(relay.name).length, cell: (relay) => count(chainsOver(relay.name).length) },
        { key: 'streams', head: 'Streams', number: true, unit: '', by: (relay) => relay.runningStreams, cell: (relay) => count(relay.runningStreams) },
        { key: 'processor', head: 'Processor', help: 'Share of the time of its processors', number: true, unit: 'share', by: processorShare, cell: (relay) => html`<span title=${processors(relay)}>${percent(processorShare(relay))}</span>` },
        { key: 'held', head: 'Held', help: 'Stream bytes in its memory', number: true, unit: 'B', by: (relay) => relay.heldBytes, cell: (relay) => bytes(relay.heldBytes) },
        { key: 'capacity', head: 'Capacity', help: 'As its operator says', number: true, unit: 'bit/s', by: (relay) => relay.capacityBitsPerSecond, cell: (relay) => rate(relay.capacityBitsPerSecond) },
        { key: 'price', head: 'Price', number: true, unit: 'per GiB', by: (relay) => relay.pricePerGib, cell: (relay) => price(relay.pricePerGib) },
        { key: 'control', head: 'Sends with', by: (relay) => relay.congestionControl, cell: (relay) => relay.congestionControl ?? '–' },
        { key: 'up', head: 'Up for', help: 'Since its process started; for an older version since it registered', number: true, unit: 's', by: upFor, cell: (relay) => html`<span title=${dateTime(relay.registeredAt)}>${seconds(upFor(relay))}</span>` },
        { key: 'restarts', head: 'Restarts', number: true, unit: '', by: (relay) => relay.restarts, cell: (relay) => count(relay.restarts) },
        { key: 'seen', head: 'Last heard', unit: 'UTC', by: (relay) => relay.lastSeenAt, cell: (relay) => html`<span title=${dateTime(relay.lastSeenAt)}>${ago(relay.lastSeenAt)}</span>` },
        { key: 'version', head: 'Version', by: (relay) => relay.version, cell: (relay) => relay.version },
      ]} />`}`;
}

export function Relay({ name }) {
  useLive();
  const [dialog, setDialog] = useState(null);
  if (!live.relays) return html`<h1 tabindex="-1">Relay ${name}</h1><${Loading} what="relays" />`;
  const relay = live.relays.find((one) => one.name === name);
  if (!relay) {
    return html`<h1 tabindex="-1">Relay ${name}</h1>
      <${Empty} title="No such relay">It was forgotten, or never registered. <a href=${to('relays')}>All relays</a></${Empty}>`;
  }
  const chains = chainsOver(name);
  const links = (live.links ?? []).filter((link) => link.from === name || link.to === name);
  return html`
    <p class="crumbs"><a href=${to('relays')}>Relays</a></p>
    <div class="heading"><h1 tabindex="-1">Relay ${name}</h1> <${State} of=${relay.status} />
      <div class="actions">
        ${may('network:write') && html`<button onClick=${() => setDialog(drainRelay(relay, chains, () => setDialog(null)))}>${relay.drained ? 'Use again…' : 'Drain…'}</button>
        <button class="danger" onClick=${() => setDialog(forgetRelay(relay, chains, () => setDialog(null)))}>Forget…</button>`}
      </div></div>
    ${dialog}
    ${relay.status === 'SILENT' && html`<${Note} kind="warn">Silent since ${dateTime(relay.lastSeenAt)}, but heard by other relays: its streams continue, and nothing new is planned through it.</${Note}>`}
    ${relay.status === 'LOST' && html`<${Note} kind="bad">Silent since ${dateTime(relay.lastSeenAt)}. Its streams may continue; its report here is old.</${Note}>`}
    ${relay.status === 'STOPPED' && html`<${Note}>It announced its end, ${dateTime(relay.lastSeenAt)}. Start it again under its name to use it.</${Note}>`}
    ${relay.drained && html`<${Note} kind="warn">Drained: nothing new is planned through it. ${chains.length ? `${chains.length} open ${chains.length === 1 ? 'chain goes' : 'chains go'} on through it; re-plan or close ${chains.length === 1 ? 'it' : 'them'}.` : 'No chain uses it: it can be stopped.'}</${Note}>`}
    <div class="columns">
      <${Panel} title="Configuration">
        <${Facts} of=${[
          ['Site', relay.site],
          ['Control port', relay.control ? `${relay.control.host}:${relay.control.port}` : 'its own host only'],
          ['Hops and probes', `${relay.hop.host}:${relay.hop.port}`],
          ['Version', relay.version],
          ['Instance', shortId(relay.instance)],
          ['Capacity, as its operator says', rate(relay.capacityBitsPerSecond)],
          ['Price', price(relay.pricePerGib)],
          ['Hops encrypted', relay.hopSecurity && words(relay.hopSecurity)],
          ['Sends with', relay.congestionControl],
          ['Could send with', relay.congestionControls?.join(', ')],
        ]} />
      </${Panel}>
      <${Panel} title="Load">
        <${Facts} of=${[
          ['Processor time', processorShare(relay) == null ? null : `${percent(processorShare(relay))} ${processors(relay)}`],
          ['Running streams', count(relay.runningStreams)],
          ['Held in memory', bytes(relay.heldBytes)],
          ['Memory for streams', bytes(relay.limits?.memoryBytes)],
          ['Streams at most', count(relay.limits?.maxStreams)],
          ['Open chains', count(chains.length)],
          ['Registered', dateTime(relay.registeredAt)],
          ['Up for', seconds(upFor(relay))],
          ['Last heard', ago(relay.lastSeenAt)],
          ['Restarts', count(relay.restarts)],
        ]} />
      </${Panel}>
      <${Panel} title="Chains through it" wide>
        ${chains.length === 0 ? html`<${Empty} title="No open chain">Nothing depends on this relay now.</${Empty}>`
          : html`<${Table} label="Chains through ${name}" rows=${chains} rowKey=${(chain) => chain.id} columns=${[
            { key: 'name', head: 'Chain', unit: '', by: (chain) => chain.name ?? chain.id, cell: (chain) => html`<${ChainLink} chain=${chain} />` },
            { key: 'state', head: 'State', by: (chain) => chain.state, cell: (chain) => html`<${State} of=${chain.state} />` },
            { key: 'way', head: 'Way', cell: (chain) => html`<${Way} relays=${chain.relays} />` },
            { key: 'to', head: 'Destination', by: (chain) => chain.destination, cell: (chain) => chain.destination },
          ]} />`}
      </${Panel}>
      ${isOpen('links') && html`<${Panel} title="Its links" wide>
        ${links.length === 0 ? html`<${Empty} title="No link measured">Links are measured between two relays or more.</${Empty}>`
          : html`<${Table} label="Links of ${name}" rows=${links} rowKey=${(link) => linkKey(link.from, link.to)} mark=${(link) => (link.stale ? 'faded' : '')} columns=${[
            { key: 'link', head: 'Link', by: (link) => linkKey(link.from, link.to), cell: (link) => html`<a href=${to('links', link.from, link.to)}>${link.from} → ${link.to}</a>` },
            { key: 'rtt', head: 'Round trip', number: true, unit: 'ms', by: (link) => link.minRttMillis, cell: (link) => millis(link.minRttMillis) },
            { key: 'loss', head: 'Loss', number: true, by: seenLoss, cell: (link) => html`<span title=${lossCounts(link)}>${lossText(link)}</span>` },
            { key: 'past', head: 'Round trip, past minutes', drawn: true, cell: (link) => html`<${Spark} points=${(live.linkHistory.get(linkKey(link.from, link.to)) ?? []).map(({ t, rtt }) => ({ t, v: rtt }))} />` },
          ]} />`}
      </${Panel}>`}
    </div>`;
}
