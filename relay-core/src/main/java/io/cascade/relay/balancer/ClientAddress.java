package io.cascade.relay.balancer;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Addresses of a client's connection.
 *
 * @param client the client's address
 * @param at the address that the client connected to
 */
public record ClientAddress(InetSocketAddress client, InetSocketAddress at) {
  private static final AttributeKey<ClientAddress> TOLD = AttributeKey.valueOf("client address");

  /**
   * Returns the addresses that a load balancer sent, or else those of the connection itself; null
   * where the connection was reset before its addresses were read.
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
