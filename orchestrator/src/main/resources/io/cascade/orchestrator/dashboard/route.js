// A chain's route: its hops in order, by their addresses, and what is at their ends.

export const SOURCE = 'source';
export const DESTINATION = 'destination';

/** As people write it: SEGMENT.PIPE.HOP. */
export const addressOf = ({ segment, pipe, hop }) => `${segment}.${pipe}.${hop}`;

/** One segment with one pipe through these relays. */
const cascade = (relays) => {
  let from = SOURCE;
  const hops = [...relays, DESTINATION].map((to) => {
    const hop = { from, to };
    from = to;
    return hop;
  });
  return { segments: relays.length ? [{ pipes: [{ hops }] }] : [] };
};

/**
 * Every hop of a chain, in order: { address, from, to, transport, congestionControl }. A chain without a route has those
 * that the relays it was asked to go through would make.
 */
export const routeHops = (chain) => (chain.route ?? cascade(chain.relays)).segments.flatMap(
  ({ pipes }, segment) => pipes.flatMap(
    ({ hops }, pipe) => hops.map((one, hop) => ({ ...one, address: addressOf({ segment, pipe, hop }) }))));

/** Name of one of the pipes of a segment that has several: `pipe 2`, with its segment where several have pipes. */
export function pipeName(segments, segment, pipe) {
  const split = segments.map(({ pipes }, i) => (pipes.length > 1 ? i : -1)).filter((i) => i >= 0);
  if (!split.includes(segment)) return '';
  return `${split.length > 1 ? `segment ${split.indexOf(segment) + 1}, ` : ''}pipe ${pipe + 1}`;
}

/**
 * The addresses of a chain's hops in rows: what every stream passes stands in one row, and each of several pipes in its
 * own: { name, addresses }, with an empty name where there is nothing beside it.
 */
export function routeRows(chain) {
  const segments = (chain.route ?? cascade(chain.relays)).segments;
  const rows = [];
  segments.forEach(({ pipes }, segment) => pipes.forEach(({ hops }, pipe) => {
    const name = pipeName(segments, segment, pipe);
    if (name || !rows.length || rows.at(-1).name) rows.push({ name, addresses: [] });
    rows.at(-1).addresses.push(...hops.map((_, hop) => addressOf({ segment, pipe, hop })));
  }));
  return rows;
}

/** Hops with a relay at each end. */
export const linkHops = (chain) => routeHops(chain).filter(({ from, to }) => from !== SOURCE && to !== DESTINATION);

/** The relay that clients connect to. */
export const firstRelay = (chain) => routeHops(chain).find(({ from }) => from === SOURCE)?.to;

/** The relay that connects to the destination. */
export const lastRelay = (chain) => routeHops(chain).find(({ to }) => to === DESTINATION)?.from;
