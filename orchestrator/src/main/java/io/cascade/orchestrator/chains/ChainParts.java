package io.cascade.orchestrator.chains;

import io.cascade.api.HostPort;
import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.orchestrator.HopTransport;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.Egress;
import io.cascade.api.relay.ForwardMode;
import io.cascade.api.relay.HopInlet;
import io.cascade.api.relay.HopOptions;
import io.cascade.api.relay.HopOutlet;
import io.cascade.api.relay.Ingress;
import io.cascade.api.relay.StreamOptions;
import io.cascade.contract.RouteHops;
import io.cascade.contract.RouteHops.RouteHop;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.orchestrator.planning.Destinations;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.relays.RegisteredRelay;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Cuts a chain into the parts of its relays. */
final class ChainParts {
  /** What a relay gives a stream of which nothing is said: the relay-control contract. */
  private static final long USUAL_BUFFER_BYTES = 4L << 20;

  /**
   * Largest buffer of a stream: where losses are rare the model asks for more than a stream is
   * worth.
   */
  private static final long MOST_BUFFER_BYTES = 64L << 20;

  private ChainParts() {}

  /**
   * The part of one relay.
   *
   * @param members relays of the installation's route, by name
   * @throws Refusal where a neighbour on an encrypted hop has no certificate
   */
  static ChainPart of(
      Chain chain,
      Installation installation,
      Map<String, RegisteredRelay> members,
      RegisteredRelay relay) {
    ChainOptions options = chain.request().options();
    RouteHop in = sole(installation.route().into(relay.name()));
    RouteHop out = sole(installation.route().outOf(relay.name()));
    HopOutlet outlet = null;
    Egress egress = null;
    if (out.joinsRelays()) {
      RegisteredRelay next = Objects.requireNonNull(members.get(out.to()));
      outlet =
          new HopOutlet(
              next.hop().host(),
              next.hop().port(),
              installation.key(out.address()),
              certificate(out, next));
    } else {
      HostPort destination = Destinations.parse(chain.request().destination());
      egress =
          new Egress(
              destination.host(),
              destination.port(),
              options == null ? null : options.proxyProtocol(),
              installation.proxied() ? true : null);
    }
    Ingress ingress = null;
    HopInlet inlet = null;
    if (in.leavesRelay()) {
      RegisteredRelay before = Objects.requireNonNull(members.get(in.from()));
      inlet = new HopInlet(installation.key(in.address()), certificate(in, before));
    } else {
      ingress = new Ingress(null, installation.askedPort(), installation.proxied() ? true : null);
    }
    return new ChainPart(
        in.address().hop(),
        chain.leaseSeconds(),
        ingress,
        inlet,
        outlet,
        egress,
        streams(chain, installation.route(), relay, in, out),
        installation.revision());
  }

  private static RouteHop sole(List<RouteHop> hops) {
    if (hops.size() != 1) {
      throw new IllegalStateException("hops " + hops + " (expected: 1)");
    }
    return hops.getFirst();
  }

  /**
   * What the relay needs to hold of a stream to keep both its hops busy, both directions together;
   * null where the plan does not know, or where what every relay gives is enough.
   */
  private static @Nullable Long room(Chain chain, RegisteredRelay relay) {
    Double each =
        RoutePrediction.of(chain)
            .map(prediction -> prediction.bufferBytes().get(relay.name()))
            .orElse(null);
    if (each == null) {
      return null;
    }
    double both = Math.min(2 * each, MOST_BUFFER_BYTES);
    return both > USUAL_BUFFER_BYTES ? (long) Math.ceil(both) : null;
  }

  /** An encrypted hop is never installed without: the relay may have come back without TLS. */
  private static @Nullable String certificate(RouteHop hop, RegisteredRelay relay) {
    if (hop.hop().transport() != HopTransport.TLS) {
      return null;
    }
    String sha256 = relay.registration().certificateSha256();
    if (sha256 == null) {
      throw new Refusal(
          ProblemKind.UNSUPPORTED,
          relay.name()
              + " has no TLS, and the chain's hops are encrypted: start it again without"
              + " --hop-security plain");
    }
    return sha256;
  }

  private static @Nullable StreamOptions streams(
      Chain chain, RouteHops route, RegisteredRelay relay, RouteHop in, RouteHop out) {
    ChainOptions options = chain.request().options();
    Long room = room(chain, relay);
    HopOptions inlet = in.leavesRelay() ? hop(chain, route, relay, in.address()) : null;
    HopOptions onward = hop(chain, route, relay, out.address());
    if (options == null) {
      return room == null && inlet == null && onward == null ? null : only(room, inlet, onward);
    }
    return new StreamOptions(
        options.bufferBytes() == null ? room : options.bufferBytes(),
        options.warmConnections(),
        mode(options.mode()),
        options.startAfterBytes(),
        options.startAfterWindows(),
        options.spoolBytes(),
        options.congestionControl(),
        options.noDelay(),
        options.keepAliveSeconds(),
        options.userTimeoutSeconds(),
        options.connectTimeoutSeconds(),
        options.idleTimeoutSeconds(),
        options.pacingBitsPerSecond(),
        options.halfCloseTimeoutSeconds(),
        options.chunkBytes(),
        options.maxStreams(),
        inlet,
        onward);
  }

  /** The same at both its ends, since each sends in one direction. */
  private static @Nullable HopOptions hop(
      Chain chain, RouteHops route, RegisteredRelay relay, HopAddress hop) {
    var own = HopOverrides.at(chain.request().options(), route, hop);
    String control = control(chain, relay, hop);
    if (own == null) {
      return control == null ? null : new HopOptions(control, null, null, null);
    }
    return new HopOptions(
        own.congestionControl() == null ? control : own.congestionControl(),
        own.keepAliveSeconds(),
        own.userTimeoutSeconds(),
        own.pacingBitsPerSecond());
  }

  /**
   * What the plan has this end of the hop send with, by its relay's name for it; null where the
   * plan changes nothing, or the relay does not offer it: then this end sends with its own.
   */
  private static @Nullable String control(Chain chain, RegisteredRelay relay, HopAddress hop) {
    ChainOptions options = chain.request().options();
    String planned =
        options != null && options.congestionControl() != null
            ? null
            : HopOverrides.planned(chain, hop);
    return planned == null
        ? null
        : CongestionControl.named(planned).flatMap(relay::offered).orElse(null);
  }

  private static StreamOptions only(
      @Nullable Long bytes, @Nullable HopOptions inlet, @Nullable HopOptions onward) {
    return new StreamOptions(
        bytes, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
        null, inlet, onward);
  }

  private static @Nullable ForwardMode mode(
      io.cascade.api.orchestrator.@Nullable ForwardMode mode) {
    return mode == null ? null : ForwardMode.valueOf(mode.name());
  }
}
