package io.cascade.relay.proxy;

import io.cascade.api.AddressBlock;
import io.cascade.api.HostPort;
import org.jspecify.annotations.Nullable;

/** Reads the destination that a client names. */
final class DestinationParser {
  private static final int MOST_HOST_CHARACTERS = 253;

  private DestinationParser() {}

  /** Makes a destination of a host and a port; null if they are invalid. */
  static @Nullable HostPort of(@Nullable String host, int port) {
    if (host == null || host.isEmpty() || host.length() > MOST_HOST_CHARACTERS || port < 1) {
      return null;
    }
    boolean plain = host.chars().allMatch(c -> c > ' ' && c <= '~' && "/[]%@\\".indexOf(c) < 0);
    boolean nameOrAddress = host.indexOf(':') < 0 || AddressBlock.literal(host) != null;
    return plain && nameOrAddress ? new HostPort(host, port) : null;
  }

  /** Parses the target of a CONNECT request (RFC 9112 section 3.2.3); null if it is invalid. */
  static @Nullable HostPort parse(String authority) {
    try {
      HostPort read = HostPort.parse(authority);
      return of(read.host(), read.port());
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
