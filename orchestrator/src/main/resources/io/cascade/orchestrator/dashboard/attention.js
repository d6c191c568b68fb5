// What an operator should look at first, worst first, each with where to look.

import { to } from './addresses.js';
import { ago, chainName, digits } from './format.js';
import { isReset, statisticsOf, verdict } from './prediction.js';
import { covers, silences } from './silences.js';

const RECENT = 15 * 60_000;

/** How bad a relay's state is; others are well. */
const LEVELS = { DRAINING: 1, SILENT: 2, LOST: 3 };

/** Rates and factors change all the time: half as much is worse. */
const MARGIN = 2;

const failureOf = (chain) => `failed:${chain.id}`;

const failedLately = (chain, now) => chain.state === 'FAILED' && now - new Date(chain.updatedAt).getTime() < RECENT;

/** Whether a chain failed lately and nobody has silenced that. */
export const isAlarm = (chain, now = Date.now()) =>
  failedLately(chain, now) && !silences(now).some((one) => covers(one, { key: failureOf(chain) }));

/** What is told: all but what is silenced. */
export function attention(live, now = Date.now()) {
  const quiet = silences(now);
  return facts(live, now).filter((item) => !quiet.some((one) => covers(one, item)));
}

/** Silences in force, each with the item that it keeps from being told, where there is one now. */
export function silenced(live, now = Date.now()) {
  const items = new Map(facts(live, now).map((item) => [item.key, item]));
  return silences(now)
    .map((one) => ({ ...one, item: items.get(one.key) }))
    .filter((one) => !one.item || covers(one, one.item));
}

/**
 * Everything, silenced or not: { key, tone, what, more, where, level, members, margin, over }. A silence is of a key;
 * a higher level or another member is worse than what was silenced. What is over only stands here to be read.
 */
function facts(live, now) {
  const items = [];
  for (const relay of live.relays ?? []) {
    const fact = { key: `relay:${relay.name}`, level: LEVELS[relay.status], where: to('relays', relay.name) };
    if (relay.status === 'LOST') {
      items.push({ ...fact, tone: 'bad', what: `Relay ${relay.name} is lost`, more: `last heard ${ago(relay.lastSeenAt, now)}` });
    } else if (relay.status === 'SILENT') {
      items.push({ ...fact, tone: 'warn', what: `Relay ${relay.name} is silent`, more: `heard by other relays; last heard here ${ago(relay.lastSeenAt, now)}` });
    } else if (relay.status === 'DRAINING') {
      items.push({ ...fact, tone: 'warn', what: `Relay ${relay.name} is draining`, more: 'it accepts nothing new' });
    }
  }
  for (const chain of live.chains ?? []) {
    const name = chainName(chain);
    const where = to('chains', chain.id);
    if (chain.state === 'DEGRADED') {
      // The reason names the relays that are the trouble.
      const named = new Set(chain.reason?.split(/[^\p{L}\p{N}._-]+/u));
      const members = (chain.relays ?? []).filter((relay) => named.has(relay));
      items.push({ key: `degraded:${chain.id}`, members, tone: 'warn', what: `Chain ${name} is degraded`, more: chain.reason, where });
    } else if (failedLately(chain, now)) {
      items.push({ key: failureOf(chain), tone: 'bad', what: `Chain ${name} could not be opened`, more: chain.reason, where, over: true });
    }
    const detail = live.details.get(chain.id);
    const failed = Math.max(0, ...(detail?.totals ?? []).map(faults));
    if (failed > 0) {
      items.push({ key: `streams:${chain.id}`, level: failed, margin: MARGIN, tone: 'warn', what: `${failed} ${failed === 1 ? 'stream' : 'streams'} of chain ${name} failed`, more: failures(detail), where, over: true });
    }
    if (detail) {
      const said = verdict(detail, live.streams.get(chain.id)?.streams, statisticsOf(live, chain));
      if (said.tone === 'bad') {
        items.push({ key: `slower:${chain.id}`, level: 1 / (said.factor.likely ?? said.factor.high), margin: MARGIN, tone: 'warn', what: `Chain ${name} is not helping`, more: said.reason, where });
      }
    }
  }
  const stale = (live.links ?? []).filter((link) => link.stale).map((link) => `${link.from}→${link.to}`);
  if (stale.length) {
    items.push({ key: 'stale', members: stale, tone: 'warn', what: `${stale.length} ${stale.length === 1 ? 'link is' : 'links are'} no longer measured`, more: stale.slice(0, 4).join(', '), where: to('links') });
  }
  for (const learned of live.corrections ?? []) {
    if (learned.factor < 0.5) {
      items.push({ key: `learned:${learned.from}→${learned.to}`, level: 1 / Math.max(learned.factor, 1e-3), margin: MARGIN, tone: 'warn', what: `${learned.from}→${learned.to} delivers ${digits(learned.factor, 2)} of what the model says`, more: `learned from ${learned.streams} streams`, where: to('links', learned.from, learned.to) });
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
