import { Spark } from '../charts.js';
import { Verdict } from '../comparison.js';
import { ago, count, dateTime, rate } from '../format.js';
import { carries, live, may, useLive } from '../live.js';
import { ChainLink, Empty, Lead, Loading, State, Table, Way } from '../parts.js';
import { cascadeOf, directOf, gain } from '../prediction.js';
import { remember, to } from '../router.js';
import { html, useState } from '../ui.js';

const lastRate = (chain) => live.rates.get(chain.id)?.at(-1)?.forward ?? null;
const running = (chain) => {
  const totals = live.details.get(chain.id)?.totals;
  return totals?.length ? Math.max(...totals.map((total) => total.running)) : null;
};
const seen = (chain) => live.details.get(chain.id) ?? chain;
const streams = (chain) => live.streams.get(chain.id)?.streams;

export function Chains({ query }) {
  useLive();
  const [open, setOpen] = useState(query.get('all') !== 'true');
  if (!live.chains) return html`<h1 tabindex="-1">Chains</h1><${Loading} what="chains" />`;
  const ended = (chain) => chain.state === 'CLOSED' || chain.state === 'FAILED';
  const shown = open ? live.chains.filter((chain) => !ended(chain)) : live.chains;
  return html`
    <div class="heading"><h1 tabindex="-1">Chains</h1>
      <div class="actions">${may('plans') && html`<a class="button primary" href=${to('plan')}>Plan and open…</a>`}</div></div>
    <form class="filters" onSubmit=${(event) => event.preventDefault()}>
      <label><input type="checkbox" checked=${!open} onChange=${(event) => { setOpen(!event.target.checked); remember({ all: event.target.checked ? 'true' : null }); }} /> also ended ones</label>
      <span class="muted">${count(shown.length)} of ${count(live.chains.length)} chains${live.chains.length >= 200 ? ', the newest 200' : ''}</span>
    </form>
    ${shown.length === 0
      ? html`<${Empty} title=${live.chains.length ? 'No chain is open' : 'No chain yet'}>Ask the <${Lead} href=${to('plan')}>planner</${Lead}> whether one would pay, or <code>./cascade open --to HOST:PORT --via r1,r2</code></${Empty}>`
      : html`<${Table} label="Chains" first="created" descending rows=${shown} rowKey=${(chain) => chain.id} mark=${(chain) => (ended(chain) ? 'faded' : '')} columns=${[
        { key: 'name', head: 'Chain', unit: '', by: (chain) => chain.name ?? chain.id, cell: (chain) => html`<${ChainLink} chain=${chain} />` },
        { key: 'state', head: 'State', by: (chain) => chain.state, cell: (chain) => html`<${State} of=${chain.state} />` },
        { key: 'helps', head: 'Is it helping?', by: (chain) => gain(seen(chain), streams(chain))?.likely, cell: (chain) => (carries(chain) ? html`<${Verdict} chain=${seen(chain)} streams=${streams(chain)} />` : '–') },
        { key: 'way', head: 'Way', by: (chain) => chain.relays.length, cell: (chain) => html`<${Way} relays=${chain.relays} />` },
        { key: 'to', head: 'Destination', by: (chain) => chain.destination, cell: (chain) => chain.destination },
        { key: 'now', head: 'Now', number: true, unit: 'bit/s', by: lastRate, cell: (chain) => rate(lastRate(chain)) },
        { key: 'past', head: 'Past minutes', drawn: true, cell: (chain) => html`<${Spark} points=${(live.rates.get(chain.id) ?? []).map(({ t, forward }) => ({ t, v: forward }))} />` },
        { key: 'direct', head: 'Direct, predicted', number: true, unit: 'bit/s', by: (chain) => directOf(chain.plan)?.bitsPerSecond, cell: (chain) => rate(directOf(chain.plan)?.bitsPerSecond) },
        { key: 'predicted', head: 'Predicted', number: true, unit: 'bit/s', by: (chain) => cascadeOf(chain)?.bitsPerSecond, cell: (chain) => rate(cascadeOf(chain)?.bitsPerSecond) },
        { key: 'streams', head: 'Streams', number: true, unit: '', by: running, cell: (chain) => count(running(chain)) },
        { key: 'created', head: 'Opened', unit: 'UTC', by: (chain) => chain.createdAt, cell: (chain) => html`<span title=${dateTime(chain.createdAt)}>${ago(chain.createdAt)}</span>` },
      ]} />`}`;
}
