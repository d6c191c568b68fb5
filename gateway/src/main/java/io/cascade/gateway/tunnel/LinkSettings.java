package io.cascade.gateway.tunnel;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A link to another gateway.
 *
 * @param peer the other gateway's name
 * @param remote where it listens; null where it dials
 * @param keyFile with the key that both ends have; null where the orchestrator gave it
 */
public record LinkSettings(
    String peer, @Nullable InetSocketAddress remote, @Nullable Path keyFile) {
  boolean dials() {
    return remote != null;
  }

  /**
   * Returns what a dialling gateway calls itself; both ends must agree on all of it, since it names
   * the key.
   *
   * @param gateway its name
   */
  static byte[] helloName(String gateway, DeliveryMode deliveryMode, int mtu) {
    String name = "%s/%s/%d".formatted(gateway, deliveryMode.words(), mtu);
    return name.getBytes(StandardCharsets.US_ASCII);
  }
}
