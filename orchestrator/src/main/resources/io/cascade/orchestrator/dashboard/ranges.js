// How far back charts reach: what the reader chose, kept by the browser.

const KEPT = 'cascade.range';

/** In minutes. What the page itself keeps is the shortest. */
export const RANGES = [
  { minutes: 15, name: '15 min' },
  { minutes: 60, name: '1 h' },
  { minutes: 6 * 60, name: '6 h' },
  { minutes: 24 * 60, name: '24 h' },
];

let chosen = null; // Where the browser keeps nothing, for this page at least.

const known = (minutes) => (RANGES.some((one) => one.minutes === minutes) ? minutes : null);

function kept() {
  try {
    return known(Number(localStorage.getItem(KEPT)));
  } catch {
    return null;
  }
}

/** Minutes that were chosen; where nobody chose, those that are usual. */
export const rangeOr = (usual) => chosen ?? kept() ?? usual;

export function chooseRange(minutes) {
  chosen = known(minutes);
  try {
    localStorage.setItem(KEPT, String(minutes));
  } catch {
    // It is chosen until the page is left.
  }
}
