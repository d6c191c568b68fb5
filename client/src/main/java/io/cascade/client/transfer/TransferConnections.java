package io.cascade.client.transfer;

import io.cascade.api.orchestrator.TransferAccount;
import io.cascade.client.transfer.content.Sha256;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a transfer, in the order in which they came, and which of them still run. Used
 * under the transfer's lock.
 */
final class TransferConnections {
  /**
   * Time for a receiver to hear why nothing more comes. A connection that is closed with receipts
   * unread is reset, and a reset overtakes what is under way.
   */
  static final Duration HEARING = Duration.ofSeconds(5);

  private final List<TransferConnection> all = new ArrayList<>();
  private final List<TransferConnection> running = new ArrayList<>();

  void add(TransferConnection connection) {
    all.add(connection);
    running.add(connection);
  }

  /** Nothing more goes over it. */
  void stopped(TransferConnection connection) {
    running.remove(connection);
  }

  boolean runs(TransferConnection connection) {
    return running.contains(connection);
  }

  boolean noneRuns() {
    return running.isEmpty();
  }

  boolean severalRun() {
    return running.size() > 1;
  }

  /** Whether no receiver that was told why nothing more comes may still have to hear it. */
  boolean haveHeard() {
    return all.stream().noneMatch(TransferConnection::awaitsHearing);
  }

  /** Whether a receiver has said anything. */
  boolean anyAnswered() {
    return all.stream().anyMatch(TransferConnection::isAnswered);
  }

  /** Those that run and those that have stopped. */
  List<TransferConnection> all() {
    return List.copyOf(all);
  }

  /** Bytes that arrived over each connection, and how quickly. */
  List<Carried> shares(long nowNanos) {
    return all.stream().map(connection -> Carried.by(connection, nowNanos)).toList();
  }

  /** Bytes that the connections of one way carried together; empty where there was none. */
  Optional<Carried> share(String way, long nowNanos) {
    return all.stream()
        .filter(connection -> connection.way().equals(way))
        .map(connection -> Carried.by(connection, nowNanos))
        .reduce(Carried::with);
  }

  /** Bytes that all connections carried, headers of blocks included. */
  private long wireBytes() {
    return all.stream().mapToLong(TransferConnection::wireBytes).sum();
  }

  /** What the transfer was, with the kernel's account where it had one connection. */
  Sent sent(long bytes, Sha256 digest, Duration elapsed, @Nullable Bottleneck slow) {
    TransferAccount account = all.size() == 1 ? all.getFirst().account() : null;
    return new Sent(bytes, wireBytes(), digest, elapsed, account, slow);
  }
}
