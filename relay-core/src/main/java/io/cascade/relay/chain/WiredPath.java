package io.cascade.relay.chain;

import io.cascade.carriage.coded.CodedService;
import io.cascade.relay.egress.EgressOutlet;
import io.cascade.relay.hop.HopInlet;
import io.cascade.relay.hop.HopOutlet;
import io.cascade.relay.stream.Outlet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A path through a part that takes streams.
 *
 * @param shape its hops
 * @param settings of its streams
 * @param outlet where they go on
 * @param inlets by which they come from relays
 * @param client coded sessions of the chain's client, beside the ingress port; null where there are
 *     none
 * @param hops to next relays: the outlet itself, or those by which its pipes begin; none at the
 *     last relay
 */
record WiredPath(
    PartPath shape,
    PartSettings settings,
    Outlet outlet,
    List<HopInlet> inlets,
    @Nullable CodedService client,
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
