// What the page knows of the system: polled, hurried by events, with a short history: the
// orchestrator's first, then what was seen here.

import { api, contact, follow, token } from './api.js';
import { lostShare } from './loss.js';
import { continued, joined, RateMeter, remembered, SETTLED } from './rates.js';
import { lastRelay } from './route.js';
import { useEffect, useLayoutEffect, useState } from './ui.js';

const POLL = 2_000;
const POLL_HIDDEN = 15_000;
const LINKS_EVERY = 2;
const STREAMS_EVERY = 2;
const LATE = 3 * POLL; // Three looks without an answer; requests are given up later.
const SILENCE = 25_000; // The server sends a comment every 10 s.
const MOST_CHAINS = 200;
export const MOST_WATCHED = 24;
const POINTS = 450; // A quarter of an hour.
const SHOWN = 15 * 60_000; // The same in milliseconds.
const MOST_EVENTS = 1_000;

const listeners = new Set();
let scheduled = false;

/** Undefined is "not heard yet"; an empty list is an answer. */
export const live = {
  access: 'unknown', // unknown, open, needed, wrong
  me: null, // who is signed in: name, role, scopes
  events: [],
  reachable: null, // null until the first answer or failure
  streaming: false, // whether events come as they happen
  contactAt: null,
  shown: null, // the chain whose page is open, which is looked at every time
  relays: undefined,
  links: undefined,
  corrections: undefined,
  chains: undefined,
  details: new Map(), // id → chain with totals
  streams: new Map(), // id → answer
  statistics: null, // hops and bottlenecks, where the orchestrator tells of them
  unwatched: 0,
  problem: null,
  total: [], // { t, forward, backward } of all watched chains
  rates: new Map(), // id → the same of one chain
  linkHistory: new Map(), // "from→to" → { t, rtt, loss }
};

/** Shows everything anew, once. */
export function changed() {
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(() => {
    scheduled = false;
    listeners.forEach((listener) => listener());
  });
}

/** Whether whoever is signed in may do what needs that scope. */
export const may = (scope) => Boolean(live.me?.scopes.includes(scope));

/** Seconds since the orchestrator last sent anything. */
export const silentSeconds = () => (contact.at === null ? 0 : (performance.now() - contact.at) / 1e3);

/** One word for how fresh it all is: connecting, live, polling, late or lost. */
export function connection() {
  if (live.reachable === null) return 'connecting';
  if (!live.reachable) return 'lost';
  if (!document.hidden && silentSeconds() * 1e3 > LATE) return 'late';
  return live.streaming ? 'live' : 'polling';
}

/**
 * The state, and a new look at it whenever it changes. Listens before the first paint: an answer that comes
 * sooner would change nothing on the page, and one that asks for a token is the last.
 */
export function useLive() {
  const [, look] = useState(0);
  useLayoutEffect(() => {
    const listener = () => look((n) => n + 1);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, []);
  return live;
}

/**
 * What a page asks for by itself, at once and then again and again: { answer, problem }, each where there is one.
 *
 * @param ask null where there is nothing to ask for
 * @param about what the question depends on: where that changes, it is another one
 */
export function useAsked(ask, everyMillis, about = []) {
  const [asked, setAsked] = useState({});
  const known = live.access === 'open';
  useEffect(() => {
    setAsked({});
    if (!known || !ask) return undefined;
    let gone = false;
    const look = () => ask().then(
      (answer) => gone || setAsked({ answer }),
      (problem) => gone || setAsked((before) => ({ ...before, problem })));
    look();
    const timer = setInterval(look, everyMillis);
    return () => {
      gone = true;
      clearInterval(timer);
    };
  }, [known, ...about]);
  return asked;
}

/** How often a chart asks for what the orchestrator remembers. */
const ANEW = 60_000;

/**
 * A series of so many minutes: what the orchestrator remembers, where that is more than the page keeps, then what the
 * page saw.
 *
 * @param ask for the history of so many seconds; null where nobody may
 */
export function usePast(minutes, key, ask, own) {
  const longer = ask && minutes * 60_000 > SHOWN;
  const { answer } = useAsked(longer ? () => ask(minutes * 60) : null, ANEW, [minutes, key, Boolean(longer)]);
  return answer && longer ? continued(remembered(answer), own) : own;
}

/** Minutes that charts of rates show where nobody chose: what the page keeps. */
export const USUAL_MINUTES = SHOWN / 60_000;

export const carries = (chain) => chain.state === 'READY' || chain.state === 'DEGRADED';

function keep(series, point) {
  series.push(point);
  if (series.length > POINTS) series.shift();
}

const meters = new Map(); // id → RateMeter

/** What the last relay counted; null where it did not say. */
function counted(chain) {
  const last = chain.totals?.find((total) => total.relay === lastRelay(chain));
  return last ? { forward: last.forwardBytes, backward: last.backwardBytes } : null;
}

/** The chain, and when its relays counted, as near as can be told from here. */
async function countedChain(id) {
  const asked = performance.now();
  const chain = await api.chain(id);
  return { chain, at: (asked + performance.now()) / 2 };
}

/** What the orchestrator remembers of the time that a page keeps. Without it the page begins with nothing. */
async function past(history) {
  const now = Date.now();
  try {
    return remembered(await history).points.filter(({ t }) => t > now - SHOWN && t < now);
  } catch (problem) {
    if (problem.status === 401) throw problem;
    return [];
  }
}

const recalled = new Map(); // id of a chain, or TOTAL → { at, whole }
const TOTAL = 'total';

/**
 * The series behind what the orchestrator remembers. It tells a span of ten seconds once every relay was heard, so
 * it is asked again when it knows the time in which this page began.
 */
async function withPast(key, series, ask) {
  const now = performance.now();
  const before = recalled.get(key);
  if (before && (before.whole || now - before.at < SETTLED)) return series;
  recalled.set(key, { at: before?.at ?? now, whole: Boolean(before) });
  return joined(await past(ask(SHOWN / 1e3)), series.filter((point) => !point.past), Date.now()).slice(-POINTS);
}

/** A look from which no rate can be told is a gap, but for the first one. */
const isToBeKept = (series, known) => known || series.some((point) => !point.past);

async function watch(chains) {
  if (may('network:read')) live.total = await withPast(TOTAL, live.total, api.rateHistory);
  const carrying = chains.filter(carries);
  const first = carrying.filter(({ id }) => id === live.shown);
  const watched = [...first, ...carrying.filter(({ id }) => id !== live.shown)].slice(0, MOST_WATCHED);
  live.unwatched = carrying.length - watched.length;
  const sum = { t: Date.now(), forward: 0, backward: 0 };
  let known = 0;
  let looked = 0;
  await Promise.all(watched.map(async ({ id }) => {
    try {
      const askStreams = round % STREAMS_EVERY === 0 || id === live.shown || !live.streams.has(id);
      const [{ chain, at }, streams] = await Promise.all([
        countedChain(id),
        askStreams ? api.streams(id) : live.streams.get(id),
      ]);
      live.details.set(id, chain);
      live.streams.set(id, streams);
      if (!meters.has(id)) meters.set(id, new RateMeter());
      const meter = meters.get(id);
      const now = meter.look(counted(chain), at);
      const rates = await withPast(id, live.rates.get(id) ?? [], (seconds) => api.chainHistory(id, seconds));
      live.rates.set(id, rates);
      if (now !== undefined) looked++;
      if (now !== undefined && isToBeKept(rates, now)) {
        keep(rates, { t: Date.now(), forward: now?.forward ?? null, backward: now?.backward ?? null });
      }
      if (meter.last) {
        known++;
        sum.forward += meter.last.forward;
        sum.backward += meter.last.backward;
      }
    } catch (problem) {
      if (problem.status !== 404) throw problem;
    }
  }));
  if ((looked || !watched.length) && isToBeKept(live.total, known || !watched.length)) {
    keep(live.total, known || !watched.length ? sum : { t: sum.t, forward: null, backward: null });
  }
  const ids = new Set(chains.map((chain) => chain.id));
  for (const map of [live.details, live.streams, live.rates, meters, recalled]) {
    for (const id of map.keys()) if (!ids.has(id) && id !== TOTAL) map.delete(id);
  }
}

function noteLinks(links) {
  const t = Date.now();
  for (const link of links) {
    const key = linkKey(link.from, link.to);
    if (!live.linkHistory.has(key)) live.linkHistory.set(key, []);
    keep(live.linkHistory.get(key), {
      t,
      rtt: link.stale ? null : (link.smoothedRttMillis ?? link.minRttMillis ?? null),
      loss: link.stale ? null : lostShare(link),
    });
  }
}

export const linkKey = (from, to) => `${from}→${to}`;

let round = 0;
let running = null;
let again = false;

/** One look at everything. Looks do not overlap; one that is asked for meanwhile follows. */
export async function refresh() {
  if (running) {
    again = true;
    return running;
  }
  running = look().finally(() => {
    running = null;
    if (again) {
      again = false;
      refresh();
    }
  });
  return running;
}

let hasStatistics = true;

/** An orchestrator that does not know of them is not asked again. */
async function statisticsNow() {
  if (!hasStatistics || !may('network:read')) return null;
  try {
    return await api.statistics();
  } catch (problem) {
    hasStatistics = problem.status !== 404;
    return null;
  }
}

async function look() {
  try {
    if (!live.me) {
      const asked = token.get();
      const me = await api.me();
      if (token.get() === asked) live.me = me; // Another one may have signed in meanwhile.
    }
    const [relays, chains, statistics] = await Promise.all([
      api.relays(),
      api.chains(MOST_CHAINS),
      statisticsNow(),
    ]);
    live.statistics = statistics;
    live.relays = relays;
    live.chains = chains;
    if (round++ % LINKS_EVERY === 0 || !live.links) {
      [live.links, live.corrections] = may('network:read') ? await Promise.all([api.links(), api.corrections()]) : [[], []];
      noteLinks(live.links);
    }
    live.access = 'open';
    live.problem = null;
    live.contactAt = Date.now();
    live.reachable = true;
    changed();
    await watch(chains);
  } catch (problem) {
    if (problem.status === 401) {
      live.access = token.get() ? 'wrong' : 'needed';
    } else {
      live.problem = problem;
      if (problem.status === 0) live.reachable = false;
    }
  }
  changed();
}

let last = 0;

function take(event) {
  if (event.id <= last) return;
  last = event.id;
  live.events.unshift(event);
  if (live.events.length > MOST_EVENTS) live.events.pop();
  hurry();
  changed();
}

let hurried = null;

function hurry() {
  hurried ??= setTimeout(() => {
    hurried = null;
    refresh();
  }, 150);
}

const pause = (millis) => new Promise((done) => setTimeout(done, millis));

async function listen() {
  let wait = 500;
  for (;;) {
    if (live.access !== 'open' || !may('network:read')) {
      await pause(250);
      continue;
    }
    const silent = new AbortController();
    let timer;
    const sign = () => {
      clearTimeout(timer);
      timer = setTimeout(() => silent.abort(), SILENCE);
    };
    try {
      sign();
      await follow(last, {
        signal: silent.signal,
        onSign: () => {
          sign();
          live.contactAt = Date.now();
        },
        onOpen: () => {
          wait = 500;
          live.streaming = true;
          hurry();
          changed();
        },
        onEvent: take,
      });
    } catch (problem) {
      if (problem.status === 401) live.access = token.get() ? 'wrong' : 'needed';
    } finally {
      clearTimeout(timer);
    }
    live.streaming = false;
    hurry();
    changed();
    await pause(wait);
    wait = Math.min(wait * 2, 10_000);
  }
}

async function poll() {
  for (;;) {
    if (live.access === 'open' || live.access === 'unknown') await refresh();
    await pause(document.hidden ? POLL_HIDDEN : POLL);
  }
}

/** Uses another token from now on. */
export function enter(secret) {
  token.set(secret);
  live.me = null;
  live.access = 'unknown';
  return refresh();
}

export function leave() {
  token.forget();
  live.me = null;
  live.access = 'unknown';
  return refresh();
}

export function start() {
  document.addEventListener('visibilitychange', () => document.hidden || refresh());
  poll();
  listen();
}
