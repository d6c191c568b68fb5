package io.cascade.orchestrator.security;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Connections on which no caller has signed in yet. All together, and those of each source (an IPv4
 * address or an IPv6 network of 64 bits), are bounded, so that whoever has no key cannot take the
 * connections and descriptors that callers with one need. Thread-safe.
 */
@Component
public final class Strangers {
  /** Connections of one source. */
  public static final int MOST_OF_SOURCE = 512;

  private static final int MOST = 4_096;

  /** Divisor of the process's descriptors. */
  private static final int SHARE = 4;

  private final int most;
  private final Map<String, Map<InetSocketAddress, SocketChannel>> bySource = new HashMap<>();
  private int all;

  Strangers() {
    this(
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
            ? Math.clamp(system.getMaxFileDescriptorCount() / SHARE, 1, MOST)
            : MOST);
  }

  Strangers(int most) {
    this.most = most;
  }

  /** Takes note of a connection that was accepted; false where it is one too many. */
  public boolean admit(SocketChannel connection) {
    InetSocketAddress from = remote(connection);
    if (from == null) {
      return false; // reset already
    }
    String source = SignIn.network(from.getAddress().getHostAddress());
    synchronized (this) {
      if (all >= most || of(source).size() >= MOST_OF_SOURCE) {
        dropClosed();
      }
      if (all >= most || of(source).size() >= MOST_OF_SOURCE) {
        return false;
      }
      if (bySource.computeIfAbsent(source, _ -> new HashMap<>()).put(from, connection) == null) {
        all++;
      }
      return true;
    }
  }

  /** A caller has signed in on the connection from this address and port. */
  synchronized void signedIn(String address, int port) {
    String source = SignIn.network(address);
    int before = of(source).size();
    bySource.computeIfPresent(
        source,
        (_, connections) -> {
          connections.keySet().removeIf(from -> from.getPort() == port && isAt(from, address));
          return connections.isEmpty() ? null : connections;
        });
    all -= before - of(source).size();
  }

  private static boolean isAt(InetSocketAddress from, String address) {
    return from.getAddress().getHostAddress().equals(address);
  }

  private Map<InetSocketAddress, SocketChannel> of(String source) {
    return bySource.getOrDefault(source, Map.of());
  }

  private void dropClosed() {
    bySource.values().forEach(each -> each.values().removeIf(connection -> !connection.isOpen()));
    bySource.values().removeIf(Map::isEmpty);
    all = bySource.values().stream().mapToInt(Map::size).sum();
  }

  private static @Nullable InetSocketAddress remote(SocketChannel connection) {
    try {
      return (InetSocketAddress) connection.getRemoteAddress();
    } catch (IOException e) {
      return null;
    }
  }
}
