// Axes of charts: where a value lies between 0 and 1. An axis is linear and starts at zero, unless one value would
// press the others flat; then it is logarithmic.

const SQUASHED = 20; // On a linear axis the smallest value would lie in its first twentieth.
const BEYOND = 100; // A bound so many times above the greatest or below the smallest mark ends at the axis' edge.

/** Steps of 1, 2 or 5 times a power of ten, at most so many. */
export function ticks(most, count = 4) {
  if (!(most > 0)) return [0];
  const raw = most / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].find((one) => one * power >= raw) * power;
  const all = [];
  for (let i = 0; i * step <= most * 1.0001; i++) all.push(i * step);
  return all;
}

const CLOCK = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400];

/** The same for seconds, in steps that a clock has. */
export function secondTicks(most, count = 4) {
  const step = CLOCK.find((one) => most / one <= count);
  if (most < 4 || !step) return ticks(most, count);
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step);
}

const LOG_CLOCK = [1, 10, 60, 600, 3_600, 36_000, 360_000];

/** Powers of ten, or 1, 2 and 5 times them where few lie on the axis; for seconds what a clock has. */
function logTicks(from, to, steps) {
  const on = (all) => all.filter((v) => v >= from && v <= to);
  const powers = [];
  for (let power = Math.floor(Math.log10(from)); power <= Math.log10(to); power++) powers.push(10 ** power);
  const tens = steps === secondTicks ? [...powers.filter((v) => v < 1), ...LOG_CLOCK] : powers;
  const few = on(tens);
  if (few.length < 3) return on(powers.flatMap((power) => [1, 2, 5].map((one) => one * power)));
  const each = Math.ceil(few.length / 5);
  return few.filter((_, i) => i % each === 0);
}

/** `at` tells where a value lies, from 0 to 1; `beyond` whether the axis ends before it. */
function linear(to, steps) {
  return { log: false, to, ticks: steps(to), at: (v) => Math.min(1, Math.max(0, v / to)), beyond: (v) => v > to };
}

function logarithmic(from, to, steps) {
  const length = Math.log(to / from);
  const at = (v) => (v > from ? Math.min(1, Math.log(v / from) / length) : 0);
  return { log: true, to, ticks: logTicks(from, to, steps), at, beyond: (v) => v > to };
}

const finite = (values) => values.filter(Number.isFinite);
const positive = (values) => finite(values).filter((v) => v > 0);

/**
 * An axis for estimates side by side.
 *
 * @param marks what is compared: likely and measured values; null where not known
 * @param bounds ends of their intervals; null where not known
 * @param open whether an interval has no upper end: the axis then goes on beyond the greatest value
 */
export function estimateAxis(marks, bounds, open = false, steps = ticks) {
  const compared = positive(marks).length ? positive(marks) : positive(bounds);
  if (!compared.length) return linear(1, steps);
  const [least, greatest] = [Math.min(...compared), Math.max(...compared)];
  const all = [...compared, ...positive(bounds)];
  const end = Math.min(Math.max(...all), greatest * BEYOND);
  if (end <= least * SQUASHED) return linear(open ? end * 1.25 : end, steps);
  return logarithmic(Math.max(Math.min(...all), least / BEYOND) / 1.5, open ? end * 2 : end, steps);
}

/**
 * What a chart of the last minutes shows: from when until now, which points, and their known values. A minute at least.
 *
 * @param series { points: [{ t, v }] }, points in the order of their times
 */
export function latest(minutes, series) {
  const now = Math.max(0, ...series.map((one) => one.points.at(-1)?.t ?? 0));
  const oldest = Math.min(...series.map((one) => one.points[0]?.t ?? now));
  const from = Math.max(now - minutes * 60_000, Math.min(oldest, now - 60_000));
  const shown = (points) => points.filter((point) => point.t >= from);
  const values = series.flatMap((one) => shown(one.points).map((point) => point.v)).filter((v) => v != null);
  return { from, now, shown, values };
}

/**
 * An axis for a history, a little longer than its greatest value. What is zero at times has no logarithm:
 * its axis is linear.
 *
 * @param references further values that the axis shall hold
 */
export function historyAxis(values, references = [], steps = ticks) {
  const known = finite(values).sort((a, b) => a - b);
  const all = positive([...known, ...references]);
  if (!all.length) return linear(1, steps);
  const most = Math.max(...all);
  if (known[0] > 0 && most > SQUASHED * known[known.length >> 1]) {
    return logarithmic(Math.min(...all) / 1.5, most * 1.2, steps);
  }
  return linear(Math.max(most * 1.05, steps(most * 1.05).at(-1)), steps);
}
