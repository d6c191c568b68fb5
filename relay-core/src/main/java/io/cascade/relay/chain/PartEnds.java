package io.cascade.relay.chain;

import static io.cascade.relay.chain.PartChecks.codedKey;
import static io.cascade.relay.chain.PartChecks.fingerprint;
import static io.cascade.relay.chain.PartChecks.key;

import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.Egress;
import io.cascade.api.relay.HopInlet;
import io.cascade.api.relay.Ingress;
import io.cascade.api.relay.PartInlet;
import io.cascade.api.relay.PartOutlet;
import io.cascade.api.relay.StreamOptions;
import io.cascade.carriage.coded.CodedService;
import io.cascade.carriage.coded.CodedSettings;
import io.cascade.carriage.socket.Sockets;
import io.cascade.carriage.tls.Fingerprint;
import io.cascade.carriage.tls.HopTls;
import io.cascade.carriage.transport.SocketTuning;
import io.cascade.command.ListenFailure;
import io.cascade.command.names.NamedPeer;
import io.cascade.relay.destination.AddressRefused;
import io.cascade.relay.destination.AddressRule;
import io.cascade.relay.destination.DestinationPolicy;
import io.cascade.relay.egress.EgressOutlet;
import io.cascade.relay.hop.HopOutlet;
import io.cascade.relay.hop.HopReceiver;
import io.cascade.relay.ingress.IngressListener;
import io.cascade.relay.junction.JunctionOutlet;
import io.cascade.relay.stream.ConnectionSettings;
import io.cascade.relay.stream.Outlet;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Makes the ends of a part: ingress port or hop receiver, and hop outlet or egress. Blocks. */
final class PartEnds {
  /** Time to find out which address of a next relay answers, if its name has several. */
  private static final Duration CHOOSING = Duration.ofSeconds(1);

  private static final HopAddress FROM_SOURCE = new HopAddress(0, 0, 0);

  private final Sockets sockets;
  private final HopTls tls;
  private final CodedSettings coded;
  private final DestinationPolicy destinations;
  private final ChainSettings settings;
  private final StreamAdmission admission;

  PartEnds(
      Sockets sockets,
      HopTls tls,
      CodedSettings coded,
      DestinationPolicy destinations,
      ChainSettings settings,
      StreamAdmission admission) {
    this.sockets = sockets;
    this.tls = tls;
    this.coded = coded;
    this.destinations = destinations;
    this.settings = settings;
    this.admission = admission;
  }

  /**
   * Makes this relay's certificate if it has none yet: here, since it would block an event loop.
   */
  void makeIdentity() {
    Fingerprint _ = tls.fingerprint();
  }

  /**
   * Makes the ends of a passage. Ends of the previous wiring that match the request are kept, so
   * that their counters continue and waiting connections stay open.
   *
   * @param before the chain's previous wiring; null if there is none
   * @param inherited counters of another process
   */
  WiredPassage passage(
      InstalledChain chain,
      ChainPart part,
      PartPassage passage,
      InstalledChain.@Nullable Wiring before,
      HopCounters inherited)
      throws PartRefused {
    PartSettings settings =
        settings(part, passage.inlets().getFirst(), passage.outlets().getFirst());
    if (passage.isJunction()) {
      settings.checkUngated();
    }
    Egress egress = passage.outlets().getFirst().egress();
    if (egress != null) {
      return new WiredPassage(
          passage,
          settings,
          egress(egress),
          receivers(chain, part, passage, before, inherited),
          client(chain, passage),
          List.of());
    }
    List<HopReceiver> receivers = receivers(chain, part, passage, before, inherited);
    CodedService client = client(chain, passage);
    List<HopOutlet> hops = new ArrayList<>();
    try {
      for (PartOutlet outlet : passage.outlets()) {
        hops.add(hop(chain.id(), part, passage, outlet, before, inherited));
      }
    } catch (PartRefused | RuntimeException e) {
      hops.stream().filter(hop -> !isOf(before, hop)).forEach(HopOutlet::close);
      throw e;
    }
    Outlet outlet = passage.splits() ? segment(chain, passage, settings, hops) : hops.getFirst();
    return new WiredPassage(passage, settings, outlet, receivers, client, hops);
  }

  private @Nullable CodedService client(InstalledChain chain, PartPassage passage)
      throws PartRefused {
    Ingress ingress = passage.ingress();
    String key = ingress == null ? null : ingress.key();
    return key == null
        ? null
        : new CodedService(codedKey(key), () -> IngressListener.handler(arrivals(chain)), true);
  }

  private IngressListener.Arrivals arrivals(InstalledChain chain) {
    return (inlet, start, early) -> admission.arrived(chain, FROM_SOURCE, inlet, start, early);
  }

  private Outlet segment(
      InstalledChain chain, PartPassage passage, PartSettings settings, List<HopOutlet> hops) {
    return new JunctionOutlet(
        hops,
        chain,
        passage.ingress() != null,
        admission.junctionSettings(settings),
        admission.junctionResources());
  }

  /** Whether a wiring has the hop. */
  static boolean isOf(InstalledChain.@Nullable Wiring wiring, HopOutlet hop) {
    return wiring != null && wiring.passages().stream().anyMatch(each -> each.hops().contains(hop));
  }

  /** Whether connections of one outlet can serve the other; options of streams may differ. */
  private static boolean isSameHop(PartOutlet one, PartOutlet other) {
    return one.hop().equals(other.hop())
        && Objects.equals(one.relay(), other.relay())
        && Objects.equals(one.options(), other.options());
  }

  private PartSettings settings(ChainPart part, PartInlet inlet, PartOutlet outlet)
      throws PartRefused {
    return PartSettings.of(
        part.options(), inlet, outlet, sockets.transport(), settings.pump(), settings.controls());
  }

  private HopOutlet hop(
      UUID id,
      ChainPart part,
      PartPassage passage,
      PartOutlet outlet,
      InstalledChain.@Nullable Wiring before,
      HopCounters inherited)
      throws PartRefused {
    var next = outlet.relay();
    if (next == null) {
      throw new PartRefused(PartRefused.Kind.INVALID, "outlets: neither relay nor egress");
    }
    if (before != null && Objects.equals(before.part().options(), part.options())) {
      for (WiredPassage each : before.passages()) {
        List<PartOutlet> outlets = each.shape().outlets();
        for (int index = 0; index < each.hops().size(); index++) {
          if (isSameHop(outlets.get(index), outlet)) {
            return each.hops().get(index);
          }
        }
      }
    }
    PartSettings own = settings(part, passage.inlets().getFirst(), outlet);
    try {
      InetSocketAddress to =
          destinations
              .hop()
              .allowed(NamedPeer.resolve(next.host(), next.port()))
              .quickest(CHOOSING);
      return new HopOutlet(
          id,
          outlet.hop(),
          passage.ingress() != null,
          to,
          key(next.key()),
          next.certificateSha256() == null
              ? null
              : new HopOutlet.Security(tls, fingerprint(next.certificateSha256())),
          own.coded() ? coded : null,
          sockets,
          own.streams(),
          own.warmConnections(),
          inherited.used(outlet.hop()));
    } catch (AddressRefused e) {
      throw new PartRefused(
          PartRefused.Kind.DESTINATION_NOT_ALLOWED, String.valueOf(e.getMessage()));
    } catch (UnknownHostException e) {
      throw unresolvable(next.host());
    }
  }

  private EgressOutlet egress(Egress egress) throws PartRefused {
    boolean proxyProtocol = Boolean.TRUE.equals(egress.proxyProtocol());
    AddressRule rule = destinations.chain(egress.host(), Boolean.TRUE.equals(egress.guarded()));
    try {
      return EgressOutlet.to(egress.host(), egress.port(), proxyProtocol, rule, sockets);
    } catch (UnknownHostException e) {
      throw unresolvable(egress.host());
    }
  }

  private static PartRefused unresolvable(String host) {
    return new PartRefused(
        PartRefused.Kind.UNRESOLVABLE, "'" + host + "' has no address as seen from this relay");
  }

  /**
   * Opens the ingress port, or keeps the open one.
   *
   * @param before the chain's previous wiring; null if there is none
   * @return null if the part has no port of its own
   */
  @Nullable IngressListener ingress(
      InstalledChain chain, List<WiredPassage> passages, InstalledChain.@Nullable Wiring before)
      throws PartRefused {
    WiredPassage first =
        passages.stream().filter(each -> each.shape().ingress() != null).findFirst().orElse(null);
    Ingress wanted = first == null ? null : first.shape().ingress();
    if (first == null || wanted == null || Boolean.TRUE.equals(wanted.proxied())) {
      return null;
    }
    SocketTuning tuning = first.settings().streams().inlet().tuning();
    IngressListener open = before == null ? null : before.ingress();
    if (before != null && open != null) {
      boolean same =
          before.passages().stream().anyMatch(each -> wanted.equals(each.shape().ingress()));
      if (same || (wanted.address() == null && wanted.port() == open.address().getPort())) {
        return open;
      }
    }
    PortRange range = settings.ingressPorts();
    if (range != null && wanted.port() != 0 && !range.contains(wanted.port())) {
      throw new PartRefused(
          PartRefused.Kind.INVALID,
          "ingress port: %d (expected: 0 or %s, by this relay's --ingress-ports)"
              .formatted(wanted.port(), range));
    }
    if (wanted.port() != 0 || range == null) {
      return listen(chain, wanted, wanted.port(), tuning);
    }
    for (int port = range.first(); port < range.last(); port++) {
      try {
        return listen(chain, wanted, port, tuning);
      } catch (PartRefused taken) {
        // the next port may be free
      }
    }
    return listen(chain, wanted, range.last(), tuning);
  }

  private IngressListener listen(
      InstalledChain chain, Ingress wanted, int port, SocketTuning tuning) throws PartRefused {
    try {
      InetAddress address =
          wanted.address() == null ? settings.listen() : InetAddress.getByName(wanted.address());
      if (!settings.everyAddress() && !address.isLoopbackAddress()) {
        throw new PartRefused(
            PartRefused.Kind.INVALID,
            "ingress address: "
                + wanted.address()
                + " (expected: a loopback address, since this relay has no token)");
      }
      return IngressListener.open(
          sockets,
          new InetSocketAddress(address, port),
          tuning,
          settings.balancers(),
          arrivals(chain));
    } catch (UnknownHostException e) {
      throw new PartRefused(
          PartRefused.Kind.INVALID, "ingress address: " + wanted.address() + " is no address");
    } catch (IOException e) {
      throw new PartRefused(
          PartRefused.Kind.PORT_TAKEN,
          "ingress port " + port + " cannot be opened: " + ListenFailure.words(e));
    }
  }

  /** Takes over the listening socket of another process. */
  IngressListener adopt(InstalledChain chain, int descriptor, List<WiredPassage> passages)
      throws IOException {
    SocketTuning tuning = passages.getFirst().settings().streams().inlet().tuning();
    return IngressListener.adopt(
        sockets, descriptor, tuning, settings.balancers(), arrivals(chain));
  }

  /** Makes the receivers of the hops over which a passage's streams arrive from relays. */
  private List<HopReceiver> receivers(
      InstalledChain chain,
      ChainPart part,
      PartPassage passage,
      InstalledChain.@Nullable Wiring before,
      HopCounters inherited)
      throws PartRefused {
    List<HopReceiver> receivers = new ArrayList<>();
    for (PartInlet each : passage.inlets()) {
      if (each.relay() != null) {
        HopReceiver kept = kept(each, part.options(), before);
        receivers.add(
            kept == null
                ? receiver(each, each.relay(), streams(chain, part, passage, each), inherited)
                : kept);
      }
    }
    return receivers;
  }

  private HopReceiver.Streams streams(
      InstalledChain chain, ChainPart part, PartPassage passage, PartInlet inlet)
      throws PartRefused {
    HopAddress hop = inlet.hop();
    if (!passage.combines()) {
      return (connection, start, early) -> admission.arrived(chain, hop, connection, start, early);
    }
    ConnectionSettings connections =
        settings(part, inlet, passage.outlets().getFirst()).streams().inlet();
    return (connection, start, early) ->
        admission.pipeArrived(chain, hop, connections, connection, start, early);
  }

  private static @Nullable HopReceiver kept(
      PartInlet wanted, @Nullable StreamOptions options, InstalledChain.@Nullable Wiring before) {
    if (before == null || !Objects.equals(before.part().options(), options)) {
      return null;
    }
    for (WiredPassage each : before.passages()) {
      if (each.shape().inlets().contains(wanted)) {
        for (HopReceiver receiver : each.receivers()) {
          if (receiver.hop().equals(wanted.hop())) {
            return receiver;
          }
        }
      }
    }
    return null;
  }

  private static HopReceiver receiver(
      PartInlet wanted, HopInlet relay, HopReceiver.Streams streams, HopCounters inherited)
      throws PartRefused {
    return new HopReceiver(
        key(relay.key()),
        relay.certificateSha256() == null ? null : fingerprint(relay.certificateSha256()),
        wanted.hop(),
        streams,
        inherited.seen(wanted.hop()));
  }
}
