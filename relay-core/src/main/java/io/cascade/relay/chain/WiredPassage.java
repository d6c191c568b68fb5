package io.cascade.relay.chain;

import io.cascade.carriage.coded.CodedService;
import io.cascade.relay.egress.EgressOutlet;
import io.cascade.relay.hop.HopOutlet;
import io.cascade.relay.hop.HopReceiver;
import io.cascade.relay.stream.Outlet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A passage of a part that takes streams.
 *
 * @param shape its hops
 * @param settings of its streams
 * @param outlet where its streams go on
 * @param receivers of the hops over which its streams arrive from relays
 * @param client coded sessions of the chain's client, beside the ingress port; null if there are
 *     none
 * @param hops to next relays: the outlet itself, or those over which its pipes begin; empty at the
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

  /** Whether its streams connect to the destination from here. */
  boolean isLast() {
    return outlet instanceof EgressOutlet;
  }
}
