// Files of comma-separated values (RFC 4180) with what tables and charts show.

import { parse } from './addresses.js';
import { NONE } from './format.js';

/** How cells begin that spreadsheets run. */
const FORMULA = /^[=+\-@\t\r]/;

const LONGEST_NAME = 120;

function cell(value) {
  if (value === null || value === undefined || (typeof value === 'number' && !Number.isFinite(value))) return '';
  // A number is none, even if it is negative.
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Lines of cells as text. */
export const csv = (lines) => lines.map((line) => `${line.map(cell).join(',')}\r\n`).join('');

/** What an element says in words; a time as the instant that it is, and nothing where it is a dash. */
export function shownText(element) {
  const copy = element.cloneNode(true);
  copy.querySelectorAll('[aria-hidden="true"]').forEach((one) => one.remove());
  copy.querySelectorAll('br').forEach((one) => one.replaceWith(' '));
  copy.querySelectorAll('time[datetime]').forEach((one) => one.replaceChildren(one.dateTime));
  const text = copy.textContent.replace(/\s+/g, ' ').trim();
  return text === NONE ? '' : text;
}

/** The columns of a table but for drawings, and its rows in the order in which they are shown. */
export function tableLines(columns, rows, table) {
  const shown = table.tBodies[0].rows;
  const kept = columns.map((column, at) => ({ column, at })).filter(({ column }) => !column.drawn);
  return [
    kept.map(({ column }) => (column.unit ? `${column.head} (${column.unit})` : column.head)),
    ...rows.map((row, i) => kept.map(({ column, at }) =>
      (column.unit === undefined ? shownText(shown[i].cells[at]) : column.by(row)))),
  ];
}

/** A line for every time at which one of the series has a point, the earliest first. */
export function seriesLines(series, unit) {
  const times = [...new Set(series.flatMap((one) => one.points.map(({ t }) => t)))].sort((a, b) => a - b);
  const values = series.map((one) => new Map(one.points.map(({ t, v }) => [t, v])));
  return [
    ['time (UTC)', ...series.map(({ name }) => `${name} (${unit})`)],
    ...times.map((t) => [new Date(t).toISOString(), ...values.map((at) => at.get(t))]),
  ];
}

const slug = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}._]+/gu, '-').replace(/^[-.]+|-+$/g, '');

/** A name by the view at an address, what is shown, and the time: links-r1-r2-loss-20261130T120000Z.csv. */
export function fileName(hash, label, at = new Date()) {
  const { parts } = parse(hash);
  const words = [...(parts.length ? parts : ['overview']), label].map(slug).filter(Boolean);
  const name = words.filter((word, i) => word !== words[i - 1]).join('-').slice(0, LONGEST_NAME);
  return `${name}-${at.toISOString().replace(/\.\d+|[-:]/g, '')}.csv`;
}

/** Has the browser save a file. Spreadsheets take it for UTF-8 by its byte order mark alone. */
export function save(name, text) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(['\ufeff', text], { type: 'text/csv;charset=utf-8' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // Browsers may read it after the click.
}
