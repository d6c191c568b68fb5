// Every number of the page is written here, with its unit. What is absent is a dash, never zero.

export const NONE = '–';

const isNumber = (value) => typeof value === 'number' && Number.isFinite(value);

/** Three significant digits, without an exponent. */
export function digits(value, count = 3) {
  if (!isNumber(value)) return NONE;
  const whole = Math.abs(value) >= 10 ** (count - 1);
  return whole ? Math.round(value).toString() : Number(value.toPrecision(count)).toString();
}

function scaled(value, base, units) {
  let at = 0;
  let rest = Math.abs(value);
  while (Math.round(rest) >= base && at < units.length - 1) {
    rest /= base;
    at++;
  }
  return `${value < 0 ? '−' : ''}${digits(rest)} ${units[at]}`;
}

/** Bits per second in powers of ten, as networks count. */
export function rate(bitsPerSecond) {
  return isNumber(bitsPerSecond)
    ? scaled(bitsPerSecond, 1000, ['bit/s', 'kbit/s', 'Mbit/s', 'Gbit/s', 'Tbit/s'])
    : NONE;
}

/** Bytes in powers of two, as files and buffers count. */
export function bytes(count) {
  return isNumber(count) ? scaled(count, 1024, ['B', 'KiB', 'MiB', 'GiB', 'TiB']) : NONE;
}

export function seconds(value) {
  if (!isNumber(value)) return NONE;
  if (value === 0) return '0 s';
  if (value < 0.9995e-3) return `${digits(value * 1e6)} µs`;
  if (value < 0.9995) return `${digits(value * 1e3)} ms`;
  if (value < 120) return `${digits(value)} s`;
  const whole = Math.round(value);
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

export const millis = (value) => (isNumber(value) ? seconds(value / 1e3) : NONE);

/** A probability or a share. */
export function percent(value) {
  if (!isNumber(value)) return NONE;
  return value === 0 ? '0 %' : `${digits(value * 100)} %`;
}

export function count(value) {
  return isNumber(value) ? Math.round(value).toLocaleString('en-GB') : NONE;
}

export const times = (value) => (isNumber(value) ? `${digits(value)}×` : NONE);

/** Low to high of an interval, the unit written by `as`. An end that is not known is no number. */
export function span(low, high, as) {
  if (!isNumber(low) && !isNumber(high)) return NONE;
  if (!isNumber(high)) return `at least ${as(low)}`;
  return isNumber(low) ? `${as(low)} … ${as(high)}` : `at most ${as(high)}`;
}

/**
 * A value and its interval, where it has one: "29 Mbit/s" and "20 Mbit/s … 35 Mbit/s". Without a likely value the
 * interval alone.
 */
export function estimate(low, likely, high, as) {
  const alone = (!isNumber(low) && !isNumber(high)) || low === high;
  if (isNumber(likely)) return { value: as(likely), range: alone ? '' : span(low, high, as) };
  return { value: span(low, high, as), range: '' };
}

export function price(perGib) {
  return isNumber(perGib) ? `${digits(perGib)} /GiB` : NONE;
}

export function clock(instant) {
  if (!instant) return NONE;
  return new Date(instant).toLocaleTimeString('en-GB');
}

export function dateTime(instant) {
  if (!instant) return NONE;
  const at = new Date(instant);
  return `${at.toLocaleDateString('sv-SE')} ${at.toLocaleTimeString('en-GB')}`;
}

/** How long ago, by this browser's clock; a clock that differs from the server's shows as now. */
export function ago(instant, now = Date.now()) {
  if (!instant) return NONE;
  const passed = (now - new Date(instant).getTime()) / 1e3;
  return passed < 1 ? 'now' : `${seconds(Math.floor(passed))} ago`;
}

export const shortId = (id) => (id ? id.slice(0, 8) : NONE);

/** Text of a log, with the beginnings of the ids in it. */
export const withShortIds = (text) => text?.replace(/\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '$1');

/** A stream's id begins with its first relay's own number: its end tells it from others. */
export const streamName = (id) => (id ? `…${id.slice(-8)}` : NONE);

export const chainName = (chain) => chain.name || shortId(chain.id);

const STATUS = {
  UP: 'good', READY: 'good', COMPLETED: 'good', ARRIVED: 'good',
  RUNNING: 'busy', PLANNING: 'busy', INSTALLING: 'busy', ROLLING_BACK: 'busy', CLOSING: 'busy',
  CARRYING: 'good', DEGRADED: 'warn', DRAINING: 'warn', SILENT: 'warn', OVERDUE: 'warn', LEAVING: 'busy',
  LOST: 'bad', FAILED: 'bad',
  CLOSED: 'quiet', STOPPED: 'quiet',
};

/** How a state is to be seen: good, busy, warn, bad or quiet. */
export const tone = (state) => STATUS[state] || 'quiet';

export const words = (constant) => String(constant).toLowerCase().replaceAll('_', ' ');

/** 1 GiB, 500 MB, 10000: as the command line reads sizes. Null where it is none. */
export function parseBytes(text) {
  const found = /^\s*([0-9]+(?:\.[0-9]+)?)\s*(?:([kmgt])(i?)b?|b)?\s*$/i.exec(text);
  if (!found) return null;
  const power = found[2] ? ' kmgt'.indexOf(found[2].toLowerCase()) : 0;
  return Math.round(Number(found[1]) * (found[3] ? 1024 : 1000) ** power);
}

/** 32Mbit, 1 Gbit/s, 1000000: as the command line reads rates. Null where it is none. */
export function parseRate(text) {
  const found = /^\s*([0-9]+(?:\.[0-9]+)?)\s*(?:([kmgt])?(?:bit|b)?(?:ps|\/s)?)\s*$/i.exec(text);
  if (!found) return null;
  const power = found[2] ? ' kmgt'.indexOf(found[2].toLowerCase()) : 0;
  return Math.round(Number(found[1]) * 1000 ** power);
}
