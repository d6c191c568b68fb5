// The pipes of a chain's segments: what each carries beside the others, and what happened to it.

import { bytes, count, millis, percent, rate, seconds } from './format.js';
import { carries, live } from './live.js';
import { Scroll, State } from './parts.js';
import { statisticsOf } from './prediction.js';
import { addressOf, pipeName } from './route.js';
import { html } from './ui.js';

/** Of segments that have several pipes, or one that is framed: { address, relays } of each pipe. */
export function pipesOf(chain) {
  const segments = chain.route?.segments ?? [];
  if (segments.length < 2) return [];
  return segments.flatMap(({ pipes }, segment) => pipes.map(({ hops }, pipe) => ({
    address: addressOf({ segment, pipe, hop: 0 }),
    segment,
    name: pipeName(segments, segment, pipe),
    relays: [hops[0].from, ...hops.map((hop) => hop.to)],
  }))).filter(({ relays }) => relays[0] !== 'source' && relays.at(-1) !== 'destination');
}

const carried = (totals) => (totals ? totals.sentBytes + totals.receivedBytes : 0);

/** Shares of what the pipes of each segment have carried, by address; null where nothing was. */
function shares(pipes, totalsOf) {
  const sums = new Map();
  pipes.forEach((pipe) => sums.set(pipe.segment, (sums.get(pipe.segment) ?? 0) + carried(totalsOf(pipe))));
  return new Map(pipes.map((pipe) => [pipe.address, sums.get(pipe.segment) ? carried(totalsOf(pipe)) / sums.get(pipe.segment) : null]));
}

/** A lane for each pipe of the chain: of all streams together. */
export function PipeLanes({ chain }) {
  const pipes = pipesOf(chain);
  const hops = carries(chain) ? statisticsOf(live, chain)?.hops ?? [] : [];
  const of = (pipe) => hops.find(({ hop }) => addressOf(hop) === pipe.address);
  return html`<${Lanes} pipes=${pipes} totalsOf=${(pipe) => of(pipe)?.pipe} predictedOf=${(pipe) => of(pipe)?.predictedPipeShare} />`;
}

/** The same of one stream, as the junction where its pipes begin sees it. */
export function StreamLanes({ chain, stream }) {
  const totals = stream.relays.flatMap((relay) => relay.pipes ?? []);
  const of = (pipe) => totals.find(({ hop }) => addressOf(hop) === pipe.address);
  return html`<${Lanes} pipes=${pipesOf(chain).filter(of)} totalsOf=${of} predictedOf=${() => null} />`;
}

/** What the junction measures of pipes, as far as it does. */
function measured({ bitsPerSecond, roundTripMillis, queuedBytes }) {
  return [
    bitsPerSecond == null ? null : `up to ${rate(bitsPerSecond)}`,
    roundTripMillis == null ? null : `round trip ${millis(roundTripMillis)}`,
    queuedBytes == null ? null : `${bytes(queuedBytes)} on the way`,
  ].filter((part) => part).map((part) => `; ${part}`).join('');
}

function Lanes({ pipes, totalsOf, predictedOf }) {
  const share = shares(pipes, totalsOf);
  return html`<${Scroll} label="Pipes as lanes"><ol class="lanes" aria-label="Pipes">${pipes.map((pipe) => {
    const totals = totalsOf(pipe);
    const own = share.get(pipe.address);
    const predicted = predictedOf(pipe);
    return html`<li class="lane">
      <b>${pipe.name ? `${pipe.name}: ` : ''}${pipe.relays.join(' → ')}</b>
      <span class="lane-track" role="img" aria-label=${own == null ? 'nothing carried' : `carried ${percent(own)}`}>
        <i style=${{ width: `${100 * (own ?? 0)}%` }} aria-hidden="true"></i>
        ${predicted != null && html`<u style=${{ left: `${100 * predicted}%` }} aria-hidden="true"></u>`}
      </span>
      <span>${own == null ? '–' : percent(Number(own.toFixed(3)))}${predicted != null && html` <small>planned ${percent(Number(predicted.toFixed(3)))}</small>`}</span>
      ${totals?.state && html`<${State} of=${totals.state} />`}
      <small>${totals ? `${count(totals.running)} open, ${count(totals.lost)} lost, ${count(totals.moved ?? 0)} moved; ${bytes(totals.sentBytes)} sent, ${bytes(totals.receivedBytes)} received${measured(totals)}` : 'no report'}${totals?.change ? `; ${seconds(totals.changedSecondsAgo)} ago ${totals.change}` : ''}</small>
    </li>`;
  })}</ol></${Scroll}>`;
}
