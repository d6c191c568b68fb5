package io.cascade.orchestrator.security;

import com.sun.management.UnixOperatingSystemMXBean;
import io.cascade.orchestrator.time.Timekeeper;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.Channel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Connections on which no caller has signed in yet. All together, and those of each source, are
 * bounded, so that whoever has no key cannot take the connections and descriptors that callers with
 * one need. A share of the places is for addresses from which somebody has signed in lately, and
 * those have it also where many sources take all others. Thread-safe.
 *
 * <p>A source is an IPv4 network of 24 bits or an IPv6 network of 64 bits: whoever has an address
 * often has those beside it. An IPv4 address from which somebody has signed in is a source of its
 * own, or its neighbours could take its places.
 */
@Component
public final class Strangers {
  private static final int MOST = 4_096;

  /** Divisor of the process's descriptors. */
  private static final int SHARE = 4;

  /** Divisor of the places: those that one source may have. */
  private static final int SHARE_OF_SOURCE = 8;

  /** Divisor of the places: those that are kept for known addresses. */
  private static final int SHARE_OF_KNOWN = 4;

  /** Connections of one source, where descriptors are not scarce. */
  public static final int MOST_OF_SOURCE = MOST / SHARE_OF_SOURCE;

  /** Addresses that are remembered. */
  static final int MOST_KNOWN = 4_096;

  /** Relays sign in with every heartbeat; a person who works with verbs does so now and then. */
  static final Duration KNOWN_FOR = Duration.ofMinutes(30);

  private final Timekeeper time;
  private final int most;
  private final int mostOfSource;
  private final Map<InetSocketAddress, Stranger> all = new HashMap<>();
  private final Map<String, Integer> ofSource = new HashMap<>();

  /** When somebody last signed in from there; the longest ago comes first. */
  private final SequencedMap<String, Long> known = new LinkedHashMap<>();

  private record Stranger(String source, Channel connection) {}

  @Autowired
  Strangers(Timekeeper time) {
    this(
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
            ? Math.clamp(system.getMaxFileDescriptorCount() / SHARE, 1, MOST)
            : MOST,
        time);
  }

  Strangers(int most, Timekeeper time) {
    this.time = time;
    this.most = most;
    this.mostOfSource = Math.max(1, most / SHARE_OF_SOURCE);
  }

  /** Takes note of a connection that was accepted; false where it is one too many. */
  public boolean admit(SocketChannel connection) {
    InetSocketAddress from = remote(connection);
    return from != null && admit(from, connection); // null where it was reset already
  }

  /**
   * Takes note of a connection that was accepted.
   *
   * @param connection leaves its place when it is closed
   * @return false where it is one too many
   */
  synchronized boolean admit(InetSocketAddress from, Channel connection) {
    forget(from); // an earlier one from the same port, which has ended
    String network = SignIn.network(from.getAddress().getHostAddress());
    boolean isKnown = isKnown(network);
    String source = isKnown ? network : neighbours(from.getAddress(), network);
    int places = isKnown ? most : most - most / SHARE_OF_KNOWN;
    if (!hasPlace(source, places)) {
      dropClosed();
    }
    if (!hasPlace(source, places)) {
      return false;
    }
    all.put(from, new Stranger(source, connection));
    ofSource.merge(source, 1, Integer::sum);
    return true;
  }

  /** A caller has signed in on the connection from this address and port. */
  synchronized void signedIn(String address, int port) {
    forget(new InetSocketAddress(SignIn.literal(address), port));
    known.putLast(SignIn.network(address), time.mark());
    if (known.size() > MOST_KNOWN) {
      known.pollFirstEntry();
    }
  }

  private boolean hasPlace(String source, int places) {
    return all.size() < places && ofSource.getOrDefault(source, 0) < mostOfSource;
  }

  private boolean isKnown(String network) {
    Long mark = known.get(network);
    return mark != null && !time.passed(mark, KNOWN_FOR);
  }

  private static String neighbours(InetAddress address, String network) {
    byte[] bytes = address.getAddress();
    return bytes.length == 4 ? HexFormat.of().formatHex(bytes, 0, 3) : network;
  }

  private void forget(InetSocketAddress from) {
    Stranger gone = all.remove(from);
    if (gone != null) {
      ofSource.computeIfPresent(gone.source(), (_, count) -> count == 1 ? null : count - 1);
    }
  }

  private void dropClosed() {
    List<InetSocketAddress> closed =
        all.entrySet().stream()
            .filter(one -> !one.getValue().connection().isOpen())
            .map(Map.Entry::getKey)
            .toList();
    closed.forEach(this::forget);
  }

  private static @Nullable InetSocketAddress remote(SocketChannel connection) {
    try {
      return (InetSocketAddress) connection.getRemoteAddress();
    } catch (IOException e) {
      return null;
    }
  }
}
