package io.cascade.relay.balancer;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Addresses of a connection's client.
 *
 * @param client its address
 * @param at the address that it connected to
 */
public record ClientAddress(InetSocketAddress client, InetSocketAddress at) {
  private static final AttributeKey<ClientAddress> TOLD = AttributeKey.valueOf("client address");

  /**
   * The client that a load balancer told of, or the connection's peer; null where the connection
   * was reset before anybody could look.
   */
  public static @Nullable ClientAddress of(Channel connection) {
    ClientAddress told = connection.attr(TOLD).get();
    if (told != null) {
      return told;
    }
    return connection.remoteAddress() instanceof InetSocketAddress client
            && connection.localAddress() instanceof InetSocketAddress at
        ? new ClientAddress(client, at)
        : null;
  }

  void tell(Channel connection) {
    connection.attr(TOLD).set(this);
  }
}
