package io.cascade.relay.proxy;

import io.cascade.api.AddressBlock;
import io.cascade.relay.destination.DestinationRules;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the ports where applications name their destination. Closed by default: without
 * sources or credentials only this machine may connect, and without a rule no destination is
 * allowed.
 *
 * @param socks address of the SOCKS5 port; null for none
 * @param connect address of the HTTP CONNECT port; null for none
 * @param sources addresses of allowed clients; empty for this machine, or, with credentials, for
 *     all
 * @param destinations rules of {@code --allow-destination}
 * @param credentials file of users and password hashes; null if none are required
 */
public record ProxySettings(
    @Nullable InetSocketAddress socks,
    @Nullable InetSocketAddress connect,
    List<String> sources,
    List<String> destinations,
    @Nullable Path credentials) {

  /** No proxy. */
  public static final ProxySettings NONE =
      new ProxySettings(null, null, List.of(), List.of(), null);

  public ProxySettings {
    sources = List.copyOf(sources);
    destinations = List.copyOf(destinations);
    for (String source : sources) {
      AddressBlock ignored = checked("allow source", source, AddressBlock::parse);
    }
    DestinationRules rules = checked("allow destination", destinations, DestinationRules::parse);
    boolean any = socks != null || connect != null;
    if (any && rules.isEmpty()) {
      throw new IllegalArgumentException(
          "allow destination: none, so a proxy could connect nowhere (expected:"
              + " --allow-destination, such as '*' or '*.example.org:443')");
    }
    if (!any && (!sources.isEmpty() || credentials != null)) {
      throw new IllegalArgumentException(
          "allow source, credentials: given without a proxy (expected: --socks or --http-connect)");
    }
    boolean everybody = sources.isEmpty() && credentials == null;
    if (everybody) {
      expectLoopback("socks", socks);
      expectLoopback("http connect", connect);
    }
  }

  /** Whether there is a proxy. */
  public boolean any() {
    return socks != null || connect != null;
  }

  /**
   * Checks what is outside the settings themselves.
   *
   * @throws IllegalArgumentException if the credentials cannot be read
   */
  public void check() {
    Path file = credentials;
    if (file != null) {
      Credentials ignored = Credentials.read(file);
    }
  }

  /** Rules of {@code --allow-destination}; they apply to chains and probes, too. */
  public DestinationRules rules() {
    return DestinationRules.parse(destinations);
  }

  List<AddressBlock> blocks() {
    return sources.stream().map(AddressBlock::parse).toList();
  }

  private static void expectLoopback(String what, @Nullable InetSocketAddress at) {
    InetAddress address = at == null ? null : at.getAddress();
    if (at != null && (address == null || !address.isLoopbackAddress())) {
      throw new IllegalArgumentException(
          what
              + ": "
              + at.getHostString()
              + " would accept connections from every host (expected: --allow-source,"
              + " --credentials,"
              + " or 127.0.0.1)");
    }
  }

  private static <A, T> T checked(String what, A given, Function<A, T> parsing) {
    try {
      return parsing.apply(given);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(what + ": " + e.getMessage(), e);
    }
  }
}
