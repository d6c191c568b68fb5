package io.cascade.relay.chain;

import io.cascade.carriage.coded.CodedService;
import io.cascade.relay.egress.EgressOutlet;
import io.cascade.relay.hop.HopOutlet;
import io.cascade.relay.hop.HopReceiver;
import io.cascade.relay.stream.Outlet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A passage through a part that takes streams.
 *
 * @param shape its hops
 * @param settings of its streams
 * @param outlet where they go on
 * @param receivers of the hops by which they come from relays
 * @param client coded sessions of the chain's client, beside the ingress port; null where there are
 *     none
 * @param hops to next relays: the outlet itself, or those by which its pipes begin; none at the
 *     last relay
 */
record WiredPassage(
    PartPassage shape,
    PartSettings settings,
    Outlet outlet,
    List<HopReceiver> receivers,
    @Nullable CodedService client,
    List<HopOutlet> hops) {
  WiredPassage {
    receivers = List.copyOf(receivers);
    hops = List.copyOf(hops);
  }

  /** Whether its streams reach the destination from here. */
  boolean isLast() {
    return outlet instanceof EgressOutlet;
  }
}
