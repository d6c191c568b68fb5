// A chain's hops: the pipeline as a picture, and what is known of every hop as a table.

import { held, lastFull, room } from './buffers.js';
import { Meter } from './charts.js';
import { bytes, count, millis, NONE, percent, rate } from './format.js';
import { carries, live } from './live.js';
import { lossOf, predictedLoss, shortLoss } from './loss.js';
import { Facts, Lead, Note, RelayLink, Scroll, Table } from './parts.js';
import { predictedHops, statisticsOf } from './prediction.js';
import { addressOf, DESTINATION, routeHops, routeRows, SOURCE } from './route.js';
import { to } from './router.js';
import { html } from './ui.js';

const USUAL_BUFFER = 4 << 20; // The contract's default of bufferBytes.

/** Everything that is known of each hop: predicted with the plan, measured by probes, seen in traffic. */
export function hopsOf(chain, streams) {
  const predictions = predictedHops(chain);
  const statistics = carries(chain) ? statisticsOf(live, chain) : null;
  return routeHops(chain).map(({ address, from, to: next, transport, congestionControl }) => {
    const predicted = predictions.get(address) ?? null;
    return {
      address, from, to: next, predicted,
      transport: transport ?? null,
      // A plan knows no options of single hops; the route does.
      control: congestionControl ?? predicted?.congestionControl ?? null,
      link: live.links?.find((link) => link.from === from && link.to === next) ?? null,
      seen: statistics?.hops.find(({ hop }) => addressOf(hop) === address) ?? null,
      relay: from === SOURCE ? null : buffer(chain, from, streams),
    };
  });
}

/** What the relay holds for the chain, and how near a stream came to its budget. */
function buffer(chain, relay, streams) {
  const said = live.relays?.find((one) => one.name === relay);
  const budget = chain.options?.bufferBytes ?? said?.limits?.streamBytes ?? USUAL_BUFFER;
  const peaks = (streams ?? [])
    .map((stream) => stream.relays.find((report) => report.relay === relay)?.peakHeldBytes)
    .filter((peak) => peak != null);
  const total = chain.totals?.find((one) => one.relay === relay);
  return {
    budget,
    peak: peaks.length ? Math.max(...peaks) : null,
    held: total?.heldBytes ?? null,
    running: total?.running ?? null,
    warm: total?.warmConnections ?? null,
  };
}

const rtt = (hop) => hop.seen?.minRttMillis ?? hop.link?.minRttMillis ?? hop.predicted?.rttMillis ?? null;

const hopLoss = (hop) => lossOf(hop.link) ?? hop.predicted?.lossRate ?? null;

const hopLossText = (hop) => (lossOf(hop.link) == null ? predictedLoss(hop.predicted) : shortLoss(hop.link));

/** The bottleneck, by traffic where somebody can tell, else by prediction. */
export function bottleneck(chain, hops) {
  const said = carries(chain) ? statisticsOf(live, chain)?.bottleneck : null;
  if (said) return { by: 'traffic', text: said };
  const hop = hops.find((one) => one.predicted?.bottleneck);
  const full = hop ? null : lastFull(hops);
  if (full) return { by: 'buffers', text: `data waits at ${full.from}, which holds ${bytes(held(full))} of ${bytes(room(full.relay))}` };
  return hop ? { by: 'prediction', text: `${hop.from} → ${hop.to}, at ${rate(hop.predicted.bitsPerSecond)}` } : null;
}

export function Hops({ chain, streams }) {
  const hops = hopsOf(chain, streams);
  if (!chain.relays.length) return html`<${Note}>No relays were chosen.</${Note}>`;
  const limit = bottleneck(chain, hops);
  const traffic = hops.some((hop) => hop.seen?.bottleneck);
  const isLimit = (hop) => (traffic ? hop.seen?.bottleneck : limit?.by === 'prediction' && hop.predicted?.bottleneck);
  const rows = routeRows(chain).map(({ name, addresses }) => ({ name, hops: hops.filter((hop) => addresses.includes(hop.address)) }));
  const names = new Map(rows.flatMap((row) => row.hops.map((hop) => [hop.address, row.name])));
  const columns = rows.length > 1 ? [HOP, { key: 'pipe', head: 'Pipe', by: (hop) => hop.address, cell: (hop) => names.get(hop.address) || 'all' }] : [HOP];
  return html`
    <${Scroll} label="The chain from source to destination"><div>${rows.map((row) => html`
      ${row.name && html`<h3 class="sub">${row.name}</h3>`}
      <${Pipeline} label=${row.name || (rows.length > 1 ? `From ${row.hops[0].from} to ${row.hops.at(-1).to}` : 'From source to destination')} hops=${row.hops} isLimit=${isLimit} destination=${chain.destination} />`)}</div></${Scroll}>
    <p class="bottleneck-line">${limit
      ? html`Bottleneck by ${limit.by}: <b>${limit.text}</b>`
      : html`<span class="muted">No bottleneck is known: none was predicted, and no traffic shows one.</span>`}</p>
    <${Table} label="Every hop" rows=${hops} rowKey=${(hop) => hop.address} mark=${(hop) => (isLimit(hop) ? 'bottleneck' : '')} columns=${[...columns, ...MEASURED]} />
    ${hops.some((hop) => hop.seen) && html`
      <h3 class="sub">Their connections now</h3>
      <${Table} label="Connections of every hop" rows=${hops} rowKey=${(hop) => hop.address} mark=${(hop) => (isLimit(hop) ? 'bottleneck' : '')} columns=${[...columns, ...SEEN]} />`}
    ${hops.filter((hop) => hop.seen?.coded).map((hop) => html`<${CodedCard} hop=${hop} pipe=${names.get(hop.address)} />`)}
    <p class="fine">Round trip and retransmissions are those of the chain's own connections if relays report them (TCP_INFO), otherwise those of probes between the relays. A dash means unknown.</p>`;
}

/** Hops in a row as a picture. */
function Pipeline({ label, hops, isLimit, destination }) {
  const last = hops.at(-1).to;
  return html`<ol class="pipeline" aria-label=${label}>${hops.map((hop) => html`
      <li class="stop">
        ${hop.from === SOURCE ? html`<b>source</b>` : html`<b><${RelayLink} name=${hop.from} /></b>`}
        ${hop.relay && html`<small>${hop.relay.held != null ? `holds ${bytes(hop.relay.held)}` : hop.relay.peak != null ? `held up to ${bytes(hop.relay.peak)}` : ''}</small>`}
      </li>
      <li class="hop ${isLimit(hop) ? 'limit' : ''}">
        <span>${millis(rtt(hop))}</span><i aria-hidden="true"></i>
        <small>${isLimit(hop) ? html`<b class="flag">bottleneck</b>` : hopLoss(hop) != null ? `loss ${hopLossText(hop)}` : ''}</small>
      </li>`)}
      <li class="stop">${last === DESTINATION ? html`<b>destination</b><small>${destination}</small>` : html`<b><${RelayLink} name=${last} /></b>`}</li>
    </ol>`;
}

const MODES = {
  START: 'looking for the rate',
  DELAY: 'alone on the link, short queue',
  DOWN: 'probing below the rate',
  COMPETE: 'sharing the link with other senders',
  DRAIN: 'probing whether other senders have stopped',
};

/** Whether the next relay has taken no session, so that nothing is coded. */
const isPlain = (coded) => coded.carrier === 'PLAIN_TCP';

/** What carries a hop, in a word. */
function over(hop) {
  const coded = hop.seen?.coded;
  if (!coded) {
    return hop.transport ?? NONE;
  }
  return isPlain(coded) ? 'plain TCP' : `coded, ${coded.carrier}`;
}

/** A coded hop: what it loses, what repairs cost, and what carries it. */
function CodedCard({ hop, pipe }) {
  const { coded } = hop.seen;
  const needed = coded.lossShare != null && coded.lossShare < 1 ? coded.lossShare / (1 - coded.lossShare) : null;
  const repairs = coded.sourceSymbols ? coded.repairSymbols / coded.sourceSymbols : null;
  const mode = coded.mode?.toUpperCase();
  return html`
    <section class="card coded" aria-label=${`Coded hop ${hop.from} to ${hop.to}${pipe ? `, ${pipe}` : ''}`}>
      <h3 class="sub">Coded hop ${hop.from} → ${hop.to}${pipe ? `, ${pipe}` : ''} <b class="badge">${isPlain(coded) ? 'plain TCP' : coded.carrier}</b></h3>
      ${coded.why && html`<p>${coded.why}</p>`}
      <${Facts} of=${[
        ['Loss', `${percent(coded.lossShare)} of what was sent lately`],
        ['The path\'s own', percent(coded.baseLossShare)],
        ['Repairs', `${percent(repairs)}, needed ${percent(needed)}`],
        ['Rate control', mode ? `${mode}${MODES[mode] ? `: ${MODES[mode]}` : ''}` : NONE],
        ['Round trip', millis(coded.roundTripMillis)],
        ['Capacity seen', rate(coded.capacityBitsPerSecond)],
        ['Sessions, streams', `${count(coded.sessions)}, ${count(coded.streams)}`],
      ]} />
    </section>`;
}

const HOP = { key: 'hop', head: 'Hop', by: (hop) => hop.address, cell: (hop) => (hop.link ? html`<${Lead} href=${to('links', hop.from, hop.to)}>${hop.from} → ${hop.to}</${Lead}>` : `${hop.from} → ${hop.to}`) };

const MEASURED = [
  { key: 'rtt', head: 'Round trip', number: true, unit: 'ms', by: rtt, cell: (hop) => millis(rtt(hop)) },
  { key: 'loss', head: 'Loss', number: true, by: hopLoss, cell: hopLossText },
  { key: 'predicted', head: 'Rate, predicted', number: true, unit: 'bit/s', by: (hop) => hop.predicted?.bitsPerSecond, cell: (hop) => rate(hop.predicted?.bitsPerSecond) },
  { key: 'cc', head: 'Sends with', by: (hop) => hop.control, cell: (hop) => hop.control ?? NONE },
  { key: 'over', head: 'Over', by: (hop) => hop.transport, cell: over },
  { key: 'buffer', head: 'Buffer of its relay', by: (hop) => hop.relay?.peak, cell: (hop) => html`<${Fill} relay=${hop.relay} seen=${hop.seen} />` },
  { key: 'warm', head: 'Warm', help: 'Connections that are ready for the next stream', number: true, unit: '', by: (hop) => hop.relay?.warm, cell: (hop) => count(hop.relay?.warm) },
];

const SEEN = [
  { key: 'connections', head: 'Connections', number: true, unit: '', by: (hop) => hop.seen?.connections, cell: (hop) => count(hop.seen?.connections) },
  { key: 'mean', head: 'Round trip, mean', number: true, unit: 'ms', by: (hop) => hop.seen?.meanRttMillis, cell: (hop) => millis(hop.seen?.meanRttMillis) },
  { key: 'retransmitted', head: 'Retransmitted', number: true, by: (hop) => hop.seen?.retransmittedSegments, cell: (hop) => html`${count(hop.seen?.retransmittedSegments)}${hop.seen?.retransmittedShare != null ? html` <small>${percent(hop.seen.retransmittedShare)} now</small>` : ''}` },
  { key: 'window', head: 'In flight / window', help: 'Segments', number: true, by: (hop) => hop.seen?.unackedSegments, cell: (hop) => (hop.seen?.congestionWindowSegments == null ? NONE : `${count(hop.seen.unackedSegments)} / ${count(hop.seen.congestionWindowSegments)}`) },
  { key: 'unsent', head: 'Unsent in kernel', number: true, unit: 'B', by: (hop) => hop.seen?.notSentBytes, cell: (hop) => bytes(hop.seen?.notSentBytes) },
  { key: 'stalls', head: 'Its relay waits for', help: 'Share of the forward direction\'s time', cell: (hop) => html`<${Stalls} shares=${hop.seen?.forwardStalls} />` },
];

/** Of the forward direction: data from before, the next hop, or memory. */
function Stalls({ shares }) {
  if (!shares) return NONE;
  const parts = [['data', 'data', shares.data], ['the next hop', 'sink', shares.sink], ['memory', 'budget', shares.budget]];
  return html`<span class="stalls"><span class="bar" aria-hidden="true">${parts.map(([, kind, share]) => html`<i class=${kind} style=${{ width: `${share * 100}%` }}></i>`)}</span>
    <small>${parts.filter(([, , share]) => share >= 0.005).map(([name, , share]) => `${name} ${percent(Number(share.toFixed(2)))}`).join(', ') || 'nothing'}</small></span>`;
}

function Fill({ relay, seen }) {
  if (!relay) return NONE;
  const now = held({ relay, seen });
  const most = room(relay);
  if (now != null) return html`<${Meter} label="Held now" share=${now / most} text=${`${bytes(now)} of ${bytes(most)}`} />${relay.peak != null && html`<br /><small>a stream held up to ${bytes(relay.peak)}</small>`}`;
  return relay.peak == null ? NONE : html`<${Meter} label="Most that a stream held" share=${relay.peak / relay.budget} text=${`a stream held up to ${bytes(relay.peak)} of ${bytes(relay.budget)}`} />`;
}
