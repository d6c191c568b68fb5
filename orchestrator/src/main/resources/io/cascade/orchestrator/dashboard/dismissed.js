// What the reader has seen and does not want to be told of again. Kept by the browser.

const KEPT = 'cascade.dismissed';
const MOST = 500;

function keys() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? [];
  } catch {
    return [];
  }
}

export const isDismissed = (key) => keys().includes(key);

/** The oldest are forgotten first. */
export function dismiss(...more) {
  localStorage.setItem(KEPT, JSON.stringify([...new Set([...keys(), ...more])].slice(-MOST)));
}
