package io.cascade.client.transfer.receiver;

import io.cascade.client.transfer.connection.ByteConnection;
import io.cascade.client.transfer.connection.StallGuard;
import io.cascade.client.transfer.connection.TransferFailed;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The open connections of an arriving file. Guarded by the lock of its {@link Arrival}. */
final class ArrivingConnections {
  /** More connections gain nothing, and each has a thread. */
  private static final int MOST = 16;

  private final Map<ByteConnection, StallGuard> guards = new HashMap<>();

  /**
   * Checks that another connection is allowed.
   *
   * @throws TransferFailed where there are too many
   */
  void checkRoom() throws TransferFailed {
    if (guards.size() == MOST) {
      throw new TransferFailed("more than " + MOST + " connections for one file");
    }
  }

  void add(ByteConnection connection, StallGuard guard) {
    guards.put(connection, guard);
  }

  void remove(ByteConnection connection) {
    guards.remove(connection);
  }

  int size() {
    return guards.size();
  }

  boolean isEmpty() {
    return guards.isEmpty();
  }

  /** The connection on which bytes were moved last; empty where there is none. */
  Optional<ByteConnection> liveliest() {
    return guards.entrySet().stream()
        .min(Comparator.comparing(entry -> entry.getValue().idle()))
        .map(Map.Entry::getKey);
  }

  /** Whether there are connections, and no byte has been moved on any of them for so long. */
  boolean areSilentFor(Duration idle) {
    return !guards.isEmpty()
        && guards.values().stream().allMatch(guard -> guard.idle().compareTo(idle) >= 0);
  }

  /** Closes and removes all of them. */
  void close() {
    for (ByteConnection connection : guards.keySet()) {
      try {
        connection.close();
      } catch (IOException e) {
        // It was to be closed anyway.
      }
    }
    guards.clear();
  }
}
