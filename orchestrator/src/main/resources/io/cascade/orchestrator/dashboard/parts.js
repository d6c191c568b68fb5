// Small parts that every view is made of.

import { isOpen } from './access.js';
import { parse, to } from './addresses.js';
import { csv, fileName, save, tableLines } from './csv.js';
import { chainName, NONE, tone, words } from './format.js';
import { found } from './rows.js';
import { html, useEffect, useId, useLayoutEffect, useRef, useState } from './ui.js';

const MARKS = { good: '●', busy: '◐', warn: '▲', bad: '✕', quiet: '○' };

/** A state: a mark, a word and a colour, so that each of them alone tells it. */
export function State({ of, as, label }) {
  const kind = as || tone(of);
  return html`<span class="state ${kind}"><span class="mark" aria-hidden="true">${MARKS[kind]}</span>${label || words(of)}</span>`;
}

export function Panel({ title, aside, children, wide, id }) {
  const heading = useId('panel');
  return html`
    <section class="panel ${wide ? 'wide' : ''}" id=${id} aria-labelledby=${heading}>
      <header><h2 id=${heading}>${title}</h2>${aside && html`<div class="aside">${aside}</div>`}</header>
      ${children}
    </section>`;
}

export const Loading = ({ what }) => html`
  <div class="placeholder" role="status">
    <span class="bars" aria-hidden="true"><i></i><i></i><i></i></span>Asking for ${what}…
  </div>`;

/** Nothing is there: why, and how there would be something. */
export const Empty = ({ title, children }) => html`
  <div class="placeholder empty"><strong>${title}</strong><div>${children}</div></div>`;

/** Instead of a table of relays, where there are none. */
export const NoRelays = () => html`
  <${Empty} title="No relay has registered">Start one with <code>./cascade relay --name r1 --orchestrator ${location.origin}</code> (on another host also <code>--listen 0.0.0.0 --token TOKEN</code>)</${Empty}>`;

export const Failure = ({ problem, retry }) => html`
  <div class="placeholder failure" role="alert">
    <strong>${problem.title || 'It failed'}</strong>
    <div>${problem.message}</div>
    ${retry && html`<button onClick=${retry}>Try again</button>`}
  </div>`;

export const Note = ({ children, kind = 'info' }) => html`<p class="note ${kind}">${children}</p>`;

/** Terms and what they are; what is absent is left out. */
export function Facts({ of }) {
  const known = of.filter(([, value]) => value !== undefined && value !== null && value !== '' && value !== NONE);
  return html`<dl class="facts">${known.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`;
}

export const Figure = ({ label, value, note, kind }) => html`
  <div class="figure ${kind || ''}">
    <div class="label">${label}</div><div class="value">${value}</div>
    ${note && html`<div class="under">${note}</div>`}
  </div>`;

/** A link where whoever is signed in may go there, otherwise its text alone. */
export const Lead = ({ href, children }) => (isOpen(parse(href).parts[0]) ? html`<a href=${href}>${children}</a>` : children);

export const RelayLink = ({ name }) =>
  name === 'source' || name === 'destination'
    ? html`<span class="end">${name}</span>`
    : html`<a href=${to('relays', name)}>${name}</a>`;

export const ChainLink = ({ chain }) =>
  html`<a href=${to('chains', chain.id)} title=${chain.id}>${chainName(chain)}</a>`;

export const Way = ({ relays }) => html`
  <span class="way">${relays.length
    ? relays.map((name, i) => html`${i > 0 && html` <span>→</span> `}<${RelayLink} name=${name} />`)
    : 'directly'}</span>`;

function compare(a, b) {
  const missing = (value) => value === undefined || value === null || Number.isNaN(value);
  if (missing(a) || missing(b)) return missing(a) - missing(b);
  return typeof a === 'number' && typeof b === 'number'
    ? a - b
    : String(a).localeCompare(String(b), 'en', { numeric: true });
}

/** What may be wider than the page: it scrolls by itself, and its edges show where it goes on. */
export function Scroll({ label, children }) {
  const box = useRef(null);
  const [more, setMore] = useState('');
  const look = () => {
    const { scrollLeft, scrollWidth, clientWidth } = box.current;
    setMore(`${scrollLeft > 1 ? 'more-left' : ''} ${scrollWidth - clientWidth - scrollLeft > 1 ? 'more-right' : ''}`);
  };
  useLayoutEffect(() => {
    const watcher = new ResizeObserver(look);
    watcher.observe(box.current);
    watcher.observe(box.current.firstElementChild);
    look(); // the watcher's first word comes a frame later
    return () => watcher.disconnect();
  }, []);
  return html`
    <div class="scroll-frame ${more}">
      <div ref=${box} class="scroll" role="group" aria-label=${label} tabindex="0" onScroll=${look}>${children}</div>
    </div>`;
}

/** Downloads lines of cells, the first of them heads. */
export const Csv = ({ label, lines }) => html`
  <button type="button" class="small csv" aria-label="CSV: ${label}" title="Download what is shown" onClick=${() => save(fileName(location.hash, label), csv(lines()))}>CSV</button>`;

/** Tables of as many rows have a field to look for some of them. */
const MANY = 8;

/**
 * A table that sorts by every column that says what to sort by. Columns: { key, head, cell(row),
 * by(row), number, text, help, unit, drawn }; those with text have sentences, which need room. A file of the table has
 * by(row) where a column has a unit, which is '' of counts and ids, what the cell says elsewhere, and no drawings.
 */
export function Table({ label, columns, rows, rowKey, first, descending = false, dense, mark }) {
  const [sort, setSort] = useState({ key: first ?? null, down: descending });
  const [sought, setSought] = useState('');
  const table = useRef(null);
  const shown = found(rows, columns, sought);
  const column = columns.find((one) => one.key === sort.key && one.by);
  const sorted = column
    ? [...shown].sort((a, b) => {
      const [one, other] = [column.by(a), column.by(b)];
      const order = compare(one, other);
      // What is absent stays at the end in either direction.
      return one == null || other == null || !sort.down ? order : -order;
    })
    : shown;
  // On the inner side of the column, so that heads stand over their numbers.
  const arrow = (one) => html`<span aria-hidden="true">${sort.key === one.key ? (sort.down ? '▾' : '▴') : ''}</span>`;
  const turn = (key) => setSort((now) => ({ key, down: now.key === key ? !now.down : false }));
  return html`
    <div class="sought">
      ${(rows.length >= MANY || sought) && html`<label>With <input type="search" value=${sought} onInput=${(event) => setSought(event.target.value)} /></label>
        <span class="muted" role="status">${sought.trim() ? `${shown.length} of ${rows.length}` : ''}</span>`}
      <${Csv} label=${label} lines=${() => tableLines(columns, sorted, table.current)} />
    </div>
    <${Scroll} label=${label}>
      <table ref=${table} class=${dense ? 'dense' : ''}>
        <caption class="hidden">${label}</caption>
        <thead><tr>${columns.map((one) => html`
          <th scope="col" class=${one.number ? 'number' : ''}
              aria-sort=${one.by && sort.key === one.key ? (sort.down ? 'descending' : 'ascending') : undefined}>
            ${one.by
              ? html`<button class="sort" title=${one.help} onClick=${() => turn(one.key)}>${one.number && arrow(one)}${one.head}${!one.number && arrow(one)}</button>`
              : html`<span title=${one.help}>${one.head}</span>`}
          </th>`)}</tr></thead>
        <tbody>${sorted.map((row) => html`
          <tr key=${rowKey(row)} class=${mark?.(row) || ''}>${columns.map((one, i) => i === 0
            ? html`<th scope="row" class=${one.number ? 'number' : ''}>${one.cell(row)}</th>`
            : html`<td class=${one.number ? 'number' : one.text ? 'text' : ''}>${one.cell(row)}</td>`)}</tr>`)}</tbody>
      </table>
    </${Scroll}>`;
}

/** A labelled field of a form; children is the control, which takes the id. */
export function Field({ label, hint, error, children }) {
  const id = useId('field');
  return html`
    <div class="field ${error ? 'wrong' : ''}">
      <label for=${id}>${label}</label>
      ${children(id, hint || error ? `${id}-hint` : undefined)}
      ${(hint || error) && html`<div class="hint" id="${id}-hint">${error || hint}</div>`}
    </div>`;
}

/**
 * Asks before something is done, and stays until it is done or has failed. `run` returns a promise;
 * what it resolves to goes to `done`.
 */
export function Confirm({ title, children, verb, danger, run, done, close }) {
  const dialog = useRef(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState(null);
  const heading = useId('dialog');
  useEffect(() => {
    const opener = document.activeElement;
    const shown = dialog.current;
    shown.showModal();
    return () => {
      shown.close(); // Nothing behind an open dialog takes the focus.
      opener?.focus?.();
    };
  }, []);
  const act = async (event) => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      const result = await run();
      close();
      done?.(result);
    } catch (failure) {
      setProblem(failure);
      setBusy(false);
    }
  };
  return html`
    <dialog ref=${dialog} aria-labelledby=${heading} onCancel=${(event) => { event.preventDefault(); if (!busy) close(); }}>
      <form onSubmit=${act}>
        <h2 id=${heading}>${title}</h2>
        ${children}
        ${problem && html`<${Failure} problem=${problem} />`}
        <div class="buttons">
          <button type="button" onClick=${close} disabled=${busy}>Cancel</button>
          <button class=${danger ? 'danger' : 'primary'} disabled=${busy}>${busy ? 'Working…' : verb}</button>
        </div>
      </form>
    </dialog>`;
}
