import { api } from '../api.js';
import { bytes, count, millis, percent, rate } from '../format.js';
import { useAsked, useLive } from '../live.js';
import { Empty, Failure, Loading, Table } from '../parts.js';
import { delivering, pipesOf, pipeState } from '../splitters.js';
import { html } from '../ui.js';

const ANEW = 2_000;

const operation = (key, head, help) => ({ key, head, help, number: true, unit: '', by: (one) => one.report.operations[key], cell: (one) => count(one.report.operations[key]) });

export function Splitters() {
  useLive();
  const { answer: splitters, problem } = useAsked(api.splitters, ANEW);
  return html`
    <h1 tabindex="-1">Splitters</h1>
    <p class="fine">Splitters send the packets of one TCP connection by several pipes; a splitter at the far side puts them in order again. Withdraw a pipe at the splitter itself, with <code>./cascade scap pipes --withdraw</code>.</p>
    ${problem && html`<${Failure} problem=${problem} />`}
    ${!splitters ? !problem && html`<${Loading} what="splitters" />`
      : splitters.length === 0 ? html`<${Empty} title="No splitter reports here">Start one with <code>./cascade scap up --report-as edge1 --orchestrator ${location.origin} …</code></${Empty}>`
      : html`
        <h2>Splitters</h2>
        <${Table} label="Splitters" first="name" rows=${splitters} rowKey=${(one) => one.name} mark=${(one) => (one.lost ? 'faded' : '')} columns=${[
          { key: 'name', head: 'Splitter', by: (one) => one.name, cell: (one) => one.name },
          { key: 'state', head: 'State', by: (one) => one.lost, cell: (one) => (one.lost ? 'lost' : 'reports') },
          { key: 'mode', head: 'Mode', by: (one) => one.report.policy.mode, cell: ({ report: { policy } }) => html`<span title=${`signalling ${policy.signalling}, splits after ${bytes(policy.splitAfterBytes)}`}>${policy.mode}</span>` },
          { key: 'selection', head: 'Selection', help: 'Which pipes a connection gets', by: (one) => one.report.policy.selection, cell: (one) => one.report.policy.selection },
          { key: 'pipes', head: 'Pipes', help: 'Those that are up and employed, of all', number: true, by: delivering, cell: (one) => `${delivering(one)} of ${one.report.pipes.length}` },
          { key: 'connections', head: 'Connections', help: 'That have a record', number: true, unit: '', by: (one) => one.report.connections, cell: (one) => html`<span title=${`${count(one.report.refusedConnections)} found no room`}>${count(one.report.connections)}</span>` },
          operation('deliver', 'Delivered', 'Packets that were sent by a pipe chosen for them'),
          operation('duplicate', 'Duplicated', 'Copies beyond the first'),
          operation('delay', 'Delayed', 'Packets that were held'),
          operation('drop', 'Dropped', 'Packets dropped there, such as filtered acknowledgments'),
          { key: 'version', head: 'Version', by: (one) => one.report.version, cell: (one) => one.report.version },
        ]} />
        <h2>Pipes</h2>
        <${Table} label="Pipes of splitters" first="pipe" rows=${pipesOf(splitters)} rowKey=${(one) => one.label} mark=${(one) => (one.lost ? 'faded' : '')} columns=${[
          { key: 'pipe', head: 'Pipe', by: (one) => one.label, cell: (one) => one.label },
          { key: 'state', head: 'State', by: pipeState, cell: pipeState },
          { key: 'share', head: 'Share', help: 'Of the bytes sent since the report before', number: true, unit: 'share', by: (one) => one.share, cell: (one) => percent(one.share) },
          { key: 'rtt', head: 'Round trip', help: 'Without queues', number: true, unit: 'ms', by: (one) => one.roundTripMillis, cell: (one) => millis(one.roundTripMillis) },
          { key: 'smoothed', head: 'With queues', number: true, unit: 'ms', by: (one) => one.smoothedRoundTripMillis, cell: (one) => millis(one.smoothedRoundTripMillis) },
          { key: 'loss', head: 'Loss', number: true, unit: 'share', by: (one) => one.lossRate, cell: (one) => percent(one.lossRate) },
          { key: 'rate', head: 'Rate', help: 'Of its slowest link, given or measured', number: true, unit: 'bit/s', by: (one) => one.bitsPerSecond, cell: (one) => rate(one.bitsPerSecond) },
          { key: 'sent', head: 'Sent', number: true, unit: 'B', by: (one) => one.sentBytes, cell: (one) => bytes(one.sentBytes) },
          { key: 'received', head: 'Received', number: true, unit: 'B', by: (one) => one.receivedBytes, cell: (one) => bytes(one.receivedBytes) },
        ]} />`}`;
}
