// The public REST API and its events. Nothing here knows what is shown.

import { readJson } from './text.js';

const BASE = '/api/v1';

/** A problem document (RFC 9457), or that nobody answered (status 0). */
export class Problem extends Error {
  constructor(status, document) {
    super(document.detail || document.title || `HTTP ${status}`);
    this.status = status;
    this.title = document.title || 'The request failed';
    this.chainId = document.chainId;
  }
}

// In memory alone: browsers write what they store to a disk, and restore it with the tab.
let secret = null;

export const token = {
  get: () => secret,
  set: (value) => { secret = value; },
  forget: () => { secret = null; },
};

function headers(more) {
  return secret ? { ...more, Authorization: `Bearer ${secret}` } : { ...more };
}

async function problemOf(response) {
  try {
    return new Problem(response.status, readJson(await response.text()));
  } catch {
    return new Problem(response.status, { title: response.statusText });
  }
}

/** When the orchestrator last sent anything, in milliseconds of a steady clock; null as long as it has not. */
export const contact = { at: null };

const heard = () => { contact.at = performance.now(); };

const timedOut = (failure) => failure.name === 'TimeoutError';

async function ask(method, path, body, more = {}, patience = 15_000) {
  const send = () => fetch(BASE + path, {
    method,
    headers: headers(body === undefined ? more : { 'Content-Type': 'application/json', ...more }),
    body: body === undefined ? undefined : JSON.stringify(body),
    cache: 'no-store',
    signal: AbortSignal.timeout(patience),
  });
  let response;
  try {
    // Once more: browsers break off what is under way when the machine's network changes, as it does when a
    // container starts, and none of these requests does harm when it comes twice.
    response = await send().catch((failure) => (timedOut(failure) ? Promise.reject(failure) : send()));
  } catch (failure) {
    throw new Problem(0, {
      title: 'No answer',
      detail: timedOut(failure)
        ? `the orchestrator did not answer within ${patience / 1000} s`
        : 'the orchestrator cannot be reached',
    });
  }
  heard();
  if (!response.ok) throw await problemOf(response);
  return response.status === 204 ? null : readJson(await response.text());
}

const path = (strings, ...parts) =>
  strings.reduce((all, string, i) => all + encodeURIComponent(parts[i - 1]) + string);

export const api = {
  me: () => ask('GET', '/me'),
  relays: () => ask('GET', '/relays').then((answer) => answer.relays),
  gateways: () => ask('GET', '/gateways').then((answer) => answer.gateways),
  tunnels: () => ask('GET', '/tunnels').then((answer) => answer.tunnels),
  splitters: () => ask('GET', '/splitters').then((answer) => answer.splitters),
  transfers: () => ask('GET', '/transfers').then((answer) => answer.transfers),
  links: () => ask('GET', '/links').then((answer) => answer.links),
  linkHistory: (from, to) => ask('GET', path`/links/${from}/${to}/history`).then((answer) => answer.spans),
  corrections: () => ask('GET', '/corrections').then((answer) => answer.corrections),
  chains: (limit) => ask('GET', `/chains?limit=${limit}`).then((answer) => answer.chains),
  statistics: () => ask('GET', '/statistics'),
  rateHistory: (seconds) => ask('GET', `/statistics/history?seconds=${seconds}`),
  chainHistory: (id, seconds) => ask('GET', `${path`/chains/${id}/history`}?seconds=${seconds}`),
  chain: (id) => ask('GET', path`/chains/${id}`),
  streams: (id) => ask('GET', path`/chains/${id}/streams`),
  audit: (before) => ask('GET', before ? `/audit?before=${before}` : '/audit'),
  advice: () => ask('GET', '/advice?limit=100').then((answer) => answer.destinations),
  // Both probe the destination, and setting up waits for every relay.
  plan: (request) => ask('POST', '/plans', request, {}, 60_000),
  open: (request, key) => ask('POST', '/chains', request, { 'Idempotency-Key': key }, 120_000),
  close: (id, abort) => ask('DELETE', `${path`/chains/${id}`}?abort=${abort}`, undefined, {}, 90_000),
  forget: (name) => ask('DELETE', path`/relays/${name}`),
  drain: (name) => ask('PUT', path`/relays/${name}/draining`),
  undrain: (name) => ask('DELETE', path`/relays/${name}/draining`),
  resetCorrection: (from, to) => ask('DELETE', path`/corrections/${from}/${to}`),
};

/**
 * Reads events until the connection ends, which it does by throwing. EventSource cannot send the
 * token, so this reads the stream itself (WHATWG HTML, 9.2.6): fields of one line, an empty line
 * ends an event, a colon first is a comment.
 */
export async function follow(after, { onOpen, onEvent, onSign, signal }) {
  const response = await fetch(`${BASE}/events`, {
    headers: headers({ Accept: 'text/event-stream', 'Last-Event-ID': String(after) }),
    cache: 'no-store',
    signal,
  });
  if (!response.ok) throw await problemOf(response);
  onOpen();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let data = [];
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Problem(0, { title: 'The stream of events ended' });
    heard();
    onSign();
    rest += value;
    const lines = rest.split('\n');
    rest = lines.pop();
    for (const line of lines) {
      if (line === '') {
        if (data.length) onEvent(readJson(data.join('\n')));
        data = [];
      } else if (line.startsWith('data:')) {
        data.push(line.slice(5).trimStart());
      }
    }
  }
}
