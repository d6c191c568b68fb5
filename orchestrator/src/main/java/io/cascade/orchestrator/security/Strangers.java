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
 * Connections on which no caller is authenticated yet. Their number is limited, in total and for
 * each source, so that unauthenticated senders cannot exhaust the connections and descriptors that
 * callers need. Once a caller is authenticated, the connection counts among its {@link
 * CallerConnections}. A share of the places is reserved for addresses from which a caller was
 * authenticated lately, even while many sources occupy all others. Thread-safe.
 *
 * <p>A source is an IPv4 /24 network or an IPv6 /64 network, since the holder of an address often
 * has the adjacent ones. An IPv4 address from which a caller was authenticated is a source of its
 * own, so that its neighbours cannot occupy its places.
 */
@Component
public final class Strangers {
  /** Most connections that the server accepts. */
  public static final int MOST_CONNECTIONS = 8_192;

  /** Most connections of one caller with a key, if the process has enough descriptors. */
  public static final int MOST_OF_CALLER = MOST_CONNECTIONS / CallerConnections.SHARE_OF_CALLER;

  private static final int MOST = 4_096;

  /** Divisor of the process's descriptors that gives the number of places. */
  private static final int SHARE = 4;

  /** Divisor of the places that gives the share of one source. */
  private static final int SHARE_OF_SOURCE = 8;

  /** Divisor of the places that gives the share reserved for known addresses. */
  private static final int SHARE_OF_KNOWN = 4;

  /** Most connections of one source, if the process has enough descriptors. */
  public static final int MOST_OF_SOURCE = MOST / SHARE_OF_SOURCE;

  /** Most addresses that are remembered. */
  static final int MOST_KNOWN = 4_096;

  /**
   * Time for which an address is known. Relays authenticate with every heartbeat; a person who
   * works with verbs does so from time to time.
   */
  static final Duration KNOWN_FOR = Duration.ofMinutes(30);

  private final Timekeeper time;
  private final int most;
  private final int mostOfSource;
  private final Map<InetSocketAddress, Stranger> all = new HashMap<>();
  private final Map<String, Integer> ofSource = new HashMap<>();
  private final CallerConnections callers;

  /** Times at which callers were last authenticated, by network; the oldest is first. */
  private final SequencedMap<String, Long> known = new LinkedHashMap<>();

  private record Stranger(String source, Channel connection) {}

  @Autowired
  Strangers(Timekeeper time) {
    this(Math.min(descriptors() / SHARE, MOST), Math.min(descriptors(), MOST_CONNECTIONS), time);
  }

  /**
   * @param most number of unauthenticated connections
   * @param mostConnections number of all connections, including those of callers
   */
  Strangers(int most, int mostConnections, Timekeeper time) {
    this.time = time;
    this.most = Math.max(1, most);
    this.mostOfSource = Math.max(1, most / SHARE_OF_SOURCE);
    this.callers = new CallerConnections(mostConnections);
  }

  private static int descriptors() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
        ? Math.clamp(system.getMaxFileDescriptorCount(), SHARE, Integer.MAX_VALUE)
        : Integer.MAX_VALUE;
  }

  /** Records an accepted connection; returns false if it is one too many. */
  public boolean admit(SocketChannel connection) {
    InetSocketAddress from = remote(connection);
    return from != null && admit(from, connection); // null if it was reset already
  }

  /**
   * Records an accepted connection.
   *
   * @param connection occupies a place until it is closed
   * @return false if it is one too many
   */
  synchronized boolean admit(InetSocketAddress from, Channel connection) {
    forget(from); // an earlier connection from the same port, which has ended
    callers.forget(from);
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

  /**
   * Records that a caller was authenticated on the connection from this address and port.
   *
   * @param owner owner of the caller; null if its credential is shared, in which case it has no
   *     share
   * @return false if the caller has too many connections; this one then still counts as
   *     unauthenticated
   */
  synchronized boolean signedIn(@Nullable String owner, String address, int port) {
    InetSocketAddress from = new InetSocketAddress(SignIn.literal(address), port);
    Stranger stranger = all.get(from);
    known.putLast(SignIn.network(address), time.mark());
    if (known.size() > MOST_KNOWN) {
      known.pollFirstEntry();
    }
    if (owner != null
        && !callers.take(owner, from, stranger == null ? null : stranger.connection())) {
      return false;
    }
    forget(from);
    return true;
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
