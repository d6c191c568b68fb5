// Charts as SVG and HTML: they take the page's colours, scale with it, and can be read as text.

import { seriesLines } from './csv.js';
import { clock, NONE } from './format.js';
import { changed } from './live.js';
import { Csv } from './parts.js';
import { chooseRange, RANGES, rangeOr } from './ranges.js';
import { estimateAxis, historyAxis, latest, ticks } from './scales.js';
import { html, useLayoutEffect, useState } from './ui.js';

function useWidth(fallback = 600) {
  // The element itself is the state: another one takes its place when a chart gets its first values.
  const [box, setBox] = useState(null);
  const [width, setWidth] = useState(fallback);
  useLayoutEffect(() => {
    if (!box) return undefined;
    const watcher = new ResizeObserver(([entry]) => setWidth(Math.max(160, Math.floor(entry.contentRect.width))));
    watcher.observe(box);
    return () => watcher.disconnect();
  }, [box]);
  return [setBox, width];
}

const LEFT = 64;
const RIGHT = 10;
const TOP = 8;
const BOTTOM = 20;
const FAR = 6;
const NARROW = 300; // Three times of day would stand over each other.

/** A line with gaps where nothing is known. */
function line(points, x, y) {
  let path = '';
  let pen = false;
  for (const point of points) {
    if (point.v === null || point.v === undefined) {
      pen = false;
    } else {
      path += `${pen ? 'L' : 'M'}${x(point.t).toFixed(1)} ${y(point.v).toFixed(1)}`;
      pen = true;
    }
  }
  return path;
}

/**
 * Values over the last minutes. Series: { name, kind, points: [{ t, v }] }; references, such as
 * predictions, are lines across with an optional band: { name, kind, v, low, high }; a band without a high end goes on.
 * The unit is that of the values, which `as` writes with one that fits.
 */
export function TimeChart({ label, series, references = [], as, unit, minutes = 15, height = 170 }) {
  const [box, width] = useWidth();
  const [pointer, setPointer] = useState(null);
  const { from, now, shown, values } = latest(minutes, series);
  if (values.length < 2) {
    return html`<div ref=${box} class="placeholder chart-empty" role="status">Collecting: a rate needs two samples, two seconds apart.</div>`;
  }
  // A prediction far above what happens would press the line flat: it stays in the legend only.
  const reached = Math.max(...values);
  const near = references.filter((one) => one.v <= Math.max(reached, 1) * FAR);
  const axis = historyAxis(values, near.map((one) => one.v));
  const x = (t) => LEFT + ((t - from) / (now - from)) * (width - LEFT - RIGHT);
  const y = (v) => TOP + (1 - axis.at(v)) * (height - TOP - BOTTOM);
  const at = pointer === null ? null : from + ((pointer - LEFT) / (width - LEFT - RIGHT)) * (now - from);
  const nearest = (points) => points.reduce(
    (best, point) => (best === null || Math.abs(point.t - at) < Math.abs(best.t - at) ? point : best), null);
  const said = (one) => {
    const point = at === null ? one.points.at(-1) : nearest(shown(one.points));
    return point?.v == null ? NONE : as(point.v);
  };
  const summary = series.map((one) => `${one.name}: ${said({ ...one, points: one.points })} last`).join('; ');
  return html`
    <figure class="chart">
      <figcaption class="legend">
        ${series.map((one) => html`<span class="key ${one.kind}"><i></i>${one.name} <b>${said(one)}</b></span>`)}
        ${references.map((one) => html`<span class="key reference ${one.kind}"><i></i>${one.name} <b>${as(one.v)}</b>${near.includes(one) ? '' : ' (above)'}</span>`)}
        ${axis.log && html`<span class="muted">logarithmic scale</span>`}
        <span class="when">${at === null ? 'now' : clock(at)}</span>
        <${Csv} label=${label} lines=${() => seriesLines(series.map((one) => ({ ...one, points: shown(one.points) })), unit)} />
      </figcaption>
      <div ref=${box}>
        <svg width=${width} height=${height} viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}. ${summary}"
             onPointerMove=${(event) => setPointer(Math.min(width - RIGHT, Math.max(LEFT, event.offsetX)))}
             onPointerLeave=${() => setPointer(null)}>
          ${axis.ticks.map((v) => html`
            <line class="grid" x1=${LEFT} x2=${width - RIGHT} y1=${y(v)} y2=${y(v)} />
            <text class="tick" x=${LEFT - 6} y=${y(v) + 4} text-anchor="end">${as(v)}</text>`)}
          ${(width < NARROW ? [0, 1] : [0, 0.5, 1]).map((share) => html`
            <text class="tick" x=${LEFT + share * (width - LEFT - RIGHT)} y=${height - 5}
                  text-anchor=${share === 0 ? 'start' : share === 1 ? 'end' : 'middle'}>${clock(from + share * (now - from))}</text>`)}
          ${near.map((one) => one.low != null && html`
            <rect class="band ${one.kind}" x=${LEFT} width=${width - LEFT - RIGHT} y=${y(one.high ?? axis.to)}
                  height=${Math.max(1, y(one.low) - y(one.high ?? axis.to))} />`)}
          ${near.map((one) => html`<line class="reference ${one.kind}" x1=${LEFT} x2=${width - RIGHT} y1=${y(one.v)} y2=${y(one.v)} />`)}
          ${series.map((one) => html`<path class="series ${one.kind}" d=${line(shown(one.points), x, y)} />`)}
          ${at !== null && html`<line class="cursor" x1=${x(at)} x2=${x(at)} y1=${TOP} y2=${height - BOTTOM} />`}
        </svg>
      </div>
    </figure>`;
}

/** How far back charts reach, for the reader to choose; `usual` as long as nobody chose. */
export function RangeChoice({ usual }) {
  const choose = (event) => {
    chooseRange(Number(event.target.value));
    changed();
  };
  return html`<label class="range">Past <select value=${rangeOr(usual)} onChange=${choose}>${RANGES.map(({ minutes, name }) => html`<option value=${minutes}>${name}</option>`)}</select></label>`;
}

/** A line without axes, beside a number that says what it is about. */
export function Spark({ points, width = 96, height = 22 }) {
  const known = points.filter((point) => point.v != null);
  if (known.length < 2) return html`<span class="spark-none" aria-hidden="true"></span>`;
  const from = points[0].t;
  const to = points.at(-1).t;
  const most = Math.max(...known.map((point) => point.v)) || 1;
  const x = (t) => ((t - from) / (to - from || 1)) * width;
  const y = (v) => 1 + (1 - v / most) * (height - 2);
  return html`<svg class="spark" width=${width} height=${height} aria-hidden="true"><path class="series" d=${line(points, x, y)} /></svg>`;
}

/**
 * Estimates beside each other on one axis: a bar from low to high with a mark at the likely value, or a solid bar for
 * what was measured. A bar fades out where it has no end, or one beyond the axis. Rows: { name, kind, low, likely,
 * high, measured, text, chosen }.
 */
export function Intervals({ label, rows, head = 'rate', as, steps = ticks }) {
  const open = rows.some((row) => row.low != null && row.high == null);
  const axis = estimateAxis(rows.map((row) => row.likely), rows.flatMap((row) => [row.low, row.high]), open, steps);
  const place = (v) => `${axis.at(v) * 100}%`;
  const between = (low, high) => ({ left: place(low), width: `${Math.max(0.5, (axis.at(high) - axis.at(low)) * 100)}%` });
  return html`
    <table class="intervals">
      <caption class="hidden">${label}</caption>
      <thead class="hidden"><tr><th scope="col">what</th><th scope="col">bar</th><th scope="col">${head}</th></tr></thead>
      <tbody>${rows.map((row) => html`
        <tr class="${row.kind} ${row.chosen ? 'chosen' : ''}">
          <th scope="row">${row.name}</th>
          <td class="track"><div aria-hidden="true">
            ${row.measured && row.likely != null && html`<span class="solid" style=${{ width: place(row.likely) }}></span>`}
            ${!row.measured && (row.low ?? row.high) != null && html`
              <span class="range ${row.low == null ? 'open-low' : row.high == null || axis.beyond(row.high) ? 'open' : ''}" style=${between(row.low ?? 0, row.high ?? axis.to)}></span>`}
            ${row.measured && row.low != null && row.high > row.low && html`
              <span class="whisker" style=${between(row.low, row.high)}></span>`}
            ${row.likely != null && html`<span class="tickmark" style=${{ left: place(row.likely) }}></span>`}
          </div></td>
          <td class="said">${row.text}</td>
        </tr>`)}</tbody>
      ${axis.log && html`<tfoot aria-hidden="true"><tr><th></th><td class="track"><div>${axis.ticks.map((v) => html`
        <small style=${{ left: place(v) }}>${as(v)}</small>`)}</div></td><td class="said"><small>logarithmic scale</small></td></tr></tfoot>`}
    </table>`;
}

/** Points that follow a number, such as time after number of relays. Points: { n, v, name }. */
export function StepChart({ label, points, as, unit, axis, best, steps = ticks, height = 190 }) {
  const [box, width] = useWidth();
  const known = points.filter((point) => point.v != null);
  const scale = estimateAxis(known.map((point) => point.v), [], true, steps);
  const last = Math.max(...points.map((point) => point.n), 1);
  const left = LEFT + 8;
  const x = (n) => left + 20 + (n / last) * (width - left - RIGHT - 50);
  const y = (v) => TOP + 14 + (1 - scale.at(v)) * (height - TOP - BOTTOM - 30);
  return html`
    <figure class="chart">
      <figcaption class="legend"><${Csv} label=${label} lines=${() => [[axis, 'way', `${label} (${unit})`], ...points.map(({ n, v, name }) => [n, name, v])]} /></figcaption>
      <div ref=${box}>
      <svg width=${width} height=${height} viewBox="0 0 ${width} ${height}" role="img"
           aria-label="${label}. ${known.map((point) => `${point.name}: ${as(point.v)}`).join('; ')}">
        ${scale.ticks.map((v) => html`
          <line class="grid" x1=${left} x2=${width - RIGHT} y1=${y(v)} y2=${y(v)} />
          <text class="tick" x=${left - 6} y=${y(v) + 4} text-anchor="end">${as(v)}</text>`)}
        <path class="series achieved" d=${line(known.map((point) => ({ t: point.n, v: point.v })), x, y)} />
        ${known.map((point) => html`
          <circle class="dot ${point.n === best ? 'best' : ''}" cx=${x(point.n)} cy=${y(point.v)} r=${point.n === best ? 6 : 4}><title>${point.name}: ${as(point.v)}</title></circle>
          <text class="value" x=${x(point.n)} y=${y(point.v) - 10} text-anchor="middle">${as(point.v)}${point.n === best ? ' ★' : ''}</text>`)}
        ${points.map((point) => html`<text class="tick" x=${x(point.n)} y=${height - 18} text-anchor="middle">${point.n}</text>`)}
        <text class="tick" x=${(left + width) / 2} y=${height - 3} text-anchor="middle">${axis}${scale.log ? '; logarithmic scale' : ''}</text>
      </svg>
    </div></figure>`;
}

/** A share of something limited, as a bar with its words. */
export const Meter = ({ share, text, label }) => html`
  <span class="meter" role="img" aria-label="${label}: ${text}"><span aria-hidden="true" class=${share > 0.9 ? 'full' : ''} style=${{ width: `${Math.min(100, Math.max(0, share * 100))}%` }}></span></span> ${text}`;
