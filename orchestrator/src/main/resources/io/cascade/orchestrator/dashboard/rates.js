// Rates from counts of bytes that are looked at now and then.

const SHORTEST_MILLIS = 1_000; // Over less, the time that an answer takes would be much of the result.

/** Bits per second of one chain. */
export class RateMeter {
  #before = null;

  /** The latest rates; null where none is known. */
  last = null;

  /**
   * Takes another look.
   *
   * @param counted { forward, backward } in bytes; null where nobody told
   * @param at when they were counted, in milliseconds of a steady clock
   * @return the rates since the look before; null where there is none or counts began anew;
   *     undefined where it was so short ago that this look does not count
   */
  look(counted, at) {
    if (!counted) {
      this.#before = null;
      return (this.last = null);
    }
    const before = this.#before;
    if (before && at - before.at < SHORTEST_MILLIS) return undefined;
    this.#before = { ...counted, at };
    if (!before || counted.forward < before.forward || counted.backward < before.backward) return (this.last = null);
    const perSecond = 8e3 / (at - before.at);
    return (this.last = {
      forward: (counted.forward - before.forward) * perSecond,
      backward: (counted.backward - before.backward) * perSecond,
    });
  }
}

/** What happened so long ago, in milliseconds, the orchestrator's history has: every relay was heard since. */
export const SETTLED = 40_000;

/** What is remembered, up to where the page's own points begin; a gap that is longer than the usual one is shown. */
export function joined(past, own, now) {
  const since = own[0]?.t ?? now;
  const before = past.filter(({ t }) => t < since).map((point) => ({ ...point, past: true }));
  const end = before.at(-1)?.t;
  if (end !== undefined && since - end > SETTLED) before.push({ t: end, forward: null, backward: null, past: true });
  return [...before, ...own];
}
