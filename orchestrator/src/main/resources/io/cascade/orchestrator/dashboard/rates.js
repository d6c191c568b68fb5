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

/**
 * What the orchestrator remembers, as points in the middle of its spans, with gaps where it heard nothing, and where
 * it ends.
 */
export function remembered({ spanSeconds, spans }) {
  const length = spanSeconds * 1e3;
  const points = [];
  let end = null;
  for (const span of spans) {
    const start = Date.parse(span.start);
    if (end !== null && start > end) points.push({ t: end, forward: null, backward: null });
    end = start + length;
    points.push({ t: start + length / 2, forward: span.forwardBitsPerSecond, backward: span.backwardBitsPerSecond });
  }
  return { points, end };
}

/** What is remembered, then what the page saw since; a gap that is longer than the usual one is shown. */
export function continued({ points, end }, own) {
  const since = own.filter(({ t }) => t > (end ?? 0));
  const gap = end !== null && since.length > 0 && since[0].t - end > SETTLED;
  return [...points, ...(gap ? [{ t: end, forward: null, backward: null }] : []), ...since];
}

/** What is remembered, up to where the page's own points begin; a gap that is longer than the usual one is shown. */
export function joined(past, own, now) {
  const since = own[0]?.t ?? now;
  const before = past.filter(({ t }) => t < since).map((point) => ({ ...point, past: true }));
  const end = before.at(-1)?.t;
  if (end !== undefined && since - end > SETTLED) before.push({ t: end, forward: null, backward: null, past: true });
  return [...before, ...own];
}
