package io.cascade.relay.chain;

import static io.cascade.relay.chain.PartChecks.fingerprint;
import static io.cascade.relay.chain.PartChecks.key;

import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.Ingress;
import io.cascade.command.ListenFailure;
import io.cascade.relay.destination.AddressRule;
import io.cascade.relay.destination.DestinationPolicy;
import io.cascade.relay.egress.EgressOutlet;
import io.cascade.relay.hop.HopInlet;
import io.cascade.relay.hop.HopOutlet;
import io.cascade.relay.hop.ReplayWindowState;
import io.cascade.relay.ingress.IngressListener;
import io.cascade.relay.socket.Sockets;
import io.cascade.relay.stream.Outlet;
import io.cascade.relay.tls.Fingerprint;
import io.cascade.relay.tls.HopTls;
import io.cascade.relay.transport.SocketTuning;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Makes the two ends of a part: ingress port or hop inlet, and hop outlet or egress. Blocks. */
final class PartEnds {
  private final Sockets sockets;
  private final HopTls tls;
  private final DestinationPolicy destinations;
  private final ChainSettings settings;
  private final StreamAdmission admission;

  PartEnds(
      Sockets sockets,
      HopTls tls,
      DestinationPolicy destinations,
      ChainSettings settings,
      StreamAdmission admission) {
    this.sockets = sockets;
    this.tls = tls;
    this.destinations = destinations;
    this.settings = settings;
    this.admission = admission;
  }

  /** Reads a part's options. */
  PartSettings settings(ChainPart part, PassThrough passThrough) throws PartRefused {
    return PartSettings.of(
        part.options(), passThrough, sockets.transport(), settings.pump(), settings.controls());
  }

  /** Makes this relay's certificate, should there be none yet: here and not on an event loop. */
  void makeIdentity() {
    Fingerprint _ = tls.fingerprint();
  }

  /**
   * Makes the outlet.
   *
   * @param usedCounter last counter that was used with the hop's key, 0 with a fresh one
   */
  Outlet outlet(UUID id, PassThrough passThrough, PartSettings partSettings, long usedCounter)
      throws PartRefused {
    var next = passThrough.outlet().relay();
    var egress = passThrough.outlet().egress();
    String host = next != null ? next.host() : egress == null ? "" : egress.host();
    try {
      if (next != null) {
        return new HopOutlet(
            id,
            passThrough.outlet().hop(),
            passThrough.inlet().ingress() != null,
            new InetSocketAddress(InetAddress.getByName(next.host()), next.port()),
            key(next.key()),
            next.certificateSha256() == null
                ? null
                : new HopOutlet.Security(tls, fingerprint(next.certificateSha256())),
            sockets,
            partSettings.streams(),
            partSettings.warmConnections(),
            usedCounter);
      }
      if (egress == null) {
        throw new PartRefused(PartRefused.Kind.INVALID, "outlets[0]: neither relay nor egress");
      }
      boolean proxyProtocol = Boolean.TRUE.equals(egress.proxyProtocol());
      AddressRule rule = destinations.chain(host, Boolean.TRUE.equals(egress.guarded()));
      return EgressOutlet.to(host, egress.port(), proxyProtocol, rule, sockets);
    } catch (UnknownHostException e) {
      throw new PartRefused(
          PartRefused.Kind.UNRESOLVABLE, "'" + host + "' has no address as seen from this relay");
    }
  }

  /**
   * Opens the ingress port, or keeps the one that is open.
   *
   * @param before the chain's wiring until now; null where there is none
   * @return null where the part has no port of its own
   */
  @Nullable IngressListener ingress(
      InstalledChain chain,
      PassThrough passThrough,
      SocketTuning tuning,
      InstalledChain.@Nullable Wiring before)
      throws PartRefused {
    Ingress wanted = passThrough.inlet().ingress();
    if (wanted == null || Boolean.TRUE.equals(wanted.proxied())) {
      return null;
    }
    IngressListener open = before == null ? null : before.ingress();
    if (before != null && open != null) {
      boolean same = wanted.equals(before.passThrough().inlet().ingress());
      if (same || (wanted.address() == null && wanted.port() == open.address().getPort())) {
        return open;
      }
    }
    PortRange range = settings.ingressPorts();
    if (wanted.port() != 0 || range == null) {
      return listen(chain, wanted, wanted.port(), tuning);
    }
    for (int port = range.first(); port < range.last(); port++) {
      try {
        return listen(chain, wanted, port, tuning);
      } catch (PartRefused taken) {
        // the next one may be free
      }
    }
    return listen(chain, wanted, range.last(), tuning);
  }

  private IngressListener listen(
      InstalledChain chain, Ingress wanted, int port, SocketTuning tuning) throws PartRefused {
    try {
      InetAddress address =
          wanted.address() == null ? settings.listen() : InetAddress.getByName(wanted.address());
      return IngressListener.open(
          sockets,
          new InetSocketAddress(address, port),
          tuning,
          (inlet, start, early) -> admission.arrived(chain, inlet, start, early));
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
  IngressListener adopt(InstalledChain chain, int descriptor, SocketTuning tuning)
      throws IOException {
    return IngressListener.adopt(
        sockets,
        descriptor,
        tuning,
        (inlet, start, early) -> admission.arrived(chain, inlet, start, early));
  }

  /**
   * Makes the hop inlet.
   *
   * @param seen counters that another process has seen under the key; null for a fresh key
   * @return null where streams come from clients
   */
  @Nullable HopInlet inlet(
      InstalledChain chain, PassThrough passThrough, @Nullable ReplayWindowState seen)
      throws PartRefused {
    var wanted = passThrough.inlet().relay();
    return wanted == null
        ? null
        : new HopInlet(
            key(wanted.key()),
            wanted.certificateSha256() == null ? null : fingerprint(wanted.certificateSha256()),
            passThrough.inlet().hop(),
            (inlet, start, early) -> admission.arrived(chain, inlet, start, early),
            seen);
  }
}
