import { api } from '../api.js';
import { count, millis, percent } from '../format.js';
import { useAsked, useLive } from '../live.js';
import { Empty, Failure, Loading, Table } from '../parts.js';
import { html } from '../ui.js';

const ANEW = 2_000;

const sum = (all) => all.reduce((total, one) => total + one, 0);

const dropped = (gateway) => sum(gateway.report.drops.map((one) => one.packets));

const linksOf = (gateways) => gateways.flatMap((gateway) =>
  gateway.report.links.map((link) => ({ ...link, gateway: gateway.name, lost: gateway.lost })));

const ask = () => Promise.all([api.gateways(), api.tunnels()]).then(([gateways, tunnels]) => ({ gateways, tunnels }));

export function Gateways() {
  useLive();
  const { answer, problem } = useAsked(ask, ANEW);
  const { gateways, tunnels } = answer ?? {};
  return html`
    <h1 tabindex="-1">Gateways</h1>
    <p class="fine">Gateways carry IP packets between networks over coded sessions. Open a tunnel with <code>./cascade tunnel open</code>.</p>
    ${problem && html`<${Failure} problem=${problem} />`}
    ${!gateways ? !problem && html`<${Loading} what="gateways" />`
      : gateways.length === 0 ? html`<${Empty} title="No gateway reports here">Start one with <code>./cascade gateway up --name gw1 --orchestrator ${location.origin} …</code></${Empty}>`
      : html`
        <h2>Tunnels</h2>
        ${tunnels.length === 0 ? html`<p>None is open.</p>` : html`<${Table} label="Tunnels" first="way" rows=${tunnels} rowKey=${(one) => one.tunnelId} columns=${[
          { key: 'way', head: 'Way', by: (one) => one.gateways.join(' '), cell: (one) => one.gateways.join(' – ') },
          { key: 'state', head: 'State', by: (one) => one.words, cell: (one) => one.words },
          { key: 'from', head: 'From', by: (one) => one.fromPrefixes.join(' '), cell: (one) => one.fromPrefixes.join(' ') },
          { key: 'to', head: 'To', by: (one) => one.toPrefixes.join(' '), cell: (one) => one.toPrefixes.join(' ') },
          { key: 'name', head: 'Name', by: (one) => one.name, cell: (one) => one.name ?? '–' },
        ]} />`}
        <h2>Gateways</h2>
        <${Table} label="Gateways" first="name" rows=${gateways} rowKey=${(one) => one.name} mark=${(one) => (one.lost ? 'faded' : '')} columns=${[
          { key: 'name', head: 'Gateway', by: (one) => one.name, cell: (one) => one.name },
          { key: 'state', head: 'State', by: (one) => one.lost, cell: (one) => (one.lost ? 'lost' : 'reports') },
          { key: 'forwarded', head: 'Forwarded', help: 'Packets', number: true, unit: '', by: (one) => one.report.forwardedPackets, cell: (one) => count(one.report.forwardedPackets) },
          { key: 'dropped', head: 'Dropped', help: 'Packets, for any reason', number: true, unit: '', by: dropped, cell: (one) => html`<span title=${one.report.drops.map((each) => `${each.why}: ${each.packets}`).join(', ')}>${count(dropped(one))}</span>` },
          { key: 'mtu', head: 'MTU', number: true, unit: 'B', by: (one) => one.report.mtu, cell: (one) => count(one.report.mtu) },
          { key: 'version', head: 'Version', by: (one) => one.report.version, cell: (one) => one.report.version },
        ]} />
        <h2>Links</h2>
        <${Table} label="Links between gateways" first="link" rows=${linksOf(gateways)} rowKey=${(one) => `${one.gateway} ${one.peer}`} mark=${(one) => (one.lost ? 'faded' : '')} columns=${[
          { key: 'link', head: 'Link', by: (one) => `${one.gateway} ${one.peer}`, cell: (one) => `${one.gateway} → ${one.peer}` },
          { key: 'state', head: 'State', by: (one) => one.state, cell: (one) => one.state.toLowerCase() },
          { key: 'rtt', head: 'Round trip', number: true, unit: 'ms', by: (one) => one.roundTripMillis, cell: (one) => millis(one.roundTripMillis) },
          { key: 'loss', head: 'Loss', help: 'Of what this end sends', number: true, unit: 'share', by: (one) => one.lossRate, cell: (one) => percent(one.lossRate) },
          { key: 'sojourn', head: 'Queue', help: 'Mean wait before the link', number: true, unit: 'ms', by: (one) => one.sojournMillis, cell: (one) => millis(one.sojournMillis) },
          { key: 'drops', head: 'Dropped', help: 'By the queue', number: true, unit: '', by: (one) => one.droppedPackets, cell: (one) => count(one.droppedPackets) },
          { key: 'marks', head: 'Marked', help: 'With ECN', number: true, unit: '', by: (one) => one.markedPackets, cell: (one) => count(one.markedPackets) },
          { key: 'mode', head: 'Mode', help: 'Of the rate controller', by: (one) => one.mode, cell: (one) => one.mode ?? '–' },
        ]} />`}`;
}
