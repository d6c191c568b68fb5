// Predicted against achieved. A prediction is of one stream from source to destination, and so is
// everything that is compared with it here.

import { count, rate } from './format.js';
import { DESTINATION, routeHops, SOURCE } from './route.js';

/** Streams that moved less say more of set-up than of rate. */
export const LEAST_BYTES = 1 << 20;

const same = (a, b) => a.length === b.length && a.every((one, i) => one === b[i]);

export const directOf = (plan) =>
  plan?.candidates.find((candidate) => candidate.kind === 'DIRECT') ?? null;

/** Whether one candidate is predicted to be faster than another, by a little more than nothing. */
const isFaster = (one, other) => (one.seconds != null && other.seconds != null
  ? one.seconds * 1.02 < other.seconds
  : one.bitsPerSecond != null && other.bitsPerSecond != null && one.bitsPerSecond > other.bitsPerSecond * 1.02);

/** A way without relays that is predicted to be faster than the best cascade, as with BBR; null where there is none. */
export function bestWithoutRelays(plan) {
  const cascade = plan.candidates.find((one) => one.kind === 'CASCADE' && same(one.relays, plan.relays ?? []));
  const isLimited = (one) => one.hops?.every((hop) => hop.bitsPerSecond != null) ?? true; // Else nothing is predicted.
  const faster = cascade ? plan.candidates.filter((one) => !one.relays.length && isLimited(one) && isFaster(one, cascade)) : [];
  return faster.length ? faster.reduce((best, one) => (isFaster(one, best) ? one : best)) : null;
}

/** What was predicted of the very relays that the chain goes through. */
export const cascadeOf = (chain) =>
  chain.plan?.candidates.find(
    (candidate) => candidate.kind === 'CASCADE' && same(candidate.relays, chain.relays)) ?? null;

/** What was predicted of each hop of the chain, by its address: a plan lists them in the route's order. */
export function predictedHops(chain) {
  const predictions = cascadeOf(chain)?.hops.values();
  return new Map(predictions ? routeHops(chain).map(({ address }) => [address, predictions.next().value]) : []);
}

export function candidateName(candidate) {
  switch (candidate.kind) {
    case 'DIRECT': return 'Direct';
    case 'DIRECT_BBR': return 'Direct, with BBR';
    case 'PARALLEL_DIRECT': return `Direct, ${candidate.connections ?? 'several'} connections`;
    case 'MULTIPATH': return `${candidate.connections ?? 'Several'} routes at once`;
    default: return `Via ${candidate.relays.join(', ')}${changedControls(candidate.hops)}`;
  }
}

/** What relays are to send with instead of what they usually send with. */
function changedControls(hops = []) {
  const changed = hops.filter((hop) => hop.usualCongestionControl);
  if (!changed.length) return '';
  const control = (hop) => hop.congestionControl.toUpperCase();
  const rest = hops.slice(hops.indexOf(changed[0]));
  return rest.every((hop) => hop.usualCongestionControl && hop.congestionControl === rest[0].congestionControl)
    ? `, ${control(rest[0])} from ${rest[0].from} on`
    : changed.map((hop) => `, ${control(hop)} on ${hop.from}→${hop.to}`).join('');
}

/**
 * A candidate's predicted rate. A prediction without an interval is its own; of an interval with one end the other
 * is not known, which null says.
 */
export function rateOf(candidate) {
  const likely = candidate?.bitsPerSecond ?? null;
  const [low, high] = [candidate?.bitsPerSecondLow ?? null, candidate?.bitsPerSecondHigh ?? null];
  return low === null && high === null ? { low: likely, likely, high: likely } : { low, likely, high };
}

/** What is said of a way that nobody tried, of which there are bounds and no estimate; null of others. */
export function untried(candidate) {
  if (candidate.evidence !== 'BOUND') return null;
  return candidate.bitsPerSecondLow == null ? 'untried' : `at least ${rate(candidate.bitsPerSecondLow)}, untried`;
}

export const hasRate = (candidate) => Object.values(rateOf(candidate)).some((bitsPerSecond) => bitsPerSecond !== null);

/** What reached the destination side of a stream, as the chain's last relay that reported saw it. */
export function delivered(stream, chain) {
  const senders = routeHops(chain).map((hop) => stream.relays.find((report) => report.relay === hop.from));
  return senders.findLast((report) => report)?.forwardBytesOut ?? 0;
}

/** Whether a stream ended with a reset. Applications end streams so; relays pass it on. */
export const isReset = (reason) => reason === 'inlet-reset' || reason === 'onward-reset';

/**
 * What the chain's streams have achieved: the median of their rates over their whole lives. Idle
 * time of the application counts against them; the reader is told so.
 */
export function achieved(chain, streams) {
  if (!streams) return null;
  const rates = streams
    .filter((stream) => (stream.state !== 'FAILED' || isReset(stream.reason)) && stream.durationMillis > 0)
    .map((stream) => ({
      bytes: delivered(stream, chain),
      seconds: stream.durationMillis / 1e3,
      running: stream.state === 'RUNNING',
    }))
    .filter((one) => one.bytes >= LEAST_BYTES)
    .map((one) => ({ ...one, bitsPerSecond: (one.bytes * 8) / one.seconds }))
    .sort((a, b) => a.bitsPerSecond - b.bitsPerSecond);
  if (!rates.length) return null;
  return {
    bitsPerSecond: median(rates.map((one) => one.bitsPerSecond)),
    low: rates[0].bitsPerSecond,
    high: rates.at(-1).bitsPerSecond,
    streams: rates.length,
    running: rates.filter((one) => one.running).length,
  };
}

export function median(sorted) {
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * How many times as fast as the direct connection was predicted to be, with that prediction's own
 * interval: the bounds are the gain over its fast and its slow end; null where that end is not known.
 */
export function gain(chain, streams) {
  const direct = directOf(chain.plan);
  const reached = achieved(chain, streams);
  if (!hasRate(direct) || !reached) return null;
  const over = (bitsPerSecond) => (bitsPerSecond > 0 ? reached.bitsPerSecond / bitsPerSecond : null);
  const expected = rateOf(direct);
  return { likely: over(expected.likely), low: over(expected.high), high: over(expected.low) };
}

/** Whether a chain is held up before its first relay or behind its last, where ends may be slow. */
function endsLimit(statistics) {
  const hops = statistics?.hops ?? [];
  return hops.some((hop) => hop.bottleneck && (hop.from === SOURCE || hop.to === DESTINATION));
}

/**
 * The answer to "is it helping?", in a word and a reason, with its tone.
 *
 * @param statistics of the chain now, where there are any
 */
export function verdict(chain, streams, statistics) {
  if (!chain.plan) {
    return { tone: 'quiet', mark: '?', word: 'not predicted',
      reason: 'opened through named relays without a source, so nothing was predicted' };
  }
  if (!hasRate(directOf(chain.plan))) {
    return { tone: 'quiet', mark: '?', word: 'no comparison',
      reason: 'the direct path was not measured when the chain was planned' };
  }
  const factor = gain(chain, streams);
  if (!factor) {
    return { tone: 'quiet', mark: '…', word: 'no traffic yet',
      reason: 'no stream has moved 1 MiB to the destination; only that direction was predicted' };
  }
  if (factor.low !== null && factor.low > 1) {
    return { tone: 'good', mark: '▲', word: 'helping', factor,
      reason: 'faster than even the optimistic end of the direct prediction' };
  }
  const slower = factor.high !== null && factor.high < 1;
  if (slower && endsLimit(statistics)) {
    return { tone: 'quiet', mark: '=', word: 'held up at an end', factor,
      reason: `slower than direct was predicted, but ${statistics.bottleneck ?? 'its first or last hop'} limits it: the hop to an end, or the application there` };
  }
  if (slower) {
    return { tone: 'bad', mark: '▼', word: 'not helping', factor,
      reason: 'slower than even the pessimistic end of the direct prediction' };
  }
  return { tone: 'warn', mark: '≈', word: 'no clear gain', factor,
    reason: 'within what the direct connection was predicted to do' };
}

export const statisticsOf = (live, chain) =>
  live.statistics?.chains.find((one) => one.chainId === chain.id) ?? null;

export const probes = (hop) =>
  hop.probesSent == null ? '' : `${count(hop.probesLost)} of ${count(hop.probesSent)} probes`;
