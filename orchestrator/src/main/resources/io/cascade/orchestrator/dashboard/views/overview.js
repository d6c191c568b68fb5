import { isOpen } from '../access.js';
import { isAlarm } from '../attention.js';
import { api } from '../api.js';
import { RangeChoice, TimeChart } from '../charts.js';
import { Comparison, Verdict } from '../comparison.js';
import { chainName, count, rate, times } from '../format.js';
import { carries, live, may, MOST_WATCHED, useLive, usePast, USUAL_MINUTES } from '../live.js';
import { ChainLink, Empty, Figure, Lead, Loading, NoRelays, Note, Panel, State, Way } from '../parts.js';
import { gain, median } from '../prediction.js';
import { rangeOr } from '../ranges.js';
import { to } from '../router.js';
import { html } from '../ui.js';
import { Attention } from './attention.js';
import { EventList } from './events.js';
import { Transfers } from './transfers.js';

const SHOWN = 4;

export function Overview() {
  useLive();
  const remembers = may('network:read'); // What the orchestrator does is shown to these alone.
  const minutes = remembers ? rangeOr(USUAL_MINUTES) : USUAL_MINUTES;
  const total = usePast(minutes, 'total', remembers ? api.rateHistory : null, live.total);
  const { relays, chains } = live;
  if (!relays || !chains) return html`<h1 tabindex="-1">Overview</h1><${Loading} what="relays and chains" />`;
  const details = chains.filter(carries).map((chain) => live.details.get(chain.id)).filter(Boolean);
  const now = live.total.at(-1);
  const moving = details.filter((chain) => traffic(chain) > 0).length;
  const present = chains.filter((chain) => (chain.state === 'FAILED' ? isAlarm(chain) : chain.state !== 'CLOSED'));
  return html`
    <h1 tabindex="-1">Overview</h1>
    <${Attention} />
    <div class="figures">
      <${Helping} chains=${details} />
      <${Figure} label="Throughput" value=${rate(now?.forward)} note=${now?.backward != null ? `${rate(now.backward)} backwards` : 'of all chains, at the last relay'} />
      <${Figure} label="Streams" value=${count(running(details))} note="running through chains" />
      <${Figure} label="Relays" value=${`${up(relays)} of ${relays.length}`} note="are up" kind=${up(relays) < relays.length ? 'warn' : ''} />
      <${Figure} label="Chains" value=${count(chains.filter(carries).length)} note=${`are open; ${count(moving)} ${moving === 1 ? 'carries' : 'carry'} data now`} />
    </div>
    <div class="columns">
      <${Panel} title="Is it helping?" wide aside=${html`<span class="muted">achieved against predicted, source to destination</span>`}>
        <${Comparisons} chains=${details} all=${chains} relays=${relays} />
      </${Panel}>
      <${Panel} title="Throughput" wide aside=${remembers ? html`<${RangeChoice} usual=${USUAL_MINUTES} />` : ''}>
        <${TimeChart} label="Throughput of all chains" as=${rate} unit="bit/s" minutes=${minutes} series=${[
          { name: 'to destinations', kind: 'achieved', points: total.map(({ t, forward }) => ({ t, v: forward })) },
          { name: 'back to sources', kind: 'backward', points: total.map(({ t, backward }) => ({ t, v: backward })) },
        ]} />
        ${live.unwatched > 0 && html`<${Note}>${live.unwatched} more chains carry traffic; only ${MOST_WATCHED} are watched at a time.</${Note}>`}
        <p class="fine">Samples of this page where it was open; otherwise, and beyond a quarter of an hour, means that the orchestrator keeps: of ten seconds, beyond an hour of two minutes.</p>
      </${Panel}>
      <${Transfers} />
      <${Panel} title="Relays by health" aside=${html`<a href=${to('relays')}>All relays</a>`}>
        ${relays.length === 0
          ? html`<${NoRelays} />`
          : html`<${Tally} of=${relays} by=${(relay) => relay.status} name=${(relay) => html`<a href=${to('relays', relay.name)}>${relay.name}</a>`} />`}
      </${Panel}>
      <${Panel} title="Chains by health" aside=${html`<a href=${to('chains')}>All chains</a>`}>
        ${present.length === 0
          ? html`<${Empty} title=${chains.length ? 'No chain is open' : 'No chain yet'}>Ask the <${Lead} href=${to('plan')}>planner</${Lead}> whether one would pay, or open one with <code>./cascade open --to HOST:PORT</code></${Empty}>`
          : html`<${Tally} of=${present} by=${(chain) => chain.state} name=${(chain) => html`<${ChainLink} chain=${chain} />`} />`}
      </${Panel}>
      ${isOpen('events') && html`<${Panel} title="Latest events" wide aside=${html`<a href=${to('events')}>All events</a>`}>
        <${EventList} events=${live.events.slice(0, 8)} />
      </${Panel}>`}
    </div>`;
}

const up = (relays) => relays.filter((relay) => relay.status === 'UP').length;

const running = (chains) => chains.reduce(
  (sum, chain) => sum + Math.max(0, ...(chain.totals ?? []).map((total) => total.running)), 0);

function Helping({ chains }) {
  const gains = chains
    .map((chain) => gain(chain, live.streams.get(chain.id)?.streams)?.likely)
    .filter((factor) => factor != null)
    .sort((a, b) => a - b);
  const note = gains.length
    ? `as fast as direct was predicted, ${gains.length === 1 ? 'one chain' : `median of ${gains.length} chains`}`
    : 'no predicted chain has moved 1 MiB yet';
  const kind = !gains.length ? 'lead' : median(gains) > 1 ? 'lead good' : 'lead warn';
  return html`<${Figure} label="Is it helping?" kind=${kind} value=${gains.length ? times(median(gains)) : '–'} note=${note} />`;
}

function Comparisons({ chains, all, relays }) {
  const predicted = chains
    .filter((chain) => chain.plan)
    .sort((a, b) => traffic(b) - traffic(a));
  if (!predicted.length) {
    return html`<${Empty} title="Nothing to compare yet">${
      relays.length === 0 ? 'There are no relays.'
        : all.some(carries)
          ? html`The open chains were opened without a prediction: through relays that were named, without saying where the traffic starts. Open one from a <${Lead} href=${to('plan')}>plan</${Lead}>, with a source.`
          : html`No chain is open. A <${Lead} href=${to('plan')}>plan</${Lead}> says what one would achieve.`}</${Empty}>`;
  }
  return html`
    <div class="comparisons">${predicted.slice(0, SHOWN).map((chain) => {
      const streams = live.streams.get(chain.id)?.streams;
      return html`
        <article key=${chain.id} aria-label="Chain ${chainName(chain)}">
          <header><h3><${ChainLink} chain=${chain} /></h3> <${Way} relays=${chain.relays} /> <${Verdict} chain=${chain} streams=${streams} /></header>
          <${Comparison} chain=${chain} streams=${streams} />
        </article>`;
    })}</div>
    ${predicted.length > SHOWN && html`<p class="fine"><a href=${to('chains')}>${predicted.length - SHOWN} more</a></p>`}`;
}

function traffic(chain) {
  const now = live.rates.get(chain.id)?.at(-1);
  return now ? (now.forward ?? 0) + (now.backward ?? 0) : 0;
}

function Tally({ of, by, name }) {
  const groups = new Map();
  for (const one of of) groups.set(by(one), [...(groups.get(by(one)) ?? []), one]);
  const order = ['bad', 'warn', 'busy', 'good', 'quiet'];
  return html`<ul class="tally">${[...groups].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b)).map(([state, members]) => html`
    <li key=${state}><span class="count">${members.length}</span> <${State} of=${state} />
      <span class="members">${members.slice(0, 12).map((one, i) => html`${i > 0 ? ', ' : ''}${name(one)}`)}${members.length > 12 ? ' …' : ''}</span></li>`)}</ul>`;
}
