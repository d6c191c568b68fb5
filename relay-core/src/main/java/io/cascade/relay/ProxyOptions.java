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
        "Speak SOCKS5 here; names are resolved at the end of the way. Port 0 takes a free one."
            + " Default: none."
      })
  @Nullable String socks;

  @Option(
      names = "--http-connect",
      paramLabel = "HOST:PORT",
      description = "Speak HTTP CONNECT here. Default: none.")
  @Nullable String httpConnect;

  @Option(
      names = "--allow-destination",
      paramLabel = "RULE",
      split = ",",
      description = {
        "Where clients of --socks and --http-connect may go, and where chains may end beyond public"
            + " addresses: *, HOST, *.DOMAIN or addresses such as 10.0.0.0/8, each with :PORT where"
            + " not all are meant. A chain to a private network needs a rule of its addresses or"
            + " of the host's name; loopback, link-local and metadata addresses need a rule of"
            + " their addresses, such as 127.0.0.0/8. Default: proxies go nowhere; chains end at"
            + " public addresses, and at loopback where --listen is loopback."
      })
  List<String> allowDestination = new ArrayList<>();

  @Option(
      names = "--allow-source",
      paramLabel = "CIDR",
      split = ",",
      description = {
        "Whose connections --socks and --http-connect take, such as 10.0.0.0/8. Default: anybody"
            + " with --credentials; otherwise they open on loopback only."
      })
  List<String> allowSource = new ArrayList<>();

  @Option(
      names = "--credentials",
      paramLabel = "FILE",
      description = {
        "Ask clients of --socks and --http-connect for user and password: lines USER:HASH, with a"
            + " HASH by openssl passwd -6. Default: nobody is asked."
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
