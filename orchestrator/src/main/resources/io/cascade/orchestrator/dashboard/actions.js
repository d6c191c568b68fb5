// What changes something, each with its question first. Each returns the dialog to show.

import { api } from './api.js';
import { bytes, chainName, count } from './format.js';
import { refresh } from './live.js';
import { Confirm, Field, Note, Way } from './parts.js';
import { go, to } from './router.js';
import { randomKey } from './text.js';
import { html, useState } from './ui.js';

const AGAINST = { DIRECT: 'it says to go directly', EQUAL: 'both are equally fast', UNDECIDED: 'it is undecided' };

export const closeChain = (chain, running, close, done) =>
  html`<${CloseChain} chain=${chain} running=${running} close=${close} done=${done} />`;

function CloseChain({ chain, running, close, done }) {
  const [abort, setAbort] = useState(false);
  return html`
    <${Confirm} title=${`Close chain ${chainName(chain)}?`} verb="Close the chain" danger close=${close}
        run=${() => api.close(chain.id, abort)} done=${() => { refresh(); done?.(); }}>
      <p>It takes no new streams, and its relays forget it.
        ${running > 0 ? html`<b>${count(running)} running ${running === 1 ? 'stream' : 'streams'}</b> may finish, unless you reset ${running === 1 ? 'it' : 'them'}.` : 'No stream runs through it.'}</p>
      <label class="check"><input type="checkbox" checked=${abort} onChange=${(event) => setAbort(event.target.checked)} /> Reset running streams: both ends see their connection break</label>
    </${Confirm}>`;
}

export function drainRelay(relay, chains, close) {
  if (relay.drained) {
    return html`
      <${Confirm} title="Use relay ${relay.name} again?" verb="Use it again" close=${close} run=${() => api.undrain(relay.name)} done=${refresh}>
        <p>Plans may use it from now on.</p></${Confirm}>`;
  }
  return html`
    <${Confirm} title="Drain relay ${relay.name}?" verb="Drain" close=${close} run=${() => api.drain(relay.name)} done=${refresh}>
      <p>No new chain and no plan uses it.
        ${chains.length ? html`<b>${count(chains.length)} open ${chains.length === 1 ? 'chain goes' : 'chains go'} on</b> through it, new streams of ${chains.length === 1 ? 'it' : 'them'} too, until you re-plan or close ${chains.length === 1 ? 'it' : 'them'}.` : 'No chain uses it now.'}</p>
      <p class="muted">The relay itself keeps running; this can be undone.</p></${Confirm}>`;
}

export function forgetRelay(relay, chains, close) {
  return html`
    <${Confirm} title="Forget relay ${relay.name}?" verb="Forget" danger close=${close} run=${() => api.forget(relay.name)}
        done=${() => { go(to('relays')); refresh(); }}>
      <p>The relay and what was measured of its links are removed from the orchestrator.
        ${relay.status === 'LOST' || relay.status === 'STOPPED' ? '' : 'It runs: it will register anew.'}
        ${chains.length ? 'This is refused while chains use it.' : ''}</p></${Confirm}>`;
}

/** Opens what a plan was asked for; request is the plan's. */
export const openChain = (request, plan, instead, close) =>
  html`<${OpenChain} request=${request} plan=${plan} instead=${instead} close=${close} />`;

function OpenChain({ request, plan, instead, close }) {
  const [name, setName] = useState('');
  const [port, setPort] = useState('');
  const [pinned, setPinned] = useState(true);
  const [closeOld, setCloseOld] = useState(Boolean(instead));
  // The same key for every press of the button: an answer that got lost opens no second chain.
  const [key] = useState(randomKey);
  const run = async () => {
    const chain = await api.open({
      destination: request.destination,
      name: name.trim() || undefined,
      via: request.via?.length ? request.via : pinned ? plan.relays : undefined,
      avoid: request.via?.length || pinned ? undefined : request.avoid,
      maxRelays: request.maxRelays,
      bytes: request.bytes,
      source: request.source,
      ingressPort: port ? Number(port) : undefined,
      options: request.congestionControl ? { congestionControl: request.congestionControl } : undefined,
      question: request,
    }, key);
    if (instead && closeOld) await api.close(instead, false);
    return chain;
  };
  return html`
    <${Confirm} title="Open a chain to ${request.destination}?" verb="Open" close=${close} run=${run}
        done=${(chain) => { refresh(); go(to('chains', chain.id)); }}>
      <p>Through <${Way} relays=${plan.relays} />${request.bytes ? `, for ${bytes(request.bytes)}` : ''}. All of its relays are asked at once.</p>
      ${plan.decision !== 'CASCADE' && html`<${Note} kind="warn">The plan does not promise a gain: ${AGAINST[plan.decision]}.</${Note}>`}
      <${Field} label="Name (optional)">${(id) => html`<input id=${id} maxlength="63" value=${name} onInput=${(event) => setName(event.target.value)} />`}</${Field}>
      <${Field} label="Port at the first relay" hint="Empty takes a free one.">${(id, hint) => html`<input id=${id} aria-describedby=${hint} inputmode="numeric" pattern="[0-9]*" value=${port} onInput=${(event) => setPort(event.target.value)} />`}</${Field}>
      ${!request.via?.length && html`<label class="check"><input type="checkbox" checked=${pinned} onChange=${(event) => setPinned(event.target.checked)} /> Exactly these relays, even if measurements have changed since</label>`}
      ${instead && html`<label class="check"><input type="checkbox" checked=${closeOld} onChange=${(event) => setCloseOld(event.target.checked)} /> Then close the old chain; its running streams may finish. The new one has another port unless you name it.</label>`}
    </${Confirm}>`;
}
