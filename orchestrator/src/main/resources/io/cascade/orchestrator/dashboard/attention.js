// What an operator should look at first, worst first, each with where to look.

import { to } from './addresses.js';
import { isDismissed } from './dismissed.js';
import { ago, chainName, digits } from './format.js';
import { isReset, statisticsOf, verdict } from './prediction.js';

const RECENT = 15 * 60_000;

const failureOf = (chain) => `failed:${chain.id}`;

/** Whether a chain failed lately and nobody has dismissed that. */
export const isAlarm = (chain, now = Date.now()) =>
  chain.state === 'FAILED' && now - new Date(chain.updatedAt).getTime() < RECENT && !isDismissed(failureOf(chain));

/** Items: { tone, what, more, where, key }; those with a key are over and may be dismissed by it. */
export function attention(live, now = Date.now()) {
  const items = [];
  for (const relay of live.relays ?? []) {
    if (relay.status === 'LOST') {
      items.push({ tone: 'bad', what: `Relay ${relay.name} is lost`, more: `last heard ${ago(relay.lastSeenAt, now)}`, where: to('relays', relay.name) });
    } else if (relay.status === 'SILENT') {
      items.push({ tone: 'warn', what: `Relay ${relay.name} is silent`, more: `heard by other relays; here last ${ago(relay.lastSeenAt, now)}`, where: to('relays', relay.name) });
    } else if (relay.status === 'DRAINING') {
      items.push({ tone: 'warn', what: `Relay ${relay.name} is draining`, more: 'it takes nothing new', where: to('relays', relay.name) });
    }
  }
  for (const chain of live.chains ?? []) {
    const name = chainName(chain);
    const where = to('chains', chain.id);
    if (chain.state === 'DEGRADED') {
      items.push({ tone: 'warn', what: `Chain ${name} is degraded`, more: chain.reason, where });
    } else if (isAlarm(chain, now)) {
      items.push({ tone: 'bad', what: `Chain ${name} could not be opened`, more: chain.reason, where, key: failureOf(chain) });
    }
    const detail = live.details.get(chain.id);
    const failed = Math.max(0, ...(detail?.totals ?? []).map(faults));
    const key = `streams:${chain.id}:${failed}`; // More of them are to be told again.
    if (failed > 0 && !isDismissed(key)) {
      items.push({ key, tone: 'warn', what: `${failed} ${failed === 1 ? 'stream' : 'streams'} of chain ${name} failed`, more: failures(detail), where });
    }
    if (detail) {
      const said = verdict(detail, live.streams.get(chain.id)?.streams, statisticsOf(live, chain));
      if (said.tone === 'bad') {
        items.push({ tone: 'warn', what: `Chain ${name} is not helping`, more: said.reason, where });
      }
    }
  }
  const stale = (live.links ?? []).filter((link) => link.stale);
  if (stale.length) {
    items.push({ tone: 'warn', what: `${stale.length} ${stale.length === 1 ? 'link is' : 'links are'} not measured any more`, more: stale.slice(0, 4).map((link) => `${link.from}→${link.to}`).join(', '), where: to('links') });
  }
  for (const learned of live.corrections ?? []) {
    if (learned.factor < 0.5) {
      items.push({ tone: 'warn', what: `${learned.from}→${learned.to} delivers ${digits(learned.factor, 2)} of what the model says`, more: `learned from ${learned.streams} streams`, where: to('links', learned.from, learned.to) });
    }
  }
  const order = { bad: 0, warn: 1 };
  return items.sort((a, b) => order[a.tone] - order[b.tone]);
}

/** Streams that failed for another reason than a reset, with which applications end streams. */
const faults = (total) =>
  total.failed - Object.entries(total.failures ?? {})
    .reduce((sum, [reason, count]) => sum + (isReset(reason) ? count : 0), 0);

function failures(chain) {
  const reasons = new Map();
  for (const total of chain.totals) {
    for (const [reason, count] of Object.entries(total.failures ?? {})) {
      if (!isReset(reason)) reasons.set(reason, Math.max(count, reasons.get(reason) ?? 0));
    }
  }
  return [...reasons].map(([reason, count]) => `${reason} ${count}`).join(', ');
}
