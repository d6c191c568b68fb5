package io.cascade.orchestrator.chains;

import io.cascade.api.HostPort;
import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.api.orchestrator.ChainSecurity;
import io.cascade.api.orchestrator.HopTransport;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.Egress;
import io.cascade.api.relay.HopInlet;
import io.cascade.api.relay.HopOptions;
import io.cascade.api.relay.HopOutlet;
import io.cascade.api.relay.Ingress;
import io.cascade.api.relay.PartInlet;
import io.cascade.api.relay.PartOutlet;
import io.cascade.api.relay.StreamOptions;
import io.cascade.api.relay.TransportChoice;
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

/**
 * Divides a chain into the parts of its relays.
 *
 * @param members relays of the installation's route, by name
 */
record PartCutter(Chain chain, Installation installation, Map<String, RegisteredRelay> members) {
  /** Memory that a relay gives a stream by default; see the relay-control contract. */
  private static final long USUAL_BUFFER_BYTES = 4L << 20;

  /**
   * Congestion control that a relay's connections may switch to when they lose packets without a
   * queue.
   */
  private static final String LOSS_RESPONSE = "bbr";

  /**
   * Largest buffer of a stream: for links with rare losses the model asks for more memory than a
   * stream is worth. Junctions use it only as far as their windows grow.
   */
  private static final long MOST_BUFFER_BYTES = 64L << 20;

  /**
   * The part of one relay.
   *
   * @throws Refusal if a neighbour on an encrypted hop has no certificate
   */
  ChainPart of(RegisteredRelay relay) {
    RouteHops route = installation.route();
    return new ChainPart(
        route.into(relay.name()).stream().map(hop -> inlet(relay, hop)).toList(),
        route.outOf(relay.name()).stream().map(hop -> outlet(relay, hop)).toList(),
        chain.leaseSeconds(),
        streams(relay),
        installation.revision());
  }

  private PartInlet inlet(RegisteredRelay relay, RouteHop hop) {
    if (!hop.leavesRelay()) {
      Ingress ingress =
          Ingress.builder()
              .port(installation.askedPort())
              .proxied(proxied())
              .key(installation.ingressKey())
              .allowSources(installation.proxied() ? null : AllowedSources.of(chain.request()))
              .build();
      return PartInlet.builder().hop(hop.address()).ingress(ingress).build();
    }
    RegisteredRelay before = member(hop.from());
    return PartInlet.builder()
        .hop(hop.address())
        .relay(new HopInlet(installation.key(hop.address()), certificate(hop, before)))
        .options(options(relay, hop))
        .build();
  }

  private PartOutlet outlet(RegisteredRelay relay, RouteHop hop) {
    HopOutlet next = null;
    Egress egress = null;
    if (hop.joinsRelays()) {
      RegisteredRelay behind = member(hop.to());
      next =
          new HopOutlet(
              behind.hop().host(),
              behind.hop().port(),
              installation.key(hop.address()),
              certificate(hop, behind));
    } else {
      HostPort destination = Destinations.parse(chain.request().destination());
      ChainOptions options = chain.request().options();
      egress =
          new Egress(
              destination.host(),
              destination.port(),
              options == null ? null : options.proxyProtocol(),
              proxied());
    }
    return new PartOutlet(hop.address(), next, egress, options(relay, hop), withdrawn(hop));
  }

  /** True if a hop begins a pipe with a draining relay; otherwise null, the default. */
  private @Nullable Boolean withdrawn(RouteHop hop) {
    return RelayPipes.draining(installation.route(), name -> member(name).isDraining())
            .contains(hop.address())
        ? true
        : null;
  }

  private RegisteredRelay member(String name) {
    return Objects.requireNonNull(members.get(name));
  }

  /** True if the chain's streams come from a proxy; otherwise null, the default. */
  private @Nullable Boolean proxied() {
    return installation.proxied() ? true : null;
  }

  /**
   * Certificate of the neighbour on an encrypted hop. An encrypted hop is never installed without
   * it, even if the relay has restarted without TLS. A coded hop is encrypted by its sessions and
   * has certificates for its fallback to TCP.
   */
  private @Nullable String certificate(RouteHop hop, RegisteredRelay relay) {
    String sha256 = relay.registration().certificateSha256();
    if (hop.hop().transport() != HopTransport.TLS) {
      return staysEncrypted(hop) ? sha256 : null;
    }
    if (sha256 == null) {
      throw new Refusal(
          ProblemKind.UNSUPPORTED,
          relay.name()
              + " has no TLS, and the chain's hops are encrypted; fix: start it again without"
              + " --hop-security plain");
    }
    return sha256;
  }

  private boolean staysEncrypted(RouteHop hop) {
    return HopOverrides.isCoded(chain, installation.route(), hop.address())
        && HopProtection.asked(chain.request()) != ChainSecurity.PLAIN
        && member(hop.from()).hasTls()
        && member(hop.to()).hasTls();
  }

  /**
   * Bytes of a stream that the relay has to hold to keep both its hops busy, both directions
   * together; null if the plan does not know, or if the relay's default is enough.
   */
  private @Nullable Long room(RegisteredRelay relay) {
    if (installation.route().isJunction(relay.name())) {
      return MOST_BUFFER_BYTES;
    }
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

  private @Nullable StreamOptions streams(RegisteredRelay relay) {
    Long room = room(relay);
    ChainOptions options = chain.request().options();
    String control = kept(relay, options);
    if (options == null) {
      return room == null && control == null
          ? null
          : StreamOptions.builder().bufferBytes(room).congestionControl(control).build();
    }
    return StreamOptions.builder()
        .bufferBytes(options.bufferBytes() == null ? room : options.bufferBytes())
        .warmConnections(options.warmConnections())
        .mode(options.mode())
        .startAfterBytes(options.startAfterBytes())
        .startAfterWindows(options.startAfterWindows())
        .spoolBytes(options.spoolBytes())
        .congestionControl(control)
        .noDelay(options.noDelay())
        .keepAliveSeconds(options.keepAliveSeconds())
        .userTimeoutSeconds(options.userTimeoutSeconds())
        .connectTimeoutSeconds(options.connectTimeoutSeconds())
        .idleTimeoutSeconds(options.idleTimeoutSeconds())
        .pacingBitsPerSecond(options.pacingBitsPerSecond())
        .halfCloseTimeoutSeconds(options.halfCloseTimeoutSeconds())
        .chunkBytes(options.chunkBytes())
        .maxStreams(options.maxStreams())
        .transport(
            options.transport() == io.cascade.api.orchestrator.TransportChoice.CODED
                ? TransportChoice.CODED
                : null)
        .scheduler(options.scheduler())
        .patienceSeconds(options.patienceSeconds())
        .build();
  }

  /** Options of a hop: the same at both its ends, since each end sends in one direction. */
  private @Nullable HopOptions options(RegisteredRelay relay, RouteHop hop) {
    var own = HopOverrides.at(chain.request().options(), installation.route(), hop.address());
    String control = control(relay, hop);
    TransportChoice transport = transport(hop);
    if (own == null) {
      return control == null && transport == null
          ? null
          : HopOptions.builder().congestionControl(control).transport(transport).build();
    }
    return new HopOptions(
        own.congestionControl() == null ? control : own.congestionControl(),
        own.keepAliveSeconds(),
        own.userTimeoutSeconds(),
        own.pacingBitsPerSecond(),
        transport);
  }

  /** Transport of a hop between relays; null if it is the chain's. */
  private @Nullable TransportChoice transport(RouteHop hop) {
    ChainOptions options = chain.request().options();
    boolean isUsual =
        options != null && options.transport() == io.cascade.api.orchestrator.TransportChoice.CODED;
    boolean isCoded = HopOverrides.isCoded(chain, installation.route(), hop.address());
    if (!hop.joinsRelays() || isCoded == isUsual) {
      return null;
    }
    return isCoded ? TransportChoice.CODED : TransportChoice.TCP;
  }

  /**
   * Congestion control with which this end of the hop sends, by its relay's name for it; null if
   * neither the plan nor the request chose one, or if the relay does not offer the plan's choice.
   * With null the hop starts with the relay's own and may respond to its losses.
   */
  private @Nullable String control(RegisteredRelay relay, RouteHop hop) {
    ChainOptions options = chain.request().options();
    if (options != null && options.congestionControl() != null) {
      return null;
    }
    String planned = HopOverrides.planned(chain, hop.address());
    if (planned != null) {
      return CongestionControl.named(planned).flatMap(relay::offered).orElse(null);
    }
    return hop.joinsRelays() && HopOverrides.keepsUsual(chain, hop.address()) ? kept(relay) : null;
  }

  /**
   * The relay's own control if the request limits the controls that may be used and the one for
   * responses to loss is not among them; otherwise null, the hop's own choice.
   */
  private @Nullable String kept(RegisteredRelay relay, @Nullable ChainOptions options) {
    if (options != null && options.congestionControl() != null) {
      return options.congestionControl();
    }
    List<String> allowed = ChainQuestion.controls(chain.request());
    return allowed == null || allowed.contains(LOSS_RESPONSE) ? null : kept(relay);
  }

  /**
   * The name that restricts a relay to its own control; null if the relay never switches anyway.
   */
  private static @Nullable String kept(RegisteredRelay relay) {
    String usual = relay.registration().congestionControl();
    boolean responds = relay.offers().contains(LOSS_RESPONSE);
    return responds && usual != null && relay.offers().contains(usual) ? usual : null;
  }
}
