package io.cascade.client.rendezvous;

import static java.util.Objects.requireNonNull;

import io.cascade.api.HostPort;
import io.cascade.carriage.tls.TlsLibrary;
import io.cascade.carriage.transport.CongestionControls;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.HopSecurity;
import io.cascade.relay.RelayNode;
import io.cascade.relay.RelaySettings;
import io.cascade.relay.balancer.Balancers;
import io.cascade.relay.proxy.ProxySettings;
import io.cascade.relay.pump.PumpMode;
import io.cascade.relay.rendezvous.RendezvousLimits;
import io.cascade.relay.rendezvous.RendezvousSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A relay of this process with a rendezvous port on loopback. */
public final class MeetingRelay {
  private MeetingRelay() {}

  /** Where its ends meet. */
  public static HostPort at(RelayNode relay) {
    InetSocketAddress at = requireNonNull(relay.rendezvousAddress());
    return new HostPort("127.0.0.1", at.getPort());
  }

  /**
   * Starts one.
   *
   * @param port for ends that meet; 0 for a free one
   */
  public static RelayNode start(int port) throws IOException {
    return start(InetAddress.getByName("127.0.0.1"), port);
  }

  /** Runs one at every address of this host until the process is ended: port. */
  public static void main(String[] arguments) throws Exception {
    try (RelayNode _ = start(InetAddress.getByName("0.0.0.0"), Integer.parseInt(arguments[0]))) {
      System.out.println("ready");
      Thread.sleep(Long.MAX_VALUE);
    }
  }

  private static RelayNode start(InetAddress listen, int port) throws IOException {
    InetAddress loopback = InetAddress.getByName("127.0.0.1");
    return RelayNode.start(
        new RelaySettings(
            "r1",
            "desk",
            loopback,
            "127.0.0.1",
            0,
            loopback,
            0,
            null,
            Balancers.NONE,
            List.of(),
            null,
            Transport.best(),
            PumpMode.AUTO,
            HopSecurity.OPTIONAL,
            TlsLibrary.AUTO,
            2,
            64 << 20,
            1_000,
            Path.of("target", "spool").toAbsolutePath(),
            null,
            null,
            Duration.ZERO,
            null,
            ProxySettings.NONE,
            Path.of("/dev/null/identity"),
            RelaySettings.DEFAULT_SERVE_ALONE,
            0,
            CongestionControls.of(Transport.best(), null),
            new RendezvousSettings(
                new InetSocketAddress(listen, port), RendezvousLimits.usual(1L << 40))));
  }
}
