import { chainName, millis, percent, rate, tone, words } from '../format.js';
import { carries, linkKey, live, useLive } from '../live.js';
import { lossText, seenLoss } from '../loss.js';
import { ChainLink, Empty, Lead, Loading, NoRelays, Panel, Scroll, State, Way } from '../parts.js';
import { fit, freeDirection, place, siteBoxes } from '../placement.js';
import { linkHops } from '../route.js';
import { remember, to } from '../router.js';
import { html, useRef, useState } from '../ui.js';

const WIDTH = 1000;
const HEIGHT = 560;
const MARGIN = 90;
const MARKS = { good: '', busy: '◐', warn: '▲', bad: '✕', quiet: '' };

const COLOURS = {
  loss: {
    name: 'loss', of: seenLoss, say: percent, limits: [0.0001, 0.001, 0.01],
    ranges: ['none seen, or under 0.01 %', '0.01 to 0.1 %', '0.1 to 1 %', '1 % and more'],
  },
  rtt: {
    name: 'round trip', of: (link) => link.minRttMillis ?? null, say: millis, limits: [10, 50, 150],
    ranges: ['under 10 ms', '10 to 50 ms', '50 to 150 ms', '150 ms and more'],
  },
};

const SHOWN = { all: 'all', chains: 'under chains', stale: 'stale' };

export function Topology({ query }) {
  useLive();
  const places = useRef({ key: '', at: new Map() });
  const [colour, setColour] = useState(COLOURS[query.get('colour')] ? query.get('colour') : 'loss');
  const [shown, setShown] = useState(SHOWN[query.get('links')] ? query.get('links') : 'all');
  const [picked, setPicked] = useState(query.get('chain'));
  const { relays, links, chains } = live;
  if (!relays || !links || !chains) return html`<h1 tabindex="-1">Topology</h1><${Loading} what="relays and links" />`;
  if (!relays.length) {
    return html`<h1 tabindex="-1">Topology</h1><${NoRelays} />`;
  }
  const open = chains.filter((chain) => carries(chain));
  const traffic = trafficOf(open);
  const at = positions(places.current, relays, links);
  const used = new Set(open
    .filter((chain) => !picked || chain.id === picked)
    .flatMap((chain) => linkHops(chain).map((hop) => linkKey(hop.from, hop.to))));
  const visible = links.filter((link) => at.has(link.from) && at.has(link.to)
    && (shown === 'all' || (shown === 'stale' && link.stale) || used.has(linkKey(link.from, link.to))));
  const most = Math.max(...traffic.values(), 1);
  const choose = (key, set) => (event) => {
    set(event.target.value);
    remember({ [key]: event.target.value });
  };
  const scheme = COLOURS[colour];
  return html`
    <h1 tabindex="-1">Topology</h1>
    <form class="filters" onSubmit=${(event) => event.preventDefault()}>
      <label>Colour by <select value=${colour} onChange=${choose('colour', setColour)}>${Object.entries(COLOURS).map(([key, one]) => html`<option value=${key}>${one.name}</option>`)}</select></label>
      <label>Links <select value=${shown} onChange=${choose('links', setShown)}>${Object.entries(SHOWN).map(([key, name]) => html`<option value=${key}>${name}</option>`)}</select></label>
      <label>Chain <select value=${picked ?? ''} onChange=${(event) => { setPicked(event.target.value || null); remember({ chain: event.target.value }); }}>
        <option value="">all ${open.length}</option>${open.map((chain) => html`<option value=${chain.id}>${chainName(chain)}</option>`)}</select></label>
      <${Legend} scheme=${scheme} />
    </form>
    <section class="panel wide map" aria-label="Map of relays and links">
      <${Scroll} label="Map"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="group" aria-label="Relays apart by round-trip time, with the links between them">
        <defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" /></marker></defs>
        <${Sites} relays=${relays} at=${at} />
        ${visible.map((link) => html`<${Line} key=${linkKey(link.from, link.to)} link=${link} at=${at} scheme=${scheme}
          used=${used.has(linkKey(link.from, link.to))} rate=${traffic.get(linkKey(link.from, link.to))} most=${most} />`)}
        ${visible.length <= 24 && visible.filter((link) => link.from < link.to).map((link) => html`<${RoundTrip} key=${linkKey(link.from, link.to)} link=${link} at=${at} />`)}
        <${SiteNames} relays=${relays} at=${at} />
        ${relays.map((relay) => html`<${Node} key=${relay.name} relay=${relay} at=${at.get(relay.name)} others=${neighbours(relay.name, visible, at)} />`)}
      </svg></${Scroll}>
      <p class="fine">Distance follows the round-trip time; the colour shows its ${scheme.name}; the width shows what chains carry now; a link under a chain has a halo. Dashed lines are stale. The number in a circle is that of the streams through the relay; the time at a line is its least round trip. Everything here is also in <a href=${to('links')}>Links</a>.</p>
    </section>
    <${Panel} title="Chains over it" wide>
      ${open.length === 0 ? html`<${Empty} title="No chain is open">A <${Lead} href=${to('plan')}>plan</${Lead}> says where one would go.</${Empty}>`
        : html`<ul class="plain">${open.map((chain) => html`
          <li key=${chain.id} class=${picked === chain.id ? 'picked' : ''}><${ChainLink} chain=${chain} /> <${State} of=${chain.state} /> <${Way} relays=${chain.relays} /> → ${chain.destination} <b>${rate(live.rates.get(chain.id)?.at(-1)?.forward)}</b></li>`)}</ul>`}
    </${Panel}>`;
}

function trafficOf(chains) {
  const sums = new Map();
  for (const chain of chains) {
    const now = live.rates.get(chain.id)?.at(-1);
    for (const { from, to: next } of linkHops(chain)) {
      for (const [key, value] of [[linkKey(from, next), now?.forward], [linkKey(next, from), now?.backward]]) {
        sums.set(key, (sums.get(key) ?? 0) + (value ?? 0));
      }
    }
  }
  return sums;
}

/** Placed anew when relays come or go, or a round trip has changed by a quarter. */
function positions(kept, relays, links) {
  const rtt = new Map(links.filter((link) => link.minRttMillis != null).map((link) => [linkKey(link.from, link.to), link.minRttMillis]));
  const step = (value) => Math.round(Math.log(value) / Math.log(1.25));
  const names = relays.map((relay) => relay.name);
  const key = JSON.stringify([names, [...rtt].map(([name, value]) => [name, step(value)])]);
  if (kept.key !== key) {
    const all = [...rtt.values()].sort((a, b) => a - b);
    const usual = all[all.length >> 1] ?? 1;
    const least = Math.max(all.at(-1) ?? 1, 1e-3) / 12; // So that neighbours do not cover each other.
    const distance = (a, b) => Math.sqrt(Math.max(least, rtt.get(linkKey(a, b)) ?? rtt.get(linkKey(b, a)) ?? usual));
    const known = new Map([...kept.at].filter(([name]) => names.includes(name)));
    kept.at = place(names, distance, known.size === names.length ? known : new Map());
    kept.key = key;
    kept.fitted = fit(kept.at, WIDTH, HEIGHT, MARGIN);
  }
  return kept.fitted;
}

const neighbours = (name, links, at) => [...new Set(links
  .filter((link) => link.from === name || link.to === name)
  .map((link) => (link.from === name ? link.to : link.from)))].map((other) => at.get(other));

/** Where a link's line starts and ends, and the step to its right: directions run side by side. */
function ends(link, at) {
  const [[x1, y1], [x2, y2]] = [at.get(link.from), at.get(link.to)];
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [nx, ny] = [-uy * 4, ux * 4];
  return { sx: x1 + ux * 26 + nx, sy: y1 + uy * 26 + ny, ex: x2 - ux * 26 + nx, ey: y2 - uy * 26 + ny, nx, ny };
}

/** Beside the line, off its middle: diagonals cross there. */
function RoundTrip({ link, at }) {
  const { sx, sy, ex, ey, nx, ny } = ends(link, at);
  return html`<text class="trip" x=${sx + 0.38 * (ex - sx) - nx * 1} y=${sy + 0.38 * (ey - sy) - ny * 1 + 4} text-anchor="middle">${millis(link.minRttMillis)}</text>`;
}

function Line({ link, at, scheme, used, rate: carried, most }) {
  const { sx, sy, ex, ey } = ends(link, at);
  const value = scheme.of(link);
  const step = value == null ? 'none' : scheme.limits.filter((limit) => value >= limit).length;
  const width = 1.5 + (carried ? 5 * Math.sqrt(carried / most) : 0);
  const said = `${link.from} → ${link.to}: ${millis(link.minRttMillis)}, loss ${lossText(link)}${carried ? `, carries ${rate(carried)}` : ''}${link.stale ? ', stale' : ''}`;
  return html`
    <a href=${to('links', link.from, link.to)} tabindex="-1" aria-label=${said} class="link step-${step} ${link.stale ? 'stale' : ''}">
      <title>${said}</title>
      ${used && html`<line class="halo" x1=${sx} y1=${sy} x2=${ex} y2=${ey} stroke-width=${width + 8} />`}
      <line class="hit" x1=${sx} y1=${sy} x2=${ex} y2=${ey} />
      <line class="wire" x1=${sx} y1=${sy} x2=${ex} y2=${ey} stroke-width=${width} marker-end="url(#tip)" />
    </a>`;
}

const LONGEST = 24;
const LETTER = 8.5; // About a letter's width at the name's size.

function Node({ relay, at: [x, y], others }) {
  const kind = tone(relay.status);
  const direction = freeDirection([x, y], others);
  const side = Math.cos(direction);
  const name = relay.name.length > LONGEST ? `${relay.name.slice(0, LONGEST - 1)}…` : relay.name;
  const long = name.length * LETTER;
  const left = x + side * 26 - (side < -0.4 ? long : side > 0.4 ? 0 : long / 2);
  const kept = Math.min(Math.max(left, 4), WIDTH - 4 - long) + long / 2;
  return html`
    <a href=${to('relays', relay.name)} class="node ${kind}" aria-label="${name} ${MARKS[kind] || relay.runningStreams} running streams; relay ${relay.name} at ${relay.site}, ${words(relay.status)}">
      <circle cx=${x} cy=${y} r="20" />
      <text class="name" x=${kept} y=${y + 5 + Math.sin(direction) * 34} text-anchor="middle">${name}</text>${' '}
      <text class="count" x=${x} y=${y + 5} text-anchor="middle">${MARKS[kind] || relay.runningStreams}</text>
    </a>`;
}

const Sites = ({ relays, at }) => siteBoxes(relays, at).map(({ site, x, y, width, height }) => html`
  <rect key="${site} ${x}" class="site" x=${x} y=${y} width=${width} height=${height} rx="14" />`);

/** Above the lines, so that none crosses them out. */
const SiteNames = ({ relays, at }) => siteBoxes(relays, at).map(({ site, x, y }) => html`
  <text key="${site} ${x}" class="site-name" x=${x + 10} y=${y + 15}>${site}</text>`);

const Legend = ({ scheme }) => html`
  <ul class="colours" aria-label="Colours of ${scheme.name}">${scheme.ranges.map((range, i) => html`<li><i class="step-${i}" aria-hidden="true"></i>${range}</li>`)}</ul>`;
