// Addresses behind the hash: #/chains/ID?sort=state. Every view and every thing has one.

export function parse(hash) {
  const [path, query = ''] = hash.replace(/^#\/?/, '').split('?');
  return {
    parts: path.split('/').filter(Boolean).map(decodeURIComponent),
    query: new URLSearchParams(query),
  };
}

export const to = (...parts) => `#/${parts.map(encodeURIComponent).join('/')}`;
