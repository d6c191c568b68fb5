package io.cascade.gateway.tunnel;

import io.cascade.packets.forward.Forwarder;
import io.cascade.packets.forward.RouteTable;
import io.cascade.packets.header.IpAddress;
import io.cascade.packets.header.IpPrefix;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A link to another gateway.
 *
 * @param peer the other gateway's name
 * @param remote address at which it listens; null where it dials
 * @param keyFile with the key that both ends have; null where the orchestrator supplied it
 */
public record LinkSettings(
    String peer, @Nullable InetSocketAddress remote, @Nullable Path keyFile) {
  boolean dials() {
    return remote != null;
  }

  /** The other gateway's address, and a prefix behind a link that contains it. */
  record Loop(IpAddress address, IpPrefix prefix) {}

  /**
   * The routing loop by which datagrams to the other gateway would be sent into a tunnel for ever;
   * empty where there is none, or where the other gateway dials: then its address is checked on
   * arrival.
   */
  Optional<Loop> loop(RouteTable routes) {
    if (remote == null) {
      return Optional.empty();
    }
    IpAddress address = IpAddress.of(remote.getAddress().getAddress());
    return Optional.ofNullable(routes.entry(address))
        .filter(entry -> entry.port() != Forwarder.LOCAL)
        .map(entry -> new Loop(address, entry.prefix()));
  }

  /**
   * Returns the name that a dialling gateway sends; both ends must agree on all of its parts, since
   * it identifies the key.
   *
   * @param gateway its name
   */
  static byte[] helloName(String gateway, DeliveryMode deliveryMode, int mtu) {
    String name = "%s/%s/%d".formatted(gateway, deliveryMode.words(), mtu);
    return name.getBytes(StandardCharsets.US_ASCII);
  }
}
