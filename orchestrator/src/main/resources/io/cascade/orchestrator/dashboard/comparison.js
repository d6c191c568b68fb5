// Predicted against achieved, as the same three bars wherever a chain is shown.

import { Intervals } from './charts.js';
import { estimate, rate, span, times } from './format.js';
import { live } from './live.js';
import { Note } from './parts.js';
import { achieved, candidateName, cascadeOf, directOf, rateOf, statisticsOf, verdict } from './prediction.js';
import { html } from './ui.js';

function predicted(name, kind, candidate) {
  const { low, likely, high } = rateOf(candidate);
  const said = estimate(low, likely, high, rate);
  return {
    name, kind, low, likely, high,
    text: low == null && likely == null && high == null ? 'not predicted' : html`<b>${said.value}</b> <small>${said.range}</small>`,
  };
}

const gainText = ({ low, likely, high }) => estimate(low, likely, high, times).value;

export function Verdict({ chain, streams, long }) {
  const said = verdict(chain, streams, statisticsOf(live, chain));
  return html`<span class="verdict ${said.tone}" title=${said.reason}>
    <span aria-hidden="true">${said.mark}</span> ${said.factor ? html`<b>${gainText(said.factor)}</b> ` : ''}${said.word}
    ${long && said.factor && html` <small>(${span(said.factor.low, said.factor.high, times)} as fast as the direct connection was predicted to be)</small>`}
    ${long && html`<small class="reason">${said.reason}</small>`}
  </span>`;
}

export function Comparison({ chain, streams, current }) {
  const reached = achieved(chain, streams);
  const rows = [
    predicted('Direct, predicted', 'direct', directOf(chain.plan)),
    predicted('This chain, predicted', 'predicted', cascadeOf(chain)),
    {
      name: 'Streams, achieved', kind: 'achieved', measured: true,
      low: reached?.low, likely: reached?.bitsPerSecond, high: reached?.high,
      text: reached
        ? html`<b>${rate(reached.bitsPerSecond)}</b> <small>${reached.streams > 1
          ? `median of ${reached.streams} streams, ${span(reached.low, reached.high, rate)}`
          : `of one stream${reached.running ? ' that runs' : ''}`}</small>`
        : 'no stream of 1 MiB yet',
    },
  ];
  if (current !== undefined) {
    rows.push({
      name: 'All streams, now', kind: 'now', measured: true, likely: current,
      text: html`<b>${rate(current)}</b>`,
    });
  }
  return html`<${Intervals} label="Predicted against achieved, payload from source to destination" rows=${rows} as=${rate} />`;
}

/** Ways without relays that the plan took to be faster than the chain: to be honest about them. */
export function Rivals({ chain }) {
  const mine = cascadeOf(chain);
  const faster = (chain.plan?.candidates ?? []).filter((candidate) =>
    !candidate.relays.length && mine?.bitsPerSecond != null && candidate.bitsPerSecond > mine.bitsPerSecond);
  return faster.length > 0 && html`<${Note}>Predicted to be faster still, without relays: ${faster
    .map((candidate) => `${candidateName(candidate)} at ${rate(candidate.bitsPerSecond)}`).join('; ')}.</${Note}>`;
}
