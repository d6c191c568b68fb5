import { api } from '../api.js';
import { dateTime } from '../format.js';
import { useAsked, useLive } from '../live.js';
import { Empty, Failure, Loading, Panel, State, Table } from '../parts.js';
import { html, useEffect, useState } from '../ui.js';

const ANEW = 10_000;

const went = ({ outcome }) =>
  outcome === undefined || outcome === null ? ['quiet', 'no answer'] : outcome < 400 ? ['good', String(outcome)] : ['warn', String(outcome)];

const merged = (byId, page) => new Map([...byId, ...page.entries.map((one) => [one.id, one])]);

/** Where the newest page does not reach what is kept, entries between them are missing: older ones are asked for anew. */
const withNewest = (kept, page) =>
  page.entries.some((one) => kept.byId.has(one.id)) ? { ...kept, byId: merged(kept.byId, page) } : { byId: merged(new Map(), page), next: page.next };

export function Audit() {
  useLive();
  const { answer: newest, problem } = useAsked(() => api.audit(), ANEW);
  const [kept, setKept] = useState({ byId: new Map(), next: null });
  const [failure, setFailure] = useState(null);
  const [busy, setBusy] = useState(false);
  // The newest page is asked for again and again.
  useEffect(() => {
    if (newest) setKept((before) => withNewest(before, newest));
  }, [newest]);
  const entries = [...kept.byId.values()];
  const more = async () => {
    setBusy(true);
    try {
      const from = kept.next;
      const page = await api.audit(from);
      setKept((before) => (before.next === from ? { byId: merged(before.byId, page), next: page.next } : before));
      setFailure(null);
    } catch (failed) {
      setFailure(failed);
    }
    setBusy(false);
  };
  return html`
    <h1 tabindex="-1">Audit</h1>
    <p class="fine">Every call that may change something, with its caller, and those that a role did not allow. Kept for 90 days, 100,000 entries at most.</p>
    ${problem && html`<${Failure} problem=${problem} />`}
    ${kept.byId.size === 0 && !newest ? !problem && html`<${Loading} what="the audit trail" />`
      : entries.length === 0 ? html`<${Empty} title="No entries">No call has changed anything yet.</${Empty}>`
      : html`
        <${Panel} title="Calls" wide>
          <${Table} label="Audit trail" first="at" descending rows=${entries} rowKey=${(one) => one.id} columns=${[
            { key: 'at', head: 'When', by: (one) => one.id, cell: (one) => html`<time datetime=${one.at}>${dateTime(one.at)}</time>` },
            { key: 'caller', head: 'Who', by: (one) => one.caller, cell: (one) => one.caller },
            { key: 'role', head: 'Role', by: (one) => one.role, cell: (one) => one.role?.toLowerCase() ?? '–' },
            { key: 'operation', head: 'Operation', help: 'Its name in the contract', by: (one) => one.operation, cell: (one) => one.operation },
            { key: 'target', head: 'To what', by: (one) => one.target, cell: (one) => one.target ?? '–' },
            { key: 'outcome', head: 'Outcome', help: 'Status of the answer', by: (one) => one.outcome, cell: (one) => html`<${State} as=${went(one)[0]} label=${went(one)[1]} />` },
            { key: 'address', head: 'From', by: (one) => one.address, cell: (one) => html`<span title=${`request ${one.requestId}`}>${one.address}</span>` },
          ]} />
          ${failure && html`<${Failure} problem=${failure} />`}
          ${kept.next && html`<div class="buttons"><button onClick=${more} disabled=${busy}>${busy ? 'Asking…' : 'Older entries'}</button></div>`}
        </${Panel}>`}`;
}
