package io.cascade.relay;

import io.cascade.command.OptionSection;
import io.cascade.relay.proxy.ProxySettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the SOCKS5 and CONNECT ports, and for allowed destinations. */
@OptionSection("Proxies and destinations")
final class ProxyOptions {
  @Option(
      names = "--socks",
      paramLabel = "HOST:PORT",
      description = {
        "Serve SOCKS5 on this address; names are resolved at the relay that connects to the"
            + " destination. Port 0 picks a free port (default: none)."
      })
  @Nullable String socks;

  @Option(
      names = "--http-connect",
      paramLabel = "HOST:PORT",
      description = "Serve HTTP CONNECT on this address (default: none).")
  @Nullable String httpConnect;

  @Option(
      names = "--allow-destination",
      paramLabel = "RULE",
      split = ",",
      description = {
        "Allow these destinations to clients of --socks and --http-connect, and to chains beyond"
            + " public addresses: *, HOST, *.DOMAIN or addresses such as 10.0.0.0/8, each with"
            + " :PORT to limit it to a port. A chain to a private network needs a rule for its"
            + " addresses or for the host's name; loopback, link-local and metadata addresses need"
            + " a rule for their addresses, such as 127.0.0.0/8 (default: no destination for"
            + " proxies; public addresses for chains, and loopback if --listen is loopback)."
      })
  List<String> allowDestination = new ArrayList<>();

  @Option(
      names = "--allow-source",
      paramLabel = "CIDR",
      split = ",",
      description = {
        "Accept connections to --socks and --http-connect only from these addresses, such as"
            + " 10.0.0.0/8 (default: from all with --credentials; otherwise both may listen on"
            + " loopback only)."
      })
  List<String> allowSource = new ArrayList<>();

  @Option(
      names = "--credentials",
      paramLabel = "FILE",
      description = {
        "Require a user and password of clients of --socks and --http-connect, by lines USER:HASH"
            + " of this file, with HASH from openssl passwd -6 (default: none required)."
      })
  @Nullable Path credentials;

  /** Returns the settings after checking them. */
  ProxySettings settings() {
    return new ProxySettings(
        socks == null ? null : address("socks", socks),
        httpConnect == null ? null : address("http connect", httpConnect),
        allowSource,
        allowDestination,
        credentials);
  }

  private static InetSocketAddress address(String option, String text) {
    int colon = text.lastIndexOf(':');
    try {
      int port = colon < 1 ? -1 : Integer.parseInt(text.substring(colon + 1));
      String host = text.substring(0, Math.max(colon, 0)).replace("[", "").replace("]", "");
      if (port >= 0 && port <= 65_535 && !host.isBlank()) {
        return new InetSocketAddress(InetAddress.getByName(host), port);
      }
    } catch (NumberFormatException | UnknownHostException e) {
      // reported below
    }
    throw new IllegalArgumentException(
        option + ": '" + text + "' (expected: HOST:PORT, such as 127.0.0.1:1080)");
  }
}
