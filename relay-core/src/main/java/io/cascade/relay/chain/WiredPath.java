package io.cascade.relay.chain;

import io.cascade.relay.egress.EgressOutlet;
import io.cascade.relay.hop.HopInlet;
import io.cascade.relay.hop.HopOutlet;
import io.cascade.relay.stream.Outlet;
import java.util.List;

/**
 * A path through a part that takes streams.
 *
 * @param shape its hops
 * @param settings of its streams
 * @param outlet where they go on
 * @param inlets by which they come from relays
 * @param hops to next relays: the outlet itself, or those by which its pipes begin; none at the
 *     last relay
 */
record WiredPath(
    PartPath shape,
    PartSettings settings,
    Outlet outlet,
    List<HopInlet> inlets,
    List<HopOutlet> hops) {
  WiredPath {
    inlets = List.copyOf(inlets);
    hops = List.copyOf(hops);
  }

  /** Whether its streams reach the destination from here. */
  boolean isLast() {
    return outlet instanceof EgressOutlet;
  }
}
