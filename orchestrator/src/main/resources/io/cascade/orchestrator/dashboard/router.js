// Goes to addresses, and tells which one the page is at.

import { parse, to } from './addresses.js';
import { useLayoutEffect, useState } from './ui.js';

export { to };

export function useRoute() {
  const [hash, setHash] = useState(location.hash);
  useLayoutEffect(() => {
    const listener = () => setHash(location.hash);
    addEventListener('hashchange', listener);
    return () => removeEventListener('hashchange', listener);
  }, []);
  return parse(hash);
}

export function go(address) {
  location.hash = address;
}

/** Changes the query without a new entry in the history. */
export function remember(changes) {
  const { parts, query } = parse(location.hash);
  for (const [key, value] of Object.entries(changes)) {
    if (value === null || value === '') query.delete(key);
    else query.set(key, value);
  }
  const rest = query.toString();
  history.replaceState(null, '', to(...parts) + (rest ? `?${rest}` : ''));
}
