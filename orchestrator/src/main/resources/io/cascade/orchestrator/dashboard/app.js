// The shell: where one can go, how fresh what one sees is, and what to do when nobody answers.

import { isOpen } from './access.js';
import { ago, chainName } from './format.js';
import { attention } from './attention.js';
import { connection, enter, leave, live, refresh, silentSeconds, useLive } from './live.js';
import { Field } from './parts.js';
import { to, useRoute } from './router.js';
import { html, useEffect, useRef, useState } from './ui.js';
import { token } from './api.js';
import { Overview } from './views/overview.js';
import { Topology } from './views/topology.js';
import { Chains } from './views/chains.js';
import { Chain } from './views/chain.js';
import { Relay, Relays } from './views/relays.js';
import { LinkPage, Links } from './views/links.js';
import { Gateways } from './views/gateways.js';
import { Splitters } from './views/splitters.js';
import { Plan } from './views/plan.js';
import { Advice } from './views/advice.js';
import { Events } from './views/events.js';
import { Audit } from './views/audit.js';

const VIEWS = [
  ['', 'Overview', '◎'], ['topology', 'Topology', '⌬'], ['chains', 'Chains', '»'], ['relays', 'Relays', '▣'],
  ['links', 'Links', '⇄'], ['gateways', 'Gateways', '⊶'], ['splitters', 'Splitters', '⋔'], ['plan', 'Plan', '?'], ['advice', 'Advice', '✓'], ['events', 'Events', '≡'], ['audit', 'Audit', '✎'],
];

const THEME = 'cascade.theme';
const THEMES = { system: 'as the system', light: 'light', dark: 'dark' };

export function App() {
  useLive();
  const route = useRoute();
  const [first, second, third] = route.parts;
  const address = route.parts.join('/');
  const main = useRef(null);
  const arrived = useRef(false);
  const chain = first === 'chains' && live.chains?.find((one) => one.id === second);
  const title = [chain ? chainName(chain) : second && [second, third].filter(Boolean).join(' → '), (VIEWS.find(([path]) => path === (first ?? '')) ?? [, 'Not found'])[1]].filter(Boolean).join(' · ');
  useEffect(() => {
    document.title = `${title} · Cascade`;
  }, [title]);
  useEffect(() => {
    // Who follows a link hears where it led; the first page is nobody's link.
    if (arrived.current) main.current?.querySelector('h1')?.focus();
    arrived.current = true;
    scrollTo(0, 0);
  }, [address]);
  if (live.access === 'needed' || live.access === 'wrong') return html`<${Enter} wrong=${live.access === 'wrong'} />`;
  return html`
    <a class="skip" href="#main" onClick=${(event) => { event.preventDefault(); main.current.querySelector('h1')?.focus(); }}>Skip to the content</a>
    <header class="top">
      <a class="brand" href="#/"><img src="icon.svg" alt="" width="24" height="24" />Cascade</a>
      <nav aria-label="Views"><ul>${VIEWS.filter(([path]) => isOpen(path)).map(([path, name, icon]) => html`
        <li key=${path}><a href=${`#/${path}`} aria-current=${(first ?? '') === path ? 'page' : undefined}><span aria-hidden="true">${icon}</span>${name}${path === '' && html`<${Alerts} />`}</a></li>`)}</ul></nav>
      <div class="tools"><${Freshness} /><${Theme} />${token.get() && html`${live.me && html`<span class="muted" title="signed in as">${live.me.name} · ${live.me.role.toLowerCase()}</span>`}<button class="small" onClick=${leave}>Forget token</button>`}</div>
    </header>
    <main id="main" ref=${main}>
      <${Outage} />
      ${!isOpen(first) ? html`<h1 tabindex="-1">Not for this key</h1><p>The role of this key does not allow this view. <a href=${to()}>Overview</a></p>`
        : first === undefined ? html`<${Overview} />`
        : first === 'topology' ? html`<${Topology} query=${route.query} />`
        : first === 'chains' && second ? html`<${Chain} key=${second} id=${second} />`
        : first === 'chains' ? html`<${Chains} query=${route.query} />`
        : first === 'relays' && second ? html`<${Relay} key=${second} name=${second} />`
        : first === 'relays' ? html`<${Relays} />`
        : first === 'links' && third ? html`<${LinkPage} key=${address} from=${second} name=${third} />`
        : first === 'links' ? html`<${Links} query=${route.query} />`
        : first === 'gateways' ? html`<${Gateways} />`
        : first === 'splitters' ? html`<${Splitters} />`
        : first === 'plan' ? html`<${Plan} key=${route.query.toString()} query=${route.query} />`
        : first === 'advice' ? html`<${Advice} />`
        : first === 'events' ? html`<${Events} query=${route.query} />`
        : first === 'audit' ? html`<${Audit} />`
        : html`<h1 tabindex="-1">Nothing here</h1><p>There is no such page. <a href=${to()}>Overview</a></p>`}
    </main>`;
}

function Alerts() {
  const count = live.relays && live.chains ? attention(live).length : 0;
  return count > 0 ? html` <span class="badge">${count}<span class="hidden"> need attention</span></span>` : null;
}

const FRESH = {
  connecting: { tone: 'busy', mark: '◐', word: 'Connecting', more: '' },
  live: { tone: 'good', mark: '●', word: 'Live', more: 'events arrive as they happen' },
  polling: { tone: 'warn', mark: '◐', word: 'Polling', more: 'the stream of events is down; polling every two seconds' },
  late: { tone: 'warn', mark: '◐', word: 'No answer', more: '' },
  lost: { tone: 'bad', mark: '✕', word: 'Disconnected', more: 'the data shown is old' },
};

function Freshness() {
  const [, look] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => look((n) => n + 1), 1_000); // That nothing comes changes nothing by itself.
    return () => clearInterval(timer);
  }, []);
  const is = connection();
  const said = FRESH[is];
  return html`<span class="state ${said.tone}" role="status" title=${is === 'late' ? `for ${Math.floor(silentSeconds())} s; the data shown is as old` : said.more}><span class="mark" aria-hidden="true">${said.mark}</span>${said.word}</span>`;
}

function Outage() {
  const [now, setNow] = useState(Date.now());
  const down = connection() === 'lost';
  useEffect(() => {
    if (!down) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [down]);
  if (!down) {
    return live.problem
      ? html`<div class="outage" role="alert"><b>The orchestrator had a problem.</b> ${live.problem.message} <button onClick=${refresh}>Refresh</button></div>`
      : null;
  }
  return html`
    <div class="outage" role="alert"><b>The orchestrator does not answer.</b>
      ${live.contactAt ? ` The data shown is from ${ago(live.contactAt, now)}.` : ` Nothing has been heard from ${location.host} yet.`}
      Chains continue to accept streams without it. <button onClick=${refresh}>Try now</button></div>`;
}

function Theme() {
  const [theme, setTheme] = useState(localStorage.getItem(THEME) ?? 'system');
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    localStorage.setItem(THEME, theme);
  }, [theme]);
  return html`<label class="theme"><span class="hidden">Colours</span><select value=${theme} onChange=${(event) => setTheme(event.target.value)}>${Object.entries(THEMES).map(([key, name]) => html`<option value=${key}>${name}</option>`)}</select></label>`;
}

function Enter({ wrong }) {
  const [secret, setSecret] = useState('');
  const [busy, setBusy] = useState(false);
  const submit = async (event) => {
    event.preventDefault();
    setBusy(true);
    await enter(secret.trim());
    setBusy(false);
  };
  return html`
    <main class="enter"><form class="panel" onSubmit=${submit}>
      <h1 tabindex="-1"><img src="icon.svg" alt="" width="32" height="32" /> Cascade</h1>
      <p>This orchestrator requires a token: the one that it was started with (<code>--token</code> or <code>CASCADE_TOKEN</code>), or a key (<code>./cascade key create</code>).</p>
      <${Field} label="Token" error=${wrong && !busy ? 'This is neither the token of this orchestrator nor a key that it accepts.' : ''} hint="Kept until this page is closed or reloaded.">${(id, hint) => html`
        <input id=${id} aria-describedby=${hint} aria-invalid=${wrong ? 'true' : undefined} type="password" autocomplete="current-password" required value=${secret} onInput=${(event) => setSecret(event.target.value)} />`}</${Field}>
      <div class="buttons"><button class="primary" disabled=${busy}>${busy ? 'Asking…' : 'Enter'}</button></div>
    </form></main>`;
}
