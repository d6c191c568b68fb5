import { RangeChoice, Spark, TimeChart } from '../charts.js';
import { api } from '../api.js';
import { ago, count, dateTime, digits, millis, percent, rate, span } from '../format.js';
import { carries, linkKey, live, may, refresh, useAsked, useLive } from '../live.js';
import { lossCounts, lossText, lostShare, seenLoss, shortLoss } from '../loss.js';
import { ChainLink, Confirm, Csv, Empty, Facts, Loading, Note, Panel, Scroll, State, Table, Way } from '../parts.js';
import { rangeOr } from '../ranges.js';
import { linkHops } from '../route.js';
import { remember, to } from '../router.js';
import { estimateAxis } from '../scales.js';
import { html, useState } from '../ui.js';

const MEASURES = {
  rtt: { name: 'Round trip', unit: 'ms', of: (link) => link.minRttMillis ?? null, say: millis },
  loss: { name: 'Loss', unit: 'share', of: seenLoss, say: percent, cell: shortLoss },
  jitter: { name: 'Jitter', unit: 'ms', of: (link) => link.jitterMillis ?? null, say: millis },
  factor: { name: 'Learned factor', unit: 'factor', of: (link) => learned(link)?.factor ?? null, say: (value) => (value == null ? '–' : `× ${digits(value)}`) },
};

const capacity = (link) => (link.capacityKind === 'AT_LEAST' ? 'at least ' : '') + rate(link.capacityBitsPerSecond);

const SOURCES = { PROBE: 'probes', TEST: 'tests', STREAM: 'samples of streams', CODED: 'samples of coded hops', TRAIN: 'trains' };

const evidence = (link) => (link.evidence ?? []).map((one) => `${count(one.count)} ${SOURCES[one.source]}, ${ago(one.updatedAt)}`).join('; ');

const learned = (link) => live.corrections?.find((one) => one.from === link.from && one.to === link.to);

const history = (link, value) => (live.linkHistory.get(linkKey(link.from, link.to)) ?? []).map((point) => ({ t: point.t, v: point[value] }));

export function Links({ query }) {
  useLive();
  const [measure, setMeasure] = useState(MEASURES[query.get('show')] ? query.get('show') : 'rtt');
  if (!live.links || !live.relays) return html`<h1 tabindex="-1">Links</h1><${Loading} what="links" />`;
  if (!live.links.length) {
    return html`<h1 tabindex="-1">Links</h1><${Empty} title="No link was measured">Relays measure each other as soon as there are two of them. <a href=${to('relays')}>Relays</a></${Empty}>`;
  }
  const choose = (event) => {
    setMeasure(event.target.value);
    remember({ show: event.target.value });
  };
  return html`
    <h1 tabindex="-1">Links</h1>
    <${Panel} title="Matrix" wide aside=${html`<label>Show <select value=${measure} onChange=${choose}>${Object.entries(MEASURES).map(([key, { name }]) => html`<option value=${key}>${name}</option>`)}</select></label>`}>
      <${Matrix} measure=${MEASURES[measure]} />
    </${Panel}>
    <${Panel} title="Every link" wide>
      <${Table} label="Links" first="link" dense rows=${live.links} rowKey=${(link) => linkKey(link.from, link.to)} mark=${(link) => (link.stale ? 'faded' : '')} columns=${[
        { key: 'link', head: 'Link', by: (link) => linkKey(link.from, link.to), cell: (link) => html`<a href=${to('links', link.from, link.to)}>${link.from} → ${link.to}</a>` },
        { key: 'state', head: 'State', by: (link) => (link.stale ? 1 : 0), cell: (link) => html`<${State} as=${link.stale ? 'warn' : 'good'} label=${link.stale ? 'stale' : 'fresh'} />` },
        { key: 'rtt', head: 'Round trip, least', number: true, unit: 'ms', by: (link) => link.minRttMillis, cell: (link) => millis(link.minRttMillis) },
        { key: 'smoothed', head: 'Smoothed', number: true, unit: 'ms', by: (link) => link.smoothedRttMillis, cell: (link) => millis(link.smoothedRttMillis) },
        { key: 'jitter', head: 'Jitter', number: true, unit: 'ms', by: (link) => link.jitterMillis, cell: (link) => millis(link.jitterMillis) },
        { key: 'past', head: 'Past minutes', drawn: true, cell: (link) => html`<${Spark} points=${history(link, 'rtt')} />` },
        { key: 'loss', head: 'Loss', number: true, help: 'As plans estimate it from all that was counted', by: seenLoss, cell: lossText },
        { key: 'bounds', head: '95 % bounds', number: true, by: (link) => link.lossRateHigh, cell: (link) => span(link.lossRateLow, link.lossRateHigh, percent) },
        { key: 'counts', head: 'Lost of sent', text: true, help: 'By source; what is old counts less', cell: lossCounts },
        { key: 'capacity', head: 'Capacity', number: true, by: (link) => link.capacityBitsPerSecond, cell: capacity },
        { key: 'evidence', head: 'Evidence', text: true, help: 'Probes, throughput tests, looks at bulk streams and trains of packets, and how old the latest is', cell: evidence },
        { key: 'learned', head: 'Learned', help: 'What the model\'s rate is multiplied by', number: true, unit: '', by: (link) => learned(link)?.factor, cell: (link) => MEASURES.factor.say(learned(link)?.factor) },
        { key: 'at', head: 'Measured', unit: 'UTC', by: (link) => link.updatedAt, cell: (link) => ago(link.updatedAt) },
      ]} />
    </${Panel}>`;
}

/** Rows send, columns receive. The shade follows the value; the value is written in it. */
function Matrix({ measure }) {
  const names = live.relays.map((relay) => relay.name);
  const by = new Map(live.links.map((link) => [linkKey(link.from, link.to), link]));
  const axis = estimateAxis(live.links.map(measure.of), []);
  const shade = (value) => (value > 0 ? Math.max(1, Math.ceil(axis.at(value) * 4)) : 0);
  const value = (link) => link && measure.of(link);
  const lines = () => [
    [`from (${measure.unit})`, ...names],
    ...names.map((from) => [from, ...names.map((name) => value(by.get(linkKey(from, name))))]),
  ];
  return html`
    <div class="sought"><${Csv} label=${`Matrix, ${measure.name}`} lines=${lines} /></div>
    <${Scroll} label="Matrix of links"><table class="matrix">
      <caption class="hidden">${measure.name} of every link; rows send, columns receive</caption>
      <thead><tr><th scope="col"><span class="muted">from ╲ to</span></th>${names.map((name) => html`<th scope="col"><a href=${to('relays', name)}>${name}</a></th>`)}</tr></thead>
      <tbody>${names.map((from) => html`
        <tr><th scope="row"><a href=${to('relays', from)}>${from}</a></th>${names.map((name) => {
          const link = by.get(linkKey(from, name));
          if (from === name) return html`<td class="self" aria-label="the same relay">·</td>`;
          if (!link) return html`<td class="none">–</td>`;
          const value = measure.of(link);
          return html`<td class="shade-${shade(value)} ${link.stale ? 'stale' : ''}"><a href=${to('links', from, name)} title="${from} → ${name}${link.stale ? ', stale' : ''}">${measure.cell ? measure.cell(link) : measure.say(value)}${link.stale ? ' ⚠' : ''}</a></td>`;
        })}</tr>`)}</tbody>
    </table></${Scroll}>
    <p class="fine"><span class="ramp" aria-hidden="true">${[1, 2, 3, 4].map((n) => html`<i class="shade-${n}"></i>`)}</span> The stronger the colour, the ${measure === MEASURES.factor ? 'faster than the model says' : 'more'}. ⚠ marks links that are no longer measured.</p>`;
}

const ANEW = 5 * 60_000; // As long as a span of the history.

const DAY_MINUTES = 24 * 60;

/** The orchestrator's past day, then what this page saw since. */
function useDay(from, name) {
  const { answer: spans = [] } = useAsked(() => api.linkHistory(from, name), ANEW, [from, name]);
  const day = spans.map((span) => ({
    t: Date.parse(span.start),
    rtt: span.smoothedRttMillis ?? span.minRttMillis ?? null,
    loss: lostShare(span),
  }));
  const seen = live.linkHistory.get(linkKey(from, name)) ?? [];
  const since = seen[0]?.t ?? Infinity;
  const all = [...day.filter((point) => point.t < since), ...seen];
  return (value) => all.map((point) => ({ t: point.t, v: point[value] }));
}

export function LinkPage({ from, name }) {
  useLive();
  const past = useDay(from, name);
  const [dialog, setDialog] = useState(false);
  const heading = html`<p class="crumbs"><a href=${to('links')}>Links</a></p>`;
  if (!live.links) return html`${heading}<h1 tabindex="-1">Link</h1><${Loading} what="links" />`;
  const link = live.links.find((one) => one.from === from && one.to === name);
  if (!link) return html`${heading}<h1 tabindex="-1">Link ${from} → ${name}</h1><${Empty} title="No such link">No relay measures it. <a href=${to('links')}>All links</a></${Empty}>`;
  const lesson = learned(link);
  const chains = (live.chains ?? []).filter((chain) => carries(chain)
    && linkHops(chain).some((hop) => hop.from === from && hop.to === name));
  return html`
    ${heading}
    <div class="heading"><h1 tabindex="-1">Link ${from} → ${name}</h1> <${State} as=${link.stale ? 'warn' : 'good'} label=${link.stale ? 'stale' : 'fresh'} />
      <div class="actions"><a class="button" href=${to('links', name, from)}>The other direction</a></div></div>
    ${link.stale && html`<${Note} kind="warn">Not measured since ${dateTime(link.updatedAt)}: one of its relays is lost, or probes do not get through (UDP).</${Note}>`}
    <div class="columns">
      <${Panel} title="Measured">
        <${Facts} of=${[
          ['Round trip, least', millis(link.minRttMillis)],
          ['Round trip, smoothed', millis(link.smoothedRttMillis)],
          ['Jitter', millis(link.jitterMillis)],
          ['Loss in this direction', lossText(link)],
          ['95 % bounds', span(link.lossRateLow, link.lossRateHigh, percent)],
          ['Lost of sent', lossCounts(link)],
          ['Capacity', capacity(link)],
          ['Evidence', evidence(link)],
          ['Latest', ago(link.updatedAt)],
        ]} />
      </${Panel}>
      <${Panel} title="Learned from chains" aside=${lesson && may('network:write') && html`<button onClick=${() => setDialog(true)}>Forget…</button>`}>
        ${lesson
          ? html`<${Facts} of=${[
            ['The model\'s rate is multiplied by', digits(lesson.factor)],
            ['Achieved over predicted, latest most', digits(lesson.ratio)],
            ['Learned from', `${count(lesson.streams)} streams`],
            ['With', lesson.congestionControl],
            ['Latest', ago(lesson.updatedAt)],
          ]} />`
          : html`<${Empty} title="Nothing yet">A link is learned from a stream that moved 8 MiB or more while data waited before the link.</${Empty}>`}
      </${Panel}>
      <${Panel} title="Round-trip time" wide aside=${html`<${RangeChoice} usual=${DAY_MINUTES} />`}>
        <${TimeChart} label="Smoothed round-trip time" as=${millis} unit="ms" series=${[{ name: 'smoothed', kind: 'achieved', points: past('rtt') }]} minutes=${rangeOr(DAY_MINUTES)} />
      </${Panel}>
      <${Panel} title="Loss within five minutes" wide>
        <${TimeChart} label="Loss" as=${percent} unit="share" series=${[{ name: 'lost probes', kind: 'backward', points: past('loss') }]} minutes=${rangeOr(DAY_MINUTES)} />
        <p class="fine">The past in steps of five minutes, as far back as this orchestrator has run; finer since the page was opened.</p>
      </${Panel}>
      <${Panel} title="Chains over it" wide>
        ${chains.length === 0 ? html`<${Empty} title="None">No open chain goes this way.</${Empty}>`
          : html`<ul class="plain">${chains.map((chain) => html`<li key=${chain.id}><${ChainLink} chain=${chain} /> <${State} of=${chain.state} /> <${Way} relays=${chain.relays} /></li>`)}</ul>`}
      </${Panel}>
    </div>
    ${dialog && html`<${Confirm} title="Forget what was learned about ${from} → ${name}?" verb="Forget" danger run=${() => api.resetCorrection(from, name)} done=${refresh} close=${() => setDialog(false)}>
      <p>Later plans use the model's rate unchanged, until new chains correct it.</p></${Confirm}>`}`;
}
