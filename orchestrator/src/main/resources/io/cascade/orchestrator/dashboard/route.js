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

/** Hops with a relay at each end. */
export const linkHops = (chain) => routeHops(chain).filter(({ from, to }) => from !== SOURCE && to !== DESTINATION);

/** The relay that clients connect to. */
export const firstRelay = (chain) => routeHops(chain).find(({ from }) => from === SOURCE)?.to;

/** The relay that connects to the destination. */
export const lastRelay = (chain) => routeHops(chain).find(({ to }) => to === DESTINATION)?.from;
