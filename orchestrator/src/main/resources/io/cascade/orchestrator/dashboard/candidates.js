// A plan's candidates, as intervals on one axis and hop by hop.

import { Intervals } from './charts.js';
import { ago, bytes, estimate, millis, NONE, price, rate, seconds } from './format.js';
import { predictedLoss } from './loss.js';
import { Note, RelayLink, State, Table } from './parts.js';
import { bestWithoutRelays, candidateName, directOf, hasRate, probes, rateOf, untried } from './prediction.js';
import { secondTicks } from './scales.js';
import { html } from './ui.js';

const DECISIONS = {
  CASCADE: { tone: 'good', label: 'A cascade pays' },
  DIRECT: { tone: 'quiet', label: 'Go directly' },
  EQUAL: { tone: 'quiet', label: 'Either, within 10 %' },
  UNDECIDED: { tone: 'warn', label: 'Undecided: the measurements do not decide' },
};

/** The table below has a way without relays that is faster still. */
const NOT_BEST = { tone: 'quiet', label: 'A cascade beats the usual direct connection' };

/** Relays that somebody asked for, or the only way there is: nothing says that they are faster. */
const UNCOMPARED = { tone: 'quiet', label: 'Through relays: there is nothing to compare them with' };

function decisionOf(plan) {
  if (plan.decision !== 'CASCADE') return DECISIONS[plan.decision];
  if (!hasRate(directOf(plan))) return UNCOMPARED;
  return bestWithoutRelays(plan) ? NOT_BEST : DECISIONS.CASCADE;
}

export function Decision({ plan }) {
  const said = decisionOf(plan);
  const measured = plan.evidenceAgeSeconds == null ? null : new Date(plan.plannedAt).getTime() - plan.evidenceAgeSeconds * 1e3;
  return html`
    <p class="decision"><${State} of=${plan.decision} as=${said.tone} label=${said.label} />
      <b class="summary">${plan.summary}${measured != null && ` Measured ${ago(measured)}.`}</b></p>
    ${plan.why && html`<p class="why">Why: ${plan.why}</p>`}
    ${plan.confidence && html`<p class="why">How sure: ${plan.confidence}</p>`}
    ${plan.notes?.length > 0 && html`<ul class="notes">${plan.notes.map((note) => html`<li>${note}</li>`)}</ul>`}`;
}

/** In seconds where bytes were given, in bits per second otherwise. */
export function Candidates({ plan, relays }) {
  const timed = plan.candidates.some((candidate) => [candidate.secondsLow, candidate.seconds, candidate.secondsHigh].some((value) => value != null));
  const value = (candidate) => (timed
    ? { low: candidate.secondsLow, likely: candidate.seconds, high: candidate.secondsHigh, as: seconds }
    : { ...rateOf(candidate), as: rate });
  const isThis = (candidate) => candidate.kind === 'CASCADE' && relays && candidate.relays.join() === relays.join();
  const rows = plan.candidates.map((candidate) => {
    const { low, likely, high, as } = value(candidate);
    const said = estimate(low, likely, high, as);
    const bound = untried(candidate);
    return {
      name: html`${candidateName(candidate)}${isThis(candidate) ? ' (this chain)' : candidate.chosen ? ' (best)' : ''}`,
      kind: candidate.kind === 'DIRECT' ? 'direct' : candidate.kind === 'CASCADE' ? 'predicted' : 'rival',
      low: bound && timed ? null : low, likely, high: bound && !timed ? null : high, chosen: relays ? isThis(candidate) : candidate.chosen,
      text: bound ?? (low == null && likely == null && high == null ? 'not measured' : html`<b>${said.value}</b> <small>${said.range}</small>`),
    };
  });
  const detailed = plan.candidates.filter((candidate) => candidate.hops.length);
  const first = detailed.find((candidate) => (relays ? isThis(candidate) : candidate.chosen));
  const others = detailed.filter((candidate) => candidate !== first);
  return html`
    <${Intervals} label="Every candidate with its prediction" head=${timed ? 'time' : 'rate'} as=${timed ? seconds : rate} steps=${timed ? secondTicks : undefined} rows=${rows} />
    <p class="fine">${timed ? `Time for ${bytes(plan.bytes)}, set-up included; shorter is better.` : 'Rate of one stream without an end; longer is better.'} Bars reach from the lower to the upper bound, each wrong in one of twenty cases; a bar that fades out has no bound there.</p>
    <div class="hops-of">
      ${first && html`<${HopsOf} candidate=${first} />`}
      ${others.length > 0 && html`<details><summary>The others, hop by hop</summary><div class="nested">${others.map((one) => html`<${HopsOf} candidate=${one} />`)}</div></details>`}
    </div>
    ${plan.excluded?.length > 0 && html`<${Note}>Not considered: ${plan.excluded.map((one) => `${one.relay} (${one.reason})`).join('; ')}.</${Note}>`}`;
}

function HopsOf({ candidate }) {
  return html`
    <details><summary>${candidateName(candidate)}: hops${candidate.pricePerGib != null ? `, ${price(candidate.pricePerGib)}` : ''}</summary>
      ${candidate.basis && html`<p class="fine">${candidate.basis}</p>`}
      <${Table} label="Hops of ${candidateName(candidate)}" rows=${candidate.hops} rowKey=${(hop) => candidate.hops.indexOf(hop)} mark=${(hop) => (hop.bottleneck ? 'bottleneck' : '')} columns=${[
        { key: 'hop', head: 'Hop', by: (hop) => `${hop.from} ${hop.to}`, cell: (hop) => html`<${RelayLink} name=${hop.from} /> → <${RelayLink} name=${hop.to} />${hop.bottleneck && html` <b class="flag">bottleneck</b>`}` },
        { key: 'rtt', head: 'Round trip', number: true, unit: 'ms', by: (hop) => hop.rttMillis, cell: (hop) => millis(hop.rttMillis) },
        { key: 'loss', head: 'Loss', number: true, by: (hop) => hop.lossRate, cell: (hop) => html`${predictedLoss(hop)} <small>${probes(hop)}</small>` },
        { key: 'rate', head: 'Rate', number: true, unit: 'bit/s', by: (hop) => hop.bitsPerSecond, cell: (hop) => html`${rate(hop.bitsPerSecond)}${hop.correction != null && html` <small>learned × ${hop.correction.toPrecision(2)}</small>`}` },
        { key: 'control', head: 'Sends with', by: (hop) => hop.congestionControl, cell: (hop) => hop.congestionControl ?? NONE },
        { key: 'basis', head: 'Basis', cell: (hop) => html`<div class="basis">${hop.basis}</div>` },
      ]} />
    </details>`;
}
