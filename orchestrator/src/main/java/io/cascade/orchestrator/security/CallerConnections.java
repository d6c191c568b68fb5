package io.cascade.orchestrator.security;

import java.net.InetSocketAddress;
import java.nio.channels.Channel;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Connections on which callers with their own keys are authenticated. Each caller may have a share
 * of the server's connections, so that one key cannot lock out all others. Not thread-safe.
 */
final class CallerConnections {
  /** Divisor of the server's connections that gives one caller's share. */
  static final int SHARE_OF_CALLER = 4;

  private final int most;
  private final int mostOfCaller;
  private final Map<InetSocketAddress, Held> all = new HashMap<>();
  private final Map<String, Set<InetSocketAddress>> ofCaller = new HashMap<>();

  private record Held(String caller, Channel connection) {}

  /**
   * @param most number of connections that the server accepts
   */
  CallerConnections(int most) {
    this.most = most;
    this.mostOfCaller = Math.max(1, most / SHARE_OF_CALLER);
  }

  /**
   * Records a request of a caller.
   *
   * @param connection a new connection; null if a caller was authenticated on it before
   * @return false if it exceeds the caller's share; it is then not recorded
   */
  boolean take(String caller, InetSocketAddress from, @Nullable Channel connection) {
    Held before = all.get(from);
    Channel open = connection == null && before != null ? before.connection() : connection;
    boolean isKnown = connection == null && before != null && before.caller().equals(caller);
    if (open == null || isKnown) {
      return true; // null: the caller first authenticated on it has no share
    }
    if (count(caller) >= mostOfCaller) {
      dropClosed(List.copyOf(ofCaller.getOrDefault(caller, Set.of())));
    }
    if (count(caller) >= mostOfCaller) {
      return false;
    }
    forget(from);
    if (all.size() >= 2 * most) { // at least half of them are closed
      dropClosed(List.copyOf(all.keySet()));
    }
    all.put(from, new Held(caller, open));
    ofCaller.computeIfAbsent(caller, _ -> new HashSet<>()).add(from);
    return true;
  }

  /** Discards the connection from an address that has ended. */
  void forget(InetSocketAddress from) {
    Held gone = all.remove(from);
    if (gone != null) {
      ofCaller.computeIfPresent(
          gone.caller(), (_, those) -> those.remove(from) && those.isEmpty() ? null : those);
    }
  }

  private int count(String caller) {
    return ofCaller.getOrDefault(caller, Set.of()).size();
  }

  private void dropClosed(List<InetSocketAddress> among) {
    for (InetSocketAddress from : among) {
      Held held = all.get(from);
      if (held != null && !held.connection().isOpen()) {
        forget(from);
      }
    }
  }
}
