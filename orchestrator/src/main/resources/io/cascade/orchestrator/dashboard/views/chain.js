import { isOpen } from '../access.js';
import { closeChain } from '../actions.js';
import { api } from '../api.js';
import { Candidates, Decision } from '../candidates.js';
import { RangeChoice, TimeChart } from '../charts.js';
import { Comparison, Rivals, Verdict } from '../comparison.js';
import { ago, bytes, chainName, count, dateTime, millis, rate, seconds, shortId, streamName, words } from '../format.js';
import { carries, live, may, useLive, usePast, USUAL_MINUTES } from '../live.js';
import { Csv, Empty, Facts, Failure, Loading, Note, Panel, Scroll, State, Table, Way } from '../parts.js';
import { cascadeOf, delivered, directOf, rateOf } from '../prediction.js';
import { rangeOr } from '../ranges.js';
import { lastRelay } from '../route.js';
import { go, to } from '../router.js';
import { html, useEffect, useState } from '../ui.js';
import { EventList } from './events.js';
import { replan } from './plan.js';
import { Hops } from '../hops.js';
import { PipeLanes, pipesOf, StreamLanes } from '../pipes.js';

export function Chain({ id }) {
  useLive();
  const [other, setOther] = useState(null); // A chain that the list does not hold, or an ended one.
  const [problem, setProblem] = useState(null);
  const [dialog, setDialog] = useState(null);
  const listed = live.chains?.find((chain) => chain.id === id);
  const rates = live.rates.get(id) ?? [];
  const minutes = rangeOr(USUAL_MINUTES);
  const past = usePast(minutes, id, listed && carries(listed) ? (span) => api.chainHistory(id, span) : null, rates);
  useEffect(() => {
    live.shown = id;
    return () => { live.shown = null; };
  }, [id]);
  useEffect(() => {
    let gone = false;
    setProblem(null);
    api.chain(id).then((chain) => gone || setOther(chain), (failure) => gone || setProblem(failure));
    return () => { gone = true; };
  }, [id, listed?.state, listed?.updatedAt]);

  const detail = live.details.get(id);
  const chain = (listed && carries(listed) && detail) || (other?.id === id ? other : null) || listed;
  if (!chain) {
    return html`<p class="crumbs"><a href=${to('chains')}>Chains</a></p><h1 tabindex="-1">Chain ${shortId(id)}</h1>
      ${problem
        ? (problem.status === 404 || problem.status === 400
          ? html`<${Empty} title="No such chain">It ended long ago, or never existed. <a href=${to('chains')}>All chains</a></${Empty}>`
          : html`<${Failure} problem=${problem} />`)
        : html`<${Loading} what="the chain" />`}`;
  }
  const answer = live.streams.get(id);
  const streams = answer?.streams;
  const open = carries(chain);
  return html`
    <p class="crumbs"><a href=${to('chains')}>Chains</a></p>
    <div class="heading"><h1 tabindex="-1">Chain ${chainName(chain)}</h1> <${State} of=${chain.state} />
      <div class="actions">
        ${(chain.plan || open) && may('plans') ? html`<button onClick=${() => go(replan(chain))}>Re-plan…</button>` : ''}
        ${open && may('chains:write') && html`<button class="danger" onClick=${() => setDialog(closeChain(chain, running(chain), () => setDialog(null)))}>Close…</button>`}
      </div></div>
    ${dialog}
    <p class="route">source <span aria-hidden="true">→</span> <${Way} relays=${chain.relays} /> <span aria-hidden="true">→</span> <b>${chain.destination}</b>
      ${chain.ingress && html` <span class="muted">applications connect to <code>${chain.ingress.host}:${chain.ingress.port}</code></span>`}</p>
    ${chain.reason && html`<${Note} kind=${chain.state === 'FAILED' ? 'bad' : 'warn'}>${chain.reason}</${Note}>`}
    <div class="columns">
      <${Panel} title="Predicted against achieved" wide id="helping" aside=${html`${open && html`<${RangeChoice} usual=${USUAL_MINUTES} /> `}<${Verdict} chain=${chain} streams=${streams} />`}>
        <${Comparison} chain=${chain} streams=${streams} current=${open ? rates.at(-1)?.forward ?? undefined : undefined} />
        <${Rivals} chain=${chain} />
        ${open && html`<${TimeChart} label="Rate of the chain" as=${rate} unit="bit/s" minutes=${minutes}
          series=${[
            { name: 'to the destination', kind: 'achieved', points: past.map(({ t, forward }) => ({ t, v: forward })) },
            { name: 'back', kind: 'backward', points: past.map(({ t, backward }) => ({ t, v: backward })) },
          ]}
          references=${references(chain)} />`}
        <p class="fine">A stream's rate is averaged over its whole life, including the time when its application sent nothing. Predictions are for one stream; the chart shows all streams together.</p>
      </${Panel}>
      ${pipesOf(chain).length > 0 && html`<${Panel} title="Pipes" wide><${PipeLanes} chain=${chain} />
        <p class="fine">Every stream uses all pipes. Bars: each pipe's share of the bytes; the mark is the share that the plan expects.</p>
        ${(streams ?? []).filter((stream) => stream.state === 'RUNNING').slice(0, 5).map((stream) => html`
          <h3 class="sub">Stream ${streamName(stream.streamId)}</h3><${StreamLanes} chain=${chain} stream=${stream} />`)}
      </${Panel}>`}
      <${Panel} title="Hops" wide><${Hops} chain=${chain} streams=${streams} /></${Panel}>
      <${Panel} title="Streams" wide aside=${html`<span class="muted">${totals(chain)}</span>`}>
        ${open ? html`<${Streams} chain=${chain} answer=${answer} />` : html`<${Empty} title="No longer known">Relays forget a chain's streams when it is closed.</${Empty}>`}
      </${Panel}>
      <${Panel} title="Why this route" wide>
        ${chain.plan
          ? html`<${Decision} plan=${chain.plan} /><${Candidates} plan=${chain.plan} relays=${chain.relays} /><p class="fine">Planned ${dateTime(chain.plan.plannedAt)}.</p>`
          : html`<${Empty} title="Not planned">Its relays were named when it was opened, without the place where the traffic starts.${may('plans') && html` <a href=${replan(chain)}>Ask the planner now</a>`}</${Empty}>`}
      </${Panel}>
      <${Panel} title="Set-up" wide>${chain.setup ? html`<${Setup} setup=${chain.setup} />` : html`<${Empty} title="Not set up">No relay has been asked.</${Empty}>`}</${Panel}>
      <${Panel} title="Particulars">
        <${Facts} of=${[
          ['Id', html`<code>${chain.id}</code>`],
          ['Opened', dateTime(chain.createdAt)],
          ['Last change', ago(chain.updatedAt)],
          ['Lease', chain.leaseSeconds ? seconds(chain.leaseSeconds) : null],
          ...Object.entries(chain.options ?? {}).map(([key, value]) => [optionName(key), option(key, value)]),
        ]} />
      </${Panel}>
      ${isOpen('events') && html`<${Panel} title="Its events"><${EventList} events=${live.events.filter((event) => event.chainId === id).slice(0, 20)} /></${Panel}>`}
    </div>`;
}

const running = (chain) => Math.max(0, ...(chain.totals ?? []).map((total) => total.running));

function totals(chain) {
  const last = chain.totals?.find((total) => total.relay === lastRelay(chain));
  if (!last) return chain.totals ? 'the last relay does not answer' : '';
  return `${count(last.opened)} opened, ${count(last.running)} running, ${count(last.completed)} completed, ${count(last.failed)} failed; ${bytes(last.forwardBytes)} forwards, ${bytes(last.backwardBytes)} backwards`;
}

function references(chain) {
  return [['direct, predicted', 'direct', directOf(chain.plan)], ['this chain, predicted', 'predicted', cascadeOf(chain)]]
    .filter(([, , candidate]) => candidate?.bitsPerSecond != null)
    .map(([name, kind, candidate]) => ({ name, kind, v: candidate.bitsPerSecond, ...rateOf(candidate) }));
}

const optionName = (key) => words(key.replace(/[A-Z]/g, (letter) => ` ${letter}`)).replace(/ bytes$| seconds$/, '').replace(/^./, (letter) => letter.toUpperCase());

function option(key, value) {
  if (value === null) return null;
  if (key.endsWith('Bytes')) return bytes(value);
  if (key.endsWith('Seconds')) return seconds(value);
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
}

const setupLines = (setup) => [
  ['Relay', 'Failure', ...['Started after', 'Answered after', 'Model', 'Control round trip', 'Resolve', 'Listen', 'Greet'].map((head) => `${head} (ms)`)],
  ...setup.relays.map((one) => [one.relay, one.failure, one.startedAfterMillis, one.startedAfterMillis + one.elapsedMillis,
    one.predictedMillis, one.controlRttMillis, one.resolveMillis, one.listenMillis, one.warmMillis]),
];

/** Each relay's request on one axis of time, next to what the model and a sequential set-up say. */
function Setup({ setup }) {
  const end = Math.max(setup.elapsedMillis, ...setup.relays.map((relay) => relay.startedAfterMillis + Math.max(relay.elapsedMillis, relay.predictedMillis ?? 0))) || 1;
  const place = (value) => `${Math.max(0, Math.min(100, (value / end) * 100))}%`;
  return html`
    <p>${setup.mode === 'PARALLEL' ? 'All relays at once' : 'One relay after the other'}: <b>${millis(setup.elapsedMillis)}</b>${setup.predictedMillis != null && html`, predicted <b>${millis(setup.predictedMillis)}</b>`}; one after the other costs ${millis(setup.sequentialMillis)}.
      ${setup.attempt > 1 && html` It was attempt ${setup.attempt}.`}</p>
    <div class="sought"><${Csv} label="Set-up by relay" lines=${() => setupLines(setup)} /></div>
    <${Scroll} label="Set-up by relay"><table class="timeline">
      <thead><tr><th scope="col">Relay</th><th scope="col" class="axis">0 to ${millis(end)}</th><th scope="col" class="number">Answered after</th><th scope="col" class="number">Model</th><th scope="col" class="number">Control round trip</th><th scope="col" class="number">Resolve</th><th scope="col" class="number">Listen</th><th scope="col" class="number">Greet</th></tr></thead>
      <tbody>${setup.relays.map((relay) => html`
        <tr><th scope="row">${relay.relay}${relay.failure && html` <span class="flag bad">${relay.failure}</span>`}</th>
          <td class="track"><div aria-hidden="true">
            <span class="solid ${relay.failure ? 'bad' : ''}" style=${{ left: place(relay.startedAfterMillis), width: place(relay.elapsedMillis) }}></span>
            ${relay.predictedMillis != null && html`<span class="tickmark" style=${{ left: place(relay.startedAfterMillis + relay.predictedMillis) }}></span>`}
          </div></td>
          <td class="number">${millis(relay.startedAfterMillis + relay.elapsedMillis)}</td><td class="number">${millis(relay.predictedMillis)}</td>
          <td class="number">${millis(relay.controlRttMillis)}</td><td class="number">${millis(relay.resolveMillis)}</td><td class="number">${millis(relay.listenMillis)}</td><td class="number">${millis(relay.warmMillis)}</td></tr>`)}</tbody>
    </table></${Scroll}>
    <p class="fine">Bars: from request to answer; the mark is the model's one and a half round trips. Resolve, listen and greet are by the relay's own clock.</p>`;
}

function Streams({ chain, answer }) {
  if (!answer) return html`<${Loading} what="streams" />`;
  return html`
    ${answer.unreachable?.length > 0 && html`<${Note} kind="warn">${answer.unreachable.join(', ')} ${answer.unreachable.length === 1 ? 'does' : 'do'} not answer: their part is missing here.</${Note}>`}
    ${answer.streams.length === 0
      ? html`<${Empty} title="No stream yet">${chain.ingress && html`Connect an application to <code>${chain.ingress.host}:${chain.ingress.port}</code>`}</${Empty}>`
      : html`<${Table} label="Streams of the chain" dense first="opened" descending rows=${answer.streams.slice(0, 200)} rowKey=${(stream) => stream.streamId} columns=${[
        { key: 'id', head: 'Stream', unit: '', by: (stream) => stream.streamId, cell: (stream) => html`<code title=${stream.streamId}>${streamName(stream.streamId)}</code>` },
        { key: 'state', head: 'State', by: (stream) => stream.state, cell: (stream) => html`<${State} of=${stream.state} />` },
        { key: 'reason', head: 'How it ended', text: true, by: (stream) => stream.reason, cell: (stream) => html`${stream.reason ?? '–'}${detailOf(stream)}` },
        { key: 'opened', head: 'Opened', unit: 'UTC', by: (stream) => stream.openedAt, cell: (stream) => html`<span title=${dateTime(stream.openedAt)}>${ago(stream.openedAt)}</span>` },
        { key: 'lasts', head: 'Lasts', number: true, unit: 'ms', by: (stream) => stream.durationMillis, cell: (stream) => millis(stream.durationMillis) },
        { key: 'rate', head: 'Rate', number: true, unit: 'bit/s', by: (stream) => streamRate(stream, chain), cell: (stream) => rate(streamRate(stream, chain)) },
        ...chain.relays.map((relay) => ({
          key: `at-${relay}`, head: `${relay}: in → out`, number: true, help: 'Bytes from source to destination; backwards below',
          by: (stream) => at(stream, relay)?.forwardBytesIn,
          cell: (stream) => html`<${InOut} report=${at(stream, relay)} />`,
        })),
        { key: 'client', head: 'Client', by: (stream) => stream.client, cell: (stream) => stream.client ?? '–' },
      ]} />
      ${answer.streams.length > 200 && html`<p class="fine">The newest 200 of ${count(answer.streams.length)}.</p>`}`}`;
}

const at = (stream, relay) => stream.relays.find((report) => report.relay === relay);

const streamRate = (stream, chain) => (stream.durationMillis > 0 ? (delivered(stream, chain) * 8e3) / stream.durationMillis : null);

function detailOf(stream) {
  const said = stream.relays.filter((report) => report.detail);
  return said.length ? html` <small>${said.map((report) => `${report.relay}: ${report.detail}`).join('; ')}</small>` : '';
}

function InOut({ report }) {
  if (!report) return html`<span class="muted">no report</span>`;
  return html`${bytes(report.forwardBytesIn)} → ${bytes(report.forwardBytesOut)}
    <br /><small>back ${bytes(report.backwardBytesIn)} → ${bytes(report.backwardBytesOut)}</small>`;
}
