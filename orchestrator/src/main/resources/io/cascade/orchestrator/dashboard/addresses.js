// Addresses behind the hash: #/chains/ID?sort=state. Every view and every thing has one.

import { visible } from './text.js';

/** As it stands where it cannot be decoded: nobody may break the page with an address. */
function decoded(part) {
  try {
    return visible(decodeURIComponent(part));
  } catch {
    return part;
  }
}

export function parse(hash) {
  const [path, query = ''] = hash.replace(/^#\/?/, '').split('?');
  return {
    parts: path.split('/').filter(Boolean).map(decoded),
    query: new URLSearchParams(query),
  };
}

export const to = (...parts) => `#/${parts.map(encodeURIComponent).join('/')}`;
