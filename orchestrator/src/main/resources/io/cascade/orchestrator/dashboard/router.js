// Addresses behind the hash: #/chains/ID?sort=state. Every view and every thing has one.

import { useLayoutEffect, useState } from './ui.js';

export function parse(hash) {
  const [path, query = ''] = hash.replace(/^#\/?/, '').split('?');
  return {
    parts: path.split('/').filter(Boolean).map(decodeURIComponent),
    query: new URLSearchParams(query),
  };
}

export function useRoute() {
  const [hash, setHash] = useState(location.hash);
  useLayoutEffect(() => {
    const listener = () => setHash(location.hash);
    addEventListener('hashchange', listener);
    return () => removeEventListener('hashchange', listener);
  }, []);
  return parse(hash);
}

export const to = (...parts) => `#/${parts.map(encodeURIComponent).join('/')}`;

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
