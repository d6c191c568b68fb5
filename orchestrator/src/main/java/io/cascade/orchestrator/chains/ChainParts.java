package io.cascade.orchestrator.chains;

import io.cascade.api.HostPort;
import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.Egress;
import io.cascade.api.relay.ForwardMode;
import io.cascade.api.relay.HopInlet;
import io.cascade.api.relay.HopOptions;
import io.cascade.api.relay.HopOutlet;
import io.cascade.api.relay.Ingress;
import io.cascade.api.relay.StreamOptions;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.orchestrator.planning.Destinations;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.relays.RegisteredRelay;
import java.util.List;
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
   * @param relays in the installation's order
   * @throws Refusal where a neighbour on an encrypted hop has no certificate
   */
  static ChainPart of(
      Chain chain, Installation installation, List<RegisteredRelay> relays, int index) {
    boolean first = index == 0;
    boolean last = index == relays.size() - 1;
    ChainOptions options = chain.request().options();
    HopOutlet outlet = null;
    Egress egress = null;
    if (last) {
      HostPort destination = Destinations.parse(chain.request().destination());
      egress =
          new Egress(
              destination.host(),
              destination.port(),
              options == null ? null : options.proxyProtocol(),
              installation.forProxy() ? true : null);
    } else {
      Endpoint next = relays.get(index + 1).hop();
      outlet =
          new HopOutlet(
              next.host(),
              next.port(),
              installation.keys().get(index),
              installation.encrypted() ? certificate(relays.get(index + 1)) : null);
    }
    return new ChainPart(
        index,
        chain.leaseSeconds(),
        first
            ? new Ingress(null, installation.askedPort(), installation.forProxy() ? true : null)
            : null,
        first
            ? null
            : new HopInlet(
                installation.keys().get(index - 1),
                installation.encrypted() ? certificate(relays.get(index - 1)) : null),
        outlet,
        egress,
        streams(chain, relays.get(index), room(chain, index), index),
        installation.number());
  }

  /**
   * What the relay needs to hold of a stream to keep both its hops busy, both directions together;
   * null where the plan does not know, or where what every relay gives is enough.
   */
  private static @Nullable Long room(Chain chain, int index) {
    List<Double> each =
        ChainLearning.prediction(chain).map(Candidate::relayBufferBytes).orElse(null);
    if (each == null || index >= each.size()) {
      return null;
    }
    double both = Math.min(2 * each.get(index), MOST_BUFFER_BYTES);
    return both > USUAL_BUFFER_BYTES ? (long) Math.ceil(both) : null;
  }

  /** An encrypted hop is never installed without: the relay may have come back without TLS. */
  private static String certificate(RegisteredRelay relay) {
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
      Chain chain, RegisteredRelay relay, @Nullable Long room, int index) {
    ChainOptions options = chain.request().options();
    HopOptions inlet = index == 0 ? null : hop(chain, relay, index - 1);
    HopOptions onward = hop(chain, relay, index);
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
  private static @Nullable HopOptions hop(Chain chain, RegisteredRelay relay, int hop) {
    var own = HopOverrides.at(chain.request().options(), hop);
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
  private static @Nullable String control(Chain chain, RegisteredRelay relay, int hop) {
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
