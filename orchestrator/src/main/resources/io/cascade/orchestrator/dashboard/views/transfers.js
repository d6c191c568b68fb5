import { api } from '../api.js';
import { bytes, percent, rate, seconds, shortId } from '../format.js';
import { useAsked } from '../live.js';
import { Empty, Failure, Loading, Panel, State, Table } from '../parts.js';
import { done, sentBy } from '../transfers.js';
import { html } from '../ui.js';

const ANEW = 2_000;

/** What clients send now. It is asked for here alone. That nobody answers stands above every view. */
export function Transfers() {
  const { answer: transfers, problem } = useAsked(api.transfers, ANEW);
  return html`
    <${Panel} title="Transfers" wide aside=${html`<span class="muted">of files, while they run and five minutes longer</span>`}>
      ${problem && problem.status !== 0 && html`<${Failure} problem=${problem} />`}
      ${!transfers ? !problem && html`<${Loading} what="transfers" />`
        : transfers.length === 0 ? html`<${Empty} title="No transfer runs">Transfers of <code>./cascade send</code> that take two seconds or more are listed here, if it knows this orchestrator.</${Empty}>`
        : html`<${Table} label="Transfers" rows=${transfers} rowKey=${(one) => `${one.owner ?? ''} ${one.id}`} mark=${(one) => (one.state === 'RUNNING' ? '' : 'faded')} columns=${[
          { key: 'id', head: 'Transfer', help: 'Its id at both ends (--json-events); names of files are not reported', unit: '', by: (one) => one.id, cell: (one) => html`<span title=${one.id}>${shortId(one.id)}</span>` },
          { key: 'by', head: 'By', help: 'Key and address of the sender', by: sentBy, cell: sentBy },
          { key: 'to', head: 'To', by: (one) => one.destination, cell: (one) => one.destination },
          { key: 'state', head: 'State', help: 'Lost: its sender has been silent for half a minute', by: (one) => one.state, cell: (one) => html`<${State} of=${one.state} />` },
          { key: 'size', head: 'Size', number: true, unit: 'B', by: (one) => one.size, cell: (one) => bytes(one.size) },
          { key: 'sent', head: 'Arrived', number: true, unit: 'B', by: (one) => one.bytes, cell: (one) => bytes(one.bytes) },
          { key: 'share', head: 'Share', help: 'Of the size, which is unknown for a folder', number: true, unit: 'share', by: done, cell: (one) => percent(done(one)) },
          { key: 'rate', head: 'Rate', help: 'Over the past two seconds; after its end, over the whole transfer', number: true, unit: 'bit/s', by: (one) => one.bitsPerSecond, cell: (one) => rate(one.bitsPerSecond) },
          { key: 'left', head: 'Time left', help: 'At that rate', number: true, unit: 's', by: (one) => one.secondsLeft, cell: (one) => seconds(one.secondsLeft === undefined ? undefined : Math.round(one.secondsLeft)) },
        ]} />`}
    </${Panel}>`;
}
