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
 * Cuts a chain into the parts of its relays.
 *
 * @param members relays of the installation's route, by name
 */
record PartCutter(Chain chain, Installation installation, Map<String, RegisteredRelay> members) {
  /** Memory that a relay gives a stream of which nothing is said: the relay-control contract. */
  private static final long USUAL_BUFFER_BYTES = 4L << 20;

  /** Control that a relay's connections may take when they lose packets without a queue. */
  private static final String LOSS_RESPONSE = "bbr";

  /**
   * Largest buffer of a stream: where losses are rare the model asks for more than a stream is
   * worth. Junctions take as much only as far as their windows grow.
   */
  private static final long MOST_BUFFER_BYTES = 64L << 20;

  /**
   * The part of one relay.
   *
   * @throws Refusal where a neighbour on an encrypted hop has no certificate
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

  /** Whether a hop begins a pipe with a relay that drains; null, the default, where it does not. */
  private @Nullable Boolean withdrawn(RouteHop hop) {
    return RelayPipes.draining(installation.route(), name -> member(name).isDraining())
            .contains(hop.address())
        ? true
        : null;
  }

  private RegisteredRelay member(String name) {
    return Objects.requireNonNull(members.get(name));
  }

  /** Whether its streams are those of proxies; null, the default, where they are not. */
  private @Nullable Boolean proxied() {
    return installation.proxied() ? true : null;
  }

  /**
   * An encrypted hop is never installed without: the relay may have come back without TLS. A coded
   * one is sealed by its sessions, and has certificates for TCP, to which it may fall back.
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
              + " has no TLS, and the chain's hops are encrypted: start it again without"
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
   * Bytes of a stream that the relay needs to hold to keep both its hops busy, both directions
   * together; null where the plan does not know, or where what every relay gives is enough.
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

  /** Options of a hop: the same at both its ends, since each sends in one direction. */
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

  /** Transport of a hop between relays; null where that is as for the chain's others. */
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
   * Congestion control with which this end of the hop sends, by its relay's name for it; null where
   * neither the chain's plan nor its opener chose one: then it begins with the relay's own and
   * responds to its losses. The same where the relay does not offer what the plan chose.
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
   * The relay's own control where the opener said which ones may be used, and that the one of
   * responses to loss is none of them; null, each hop's choice, otherwise.
   */
  private @Nullable String kept(RegisteredRelay relay, @Nullable ChainOptions options) {
    if (options != null && options.congestionControl() != null) {
      return options.congestionControl();
    }
    List<String> allowed = ChainQuestion.controls(chain.request());
    return allowed == null || allowed.contains(LOSS_RESPONSE) ? null : kept(relay);
  }

  /** The name that keeps a relay to its own control; null where it would keep to it anyway. */
  private static @Nullable String kept(RegisteredRelay relay) {
    String usual = relay.registration().congestionControl();
    boolean responds = relay.offers().contains(LOSS_RESPONSE);
    return responds && usual != null && relay.offers().contains(usual) ? usual : null;
  }
}
