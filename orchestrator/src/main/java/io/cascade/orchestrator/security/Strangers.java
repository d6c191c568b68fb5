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
 * one need. Where one signs in the connection is among its {@link CallerConnections}. A share of
 * the places is for addresses from which somebody has signed in lately, and those have it also
 * where many sources take all others. Thread-safe.
 *
 * <p>A source is an IPv4 network of 24 bits or an IPv6 network of 64 bits: whoever has an address
 * often has those beside it. An IPv4 address from which somebody has signed in is a source of its
 * own, or its neighbours could take its places.
 */
@Component
public final class Strangers {
  /** Connections of all that the server takes. */
  public static final int MOST_CONNECTIONS = 8_192;

  /** Connections of one caller with a key, where descriptors are not scarce. */
  public static final int MOST_OF_CALLER = MOST_CONNECTIONS / CallerConnections.SHARE_OF_CALLER;

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
  private final CallerConnections callers;

  /** When somebody last signed in from there; the longest ago comes first. */
  private final SequencedMap<String, Long> known = new LinkedHashMap<>();

  private record Stranger(String source, Channel connection) {}

  @Autowired
  Strangers(Timekeeper time) {
    this(Math.min(descriptors() / SHARE, MOST), Math.min(descriptors(), MOST_CONNECTIONS), time);
  }

  /**
   * @param most strangers
   * @param mostConnections of all, those of callers included
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
   * A caller has signed in on the connection from this address and port.
   *
   * @param owner the caller's; null where nobody in particular calls, who has no share
   * @return false where it is one too many of the caller's: it stays a stranger's
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
