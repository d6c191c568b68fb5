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
        "Local address to listen on, 0.0.0.0 for all. Default: ${DEFAULT-VALUE}."
            + " Anything but loopback needs --token or --join."
      })
  String listen = "127.0.0.1";

  @Option(
      names = "--advertise",
      paramLabel = "HOST",
      description = {
        "Host by which others reach this relay. Default: the listen address, or where that is"
            + " 0.0.0.0 the local address that routes to the orchestrator."
      })
  @Nullable String advertise;

  @Option(
      names = "--hop-port",
      paramLabel = "PORT",
      defaultValue = "" + RelaySettings.DEFAULT_HOP_PORT,
      description = {
        "Port for other relays: TCP for streams, UDP for link probes; 0 takes a free one."
            + " Default: ${DEFAULT-VALUE}."
      })
  int hopPort = RelaySettings.DEFAULT_HOP_PORT;

  @Option(
      names = "--control-port",
      paramLabel = "PORT",
      defaultValue = "" + RelaySettings.DEFAULT_CONTROL_PORT,
      description = {
        "Port for tools on this host and for /control/v1/metrics; 0 takes a free one."
            + " Default: ${DEFAULT-VALUE}."
      })
  int controlPort = RelaySettings.DEFAULT_CONTROL_PORT;

  @Option(
      names = "--control-listen",
      paramLabel = "HOST",
      defaultValue = "127.0.0.1",
      description = {
        "Local address of the control port, where a Prometheus on another host reads it."
            + " The orchestrator does not need it: it calls over a connection that the relay opens."
            + " Default: ${DEFAULT-VALUE}. Anything but loopback needs --token."
      })
  String controlListen = "127.0.0.1";

  @Option(
      names = "--ingress-ports",
      paramLabel = "FIRST-LAST",
      converter = OptionConverters.PortRangeConverter.class,
      description =
          "Ports that chains may open here, such as 20000-20999, and no others. Default: any.")
  @Nullable PortRange ingressPorts;

  @Option(
      names = "--accept-proxy-protocol",
      paramLabel = "CIDR",
      split = ",",
      description = {
        "Load balancers, such as 10.0.0.0/28, that begin their connections to ingress ports, --socks"
            + " and --http-connect with a header of the PROXY protocol (version 1 or 2), which says"
            + " who the client is. They have to; from all others it is not read. Default: none."
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
