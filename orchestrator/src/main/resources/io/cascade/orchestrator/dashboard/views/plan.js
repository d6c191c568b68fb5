import { openChain } from '../actions.js';
import { api } from '../api.js';
import { Candidates, Decision } from '../candidates.js';
import { StepChart } from '../charts.js';
import { bytes, digits, parseBytes, parseRate, price, rate, seconds, shortId, times } from '../format.js';
import { live, may, useLive } from '../live.js';
import { Empty, Failure, Field, Loading, Note, Panel, Table, Way } from '../parts.js';
import { candidateName, directOf } from '../prediction.js';
import { firstRelay } from '../route.js';
import { remember, to } from '../router.js';
import { secondTicks } from '../scales.js';
import { html, useEffect, useRef, useState } from '../ui.js';

const KEPT = ['to', 'from', 'bytes', 'max', 'via', 'avoid', 'control', 'capacity', 'objective', 'price', 'hour', 'sites', 'notsites', 'least'];

/** In the place of a relay's name: a host that measured for itself when a chain was opened. */
const MEASURED = '*';

/** This page with the question that a chain was the answer to. */
export function replan(chain) {
  const asked = chain.question ?? { destination: chain.destination };
  const { source, limits } = asked;
  // Relays that somebody named without saying where the traffic starts are no answer to anything.
  const unasked = !source && asked.via?.length > 0;
  const texts = {
    to: asked.destination,
    from: unasked ? firstRelay(chain) : source?.relay ?? (source?.observations?.length ? MEASURED : null),
    bytes: asked.bytes,
    max: asked.maxRelays === 4 ? null : asked.maxRelays,
    via: unasked ? null : asked.via?.join(', '),
    avoid: asked.avoid?.join(', '),
    control: asked.congestionControl,
    capacity: asked.capacityBitsPerSecond,
    objective: asked.objective === 'TIME' ? null : asked.objective,
    price: limits?.mostPricePerGib,
    hour: limits?.mostPricePerHour,
    sites: limits?.allowedSites?.join(', '),
    notsites: limits?.forbiddenSites?.join(', '),
    least: limits?.leastBitsPerSecond,
    instead: chain.id,
  };
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(texts)) if (value != null && value !== '') query.set(key, value);
  return `${to('plan')}?${query}`;
}

/** Where the traffic starts; all that is known of it where it is where it was for the old chain. */
function sourceOf(from, old) {
  if (!from) return undefined;
  const same = from === MEASURED ? old?.source?.observations : old?.source?.relay === from;
  return same ? old.source : { relay: from };
}

const MEASURE_SECONDS = 20; // Tests on one way take turns, of 4 to 6 s each.

const LEAST_GAIN = 0.005; // Less is no reason for one more relay.

const names = (text) => text.split(/[\s,]+/).filter(Boolean);

/**
 * The form's texts as a request; `wrong` says which of them cannot be read.
 *
 * @param old the question of the chain that is planned anew, where there is one
 */
function question(form, old) {
  const wrong = {};
  if (form.from === MEASURED && !old?.source?.observations) {
    wrong.from = 'What was measured then is no longer known';
  }
  const read = (key, parse, what) => {
    if (!form[key].trim()) return undefined;
    const value = parse(form[key]);
    if (value === null || !(value > 0)) wrong[key] = what;
    return value;
  };
  const list = (key) => (names(form[key]).length ? names(form[key]) : undefined);
  if (!/^\S+:[0-9]+$/.test(form.to.trim())) wrong.to = 'A host and a port, such as data.example.org:5201';
  const limits = {
    allowedSites: list('sites'),
    forbiddenSites: list('notsites'),
    mostPricePerGib: read('price', Number, 'A price, such as 0.05'),
    mostPricePerHour: read('hour', Number, 'A price, such as 0.5'),
    leastBitsPerSecond: read('least', parseRate, 'A rate, such as 100Mbit'),
  };
  const request = {
    destination: form.to.trim(),
    bytes: read('bytes', parseBytes, 'A size, such as 10GiB'),
    source: sourceOf(form.from, old),
    via: list('via'),
    avoid: list('avoid'),
    maxRelays: form.max ? Number(form.max) : undefined,
    congestionControl: form.control.trim() || undefined,
    capacityBitsPerSecond: read('capacity', parseRate, 'A rate, such as 1Gbit'),
    objective: form.objective || undefined,
    limits: Object.values(limits).some((value) => value !== undefined) ? limits : undefined,
  };
  return { request, wrong };
}

export function Plan({ query }) {
  useLive();
  const [form, setForm] = useState(() => Object.fromEntries(KEPT.map((key) => [key, query.get(key) ?? ''])));
  const [wrong, setWrong] = useState({});
  const [asked, setAsked] = useState(null); // { request, plan | problem | undefined }
  const [dialog, setDialog] = useState(null);
  const turn = useRef(0);
  const instead = query.get('instead');
  const [measured] = useState(() => query.get('from') === MEASURED);
  const [before] = useState(() => (instead ? api.chain(instead).then((chain) => chain.question, () => null) : null));
  const set = (key) => (event) => setForm((now) => ({ ...now, [key]: event.target.value }));
  const ask = async (measureSeconds) => {
    const { request, wrong: errors } = question(form, await before);
    setWrong(errors);
    if (Object.keys(errors).length) return;
    remember(form);
    const mine = ++turn.current;
    const answer = (result) => mine === turn.current && setAsked({ request, ...result });
    answer({ measuring: measureSeconds != null });
    try {
      answer({ plan: await api.plan({ ...request, measureSeconds }) });
    } catch (problem) {
      answer({ problem });
    }
  };
  const known = live.access === 'open';
  const given = useRef(form.to !== ''); // An address that tells what to plan is a question.
  useEffect(() => {
    if (!known || !given.current) return;
    given.current = false;
    ask();
  }, [known]);
  const submit = (event) => {
    event.preventDefault();
    ask();
  };
  const input = (key, label, hint, more = {}) => html`
    <${Field} label=${label} hint=${hint} error=${wrong[key]}>${(id, described) => html`
      <input id=${id} aria-describedby=${described} aria-invalid=${wrong[key] ? 'true' : undefined} value=${form[key]} onInput=${set(key)} ...${more} />`}</${Field}>`;
  return html`
    <h1 tabindex="-1">Plan</h1>
    ${instead && html`<${Note}>Instead of <a href=${to('chains', instead)}>chain ${shortId(instead)}</a>. Nothing changes until you open what is planned here.</${Note}>`}
    <form class="panel wide question" onSubmit=${submit} aria-label="What to plan">
      <div class="fields">
        ${input('to', 'Destination', 'HOST:PORT', { required: true, autocomplete: 'off' })}
        <${Field} label="Traffic starts at" hint="Without it the direct path is not predicted." error=${wrong.from}>${(id, described) => html`
          <select id=${id} aria-describedby=${described} value=${form.from} onChange=${set('from')}>
            <option value="">unknown</option>
            ${measured && html`<option value=${MEASURED}>where it was measured for the old chain</option>`}
            ${(live.relays ?? []).map((relay) => html`<option value=${relay.name}>${relay.name}’s site (${relay.site})</option>`)}
          </select>`}</${Field}>
        ${input('bytes', 'Bytes', 'Such as 10GiB; empty for a stream without an end', { autocomplete: 'off' })}
        <${Field} label="Relays at most">${(id) => html`
          <select id=${id} value=${form.max} onChange=${set('max')}><option value="">4</option>${[1, 2, 3, 5, 6, 7, 8].map((n) => html`<option value=${n}>${n}</option>`)}</select>`}</${Field}>
      </div>
      <details open=${KEPT.slice(4).some((key) => form[key]) || undefined}><summary>Constraints</summary>
        <div class="fields">
          ${input('via', 'Exactly via', 'Relays in this order')}
          ${input('avoid', 'Not via', 'Relays')}
          ${input('sites', 'Only at sites')}
          ${input('notsites', 'Not at sites')}
          <${Field} label="Best means">${(id) => html`
            <select id=${id} value=${form.objective} onChange=${set('objective')}><option value="">least time</option><option value="PRICE">lowest price at a rate</option><option value="TIME_AND_PRICE">least time, with the front of time and price</option></select>`}</${Field}>
          ${input('least', 'Rate to reach', 'For the lowest price')}
          ${input('price', 'Price at most', 'Per GiB, in the relays’ currency')}
          ${input('hour', 'Price per hour at most', 'Of its relays together')}
          ${input('control', 'Hops send with', 'Such as cubic or bbr')}
          ${input('capacity', 'Capacity where unknown', 'Such as 1Gbit')}
        </div></details>
      <div class="buttons"><button class="primary">Plan</button> <span class="muted">Probes the destination; changes nothing.</span></div>
    </form>
    <div aria-live="polite">${asked && html`<${Answer} asked=${asked} measure=${() => ask(MEASURE_SECONDS)} open=${() => setDialog(openChain(asked.request, asked.plan, instead, () => setDialog(null)))} />`}</div>
    ${!asked && html`<${Empty} title="What if?">Enter where the traffic goes and where it starts; every route is predicted, and the best one is shown here with its reasons.</${Empty}>`}
    ${dialog}`;
}

function Answer({ asked, measure, open }) {
  const { request, plan, problem, measuring } = asked;
  if (problem) return html`<${Failure} problem=${problem} />`;
  if (!plan) return html`<${Loading} what=${measuring ? `a plan; relays test links for ${MEASURE_SECONDS} s at the most` : 'a plan; the destination is probed'} />`;
  return html`
    <div class="columns">
      <${Panel} title="Decision" wide aside=${plan.relays?.length && may('chains:write') ? html`<button class="primary" onClick=${open}>Open this chain…</button>` : null}>
        <${Decision} plan=${plan} />
        ${plan.decision === 'UNDECIDED' && html`<p><button onClick=${measure}>Measure and plan again</button> <span class="muted">Relays test the links that may decide, within their budgets: ${MEASURE_SECONDS} s at the most.</span></p>`}
        ${plan.relays?.length > 0 && html`<p>Best cascade: <${Way} relays=${plan.relays} /></p>`}
        ${!request.source && html`<${Note} kind="warn">Where the traffic starts is unknown: only cascades are predicted, as if the source were at the site of their first relay.</${Note}>`}
      </${Panel}>
      <${Panel} title="Every candidate" wide><${Candidates} plan=${plan} /></${Panel}>
      <${Panel} title="What each further relay is worth" wide><${Values} plan=${plan} /></${Panel}>
      ${plan.front?.length > 0 && html`<${Panel} title="Time and price" wide><${Front} front=${plan.front} /></${Panel}>`}
    </div>`;
}

function Values({ plan }) {
  const worth = plan.relayValues ?? [];
  const direct = directOf(plan);
  const values = direct && worth.length && worth[0].relays > 0
    ? [{ relays: 0, via: [], seconds: direct.seconds, bitsPerSecond: direct.bitsPerSecond }, ...worth]
    : worth;
  if (!values.length) return html`<${Empty} title="Not computed">The plan had no choice of relays.</${Empty}>`;
  const timed = values.some((value) => value.seconds != null);
  const points = values.map((value) => ({
    n: value.relays,
    v: timed ? value.seconds ?? null : value.bitsPerSecond ?? null,
    name: value.relays === 0 ? 'direct' : `${value.relays} via ${value.via.join(', ')}`,
  }));
  const known = points.filter((point) => point.v != null);
  const best = known.length ? known.reduce((a, b) => ((timed ? b.v < a.v * (1 - LEAST_GAIN) : b.v > a.v * (1 + LEAST_GAIN)) ? b : a)).n : null;
  return html`
    <${StepChart} label="${timed ? `Time for ${bytes(plan.bytes)}` : 'Rate'} by number of relays" as=${timed ? seconds : rate} unit=${timed ? 's' : 'bit/s'} axis="relays" steps=${timed ? secondTicks : undefined} best=${best} points=${points} />
    <${Table} label="What each relay is worth" rows=${values} rowKey=${(value) => value.relays} columns=${[
      { key: 'relays', head: 'Relays', number: true, unit: '', by: (value) => value.relays, cell: (value) => `${value.relays}${value.relays === best ? ' ★' : ''}` },
      { key: 'way', head: 'Best way', by: (value) => value.via.join(' '), cell: (value) => html`<${Way} relays=${value.via} />` },
      { key: 'time', head: 'Time', number: true, unit: 's', by: (value) => value.seconds, cell: (value) => seconds(value.seconds) },
      { key: 'rate', head: 'Rate', number: true, unit: 'bit/s', by: (value) => value.bitsPerSecond, cell: (value) => rate(value.bitsPerSecond) },
      { key: 'gain', head: 'Gain over one fewer', number: true, unit: '', by: (value) => value.gainOverOneFewer, cell: (value) => times(value.gainOverOneFewer) },
    ]} />`;
}

const Front = ({ front }) => html`
  <${Table} label="Time and price" rows=${front} rowKey=${candidateName} columns=${[
    { key: 'way', head: 'Way', by: candidateName, cell: candidateName },
    { key: 'time', head: 'Time', number: true, unit: 's', by: (point) => point.seconds, cell: (point) => seconds(point.seconds) },
    { key: 'rate', head: 'Rate', number: true, unit: 'bit/s', by: (point) => point.bitsPerSecond, cell: (point) => rate(point.bitsPerSecond) },
    { key: 'price', head: 'Price', number: true, unit: 'per GiB', by: (point) => point.pricePerGib, cell: (point) => (point.pricePerGib === 0 ? `${digits(0)} /GiB` : price(point.pricePerGib)) },
  ]} />
  <p class="fine">No other way is better than any of these in both.</p>`;
