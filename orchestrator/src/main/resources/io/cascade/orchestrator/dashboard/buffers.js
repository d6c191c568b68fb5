// How full relays' buffers are: { relay: { budget, running, held }, seen } of each hop, of the relay that it leaves.

const FULL = 0.8; // A relay with less room left than that holds what the next hop does not take.

export const held = (hop) => hop.seen?.heldBytes ?? hop.relay.held;

/** Of all its streams together. */
export const room = (relay) => (relay.running ? relay.budget * relay.running : relay.budget);

/** The last hop whose relay has hardly any room left; undefined where all have. */
export const lastFull = (hops) => hops.findLast((hop) => hop.relay && (held(hop) ?? 0) >= FULL * room(hop.relay));
