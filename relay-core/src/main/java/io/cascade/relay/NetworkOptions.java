package io.cascade.relay;

import io.cascade.command.OptionSection;
import io.cascade.relay.chain.PortRange;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the addresses and ports of a relay. */
@OptionSection("Addresses and ports")
final class NetworkOptions {
  @Option(
      names = "--listen",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description = {
        "Listen on this local address (default: ${DEFAULT-VALUE}), 0.0.0.0 for all; anything but"
            + " loopback needs --token or --join."
      })
  String listen = "127.0.0.1";

  @Option(
      names = "--advertise",
      paramLabel = "HOST",
      description = {
        "Advertise this host to others (default: the listen address, or if that is 0.0.0.0 the"
            + " local address that routes to the orchestrator)."
      })
  @Nullable String advertise;

  @Option(
      names = "--hop-port",
      paramLabel = "PORT",
      defaultValue = "" + RelaySettings.DEFAULT_HOP_PORT,
      description = {
        "Serve other relays on this port (default: ${DEFAULT-VALUE}), TCP for streams and UDP for"
            + " link probes; 0 picks a free port."
      })
  int hopPort = RelaySettings.DEFAULT_HOP_PORT;

  @Option(
      names = "--control-port",
      paramLabel = "PORT",
      defaultValue = "" + RelaySettings.DEFAULT_CONTROL_PORT,
      description = {
        "Serve tools on this host and /control/v1/metrics on this port (default: ${DEFAULT-VALUE});"
            + " 0 picks a free port."
      })
  int controlPort = RelaySettings.DEFAULT_CONTROL_PORT;

  @Option(
      names = "--control-listen",
      paramLabel = "HOST",
      defaultValue = "127.0.0.1",
      description = {
        "Bind the control port to this local address (default: ${DEFAULT-VALUE}), such as for a"
            + " Prometheus on another host; anything but loopback needs --token. The orchestrator"
            + " does not need it: it calls over a connection that the relay opens."
      })
  String controlListen = "127.0.0.1";

  @Option(
      names = "--ingress-ports",
      paramLabel = "FIRST-LAST",
      converter = OptionConverters.PortRangeConverter.class,
      description = "Let chains open only these ports here, such as 20000-20999 (default: any).")
  @Nullable PortRange ingressPorts;

  @Option(
      names = "--accept-proxy-protocol",
      paramLabel = "CIDR",
      split = ",",
      description = {
        "Require a PROXY protocol header (version 1 or 2), which names the client, on connections"
            + " from these load balancers, such as 10.0.0.0/28, to ingress ports, --socks and"
            + " --http-connect; from other hosts it is not read (default: none)."
      })
  List<String> balancers = new ArrayList<>();

  /**
   * Resolves the address to listen on.
   *
   * @throws IllegalArgumentException if it has none
   */
  InetAddress address() {
    return address("listen", listen);
  }

  /**
   * Resolves a local address.
   *
   * @throws IllegalArgumentException if it has none
   */
  static InetAddress address(String option, String host) {
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(
          option + ": " + host + " has no address (expected: a local address, or 0.0.0.0)", e);
    }
  }

  /**
   * Returns the host by which peers reach this relay.
   *
   * @param address that it listens on
   * @param orchestrators the route to the first one determines the host; empty if there is none
   * @throws IllegalArgumentException if no route determines it
   */
  String advertised(InetAddress address, List<URI> orchestrators) {
    return advertise == null
        ? routed(address, orchestrators.isEmpty() ? null : orchestrators.getFirst())
        : advertise;
  }

  private static String routed(InetAddress listen, @Nullable URI orchestrator) {
    if (!listen.isAnyLocalAddress()) {
      return listen.getHostAddress();
    }
    if (orchestrator == null || orchestrator.getHost() == null) {
      return HostName.address();
    }
    // Connecting a UDP socket sends nothing; the kernel only looks up the route.
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(new InetSocketAddress(InetAddress.getByName(bare(orchestrator)), 9));
      return socket.getLocalAddress().getHostAddress();
    } catch (UnknownHostException | SocketException | UncheckedIOException e) {
      throw new IllegalArgumentException(
          "advertise: no route to "
              + orchestrator.getHost()
              + " tells this relay's address (expected: --advertise HOST)",
          e);
    }
  }

  private static String bare(URI uri) {
    return uri.getHost().replace("[", "").replace("]", "");
  }
}
