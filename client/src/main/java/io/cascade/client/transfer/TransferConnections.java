package io.cascade.client.transfer;

import io.cascade.api.orchestrator.TransferAccount;
import io.cascade.client.transfer.content.Sha256;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a transfer in the order in which they were added, and which of them are open.
 * Guarded by the transfer's lock.
 */
final class TransferConnections {
  /**
   * Time for a receiver to read why nothing more will be sent. Closing a connection with unread
   * receipts resets it, and the reset discards data in flight.
   */
  static final Duration HEARING = Duration.ofSeconds(5);

  private final List<TransferConnection> all = new ArrayList<>();
  private final List<TransferConnection> running = new ArrayList<>();

  void add(TransferConnection connection) {
    all.add(connection);
    running.add(connection);
  }

  /** The connection is no longer used. */
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

  /** Whether every receiver that was told why nothing more will be sent has read it. */
  boolean haveHeard() {
    return all.stream().noneMatch(TransferConnection::awaitsHearing);
  }

  /** Whether a receiver has sent any message. */
  boolean anyAnswered() {
    return all.stream().anyMatch(TransferConnection::isAnswered);
  }

  /** Open and stopped connections. */
  List<TransferConnection> all() {
    return List.copyOf(all);
  }

  /** What each connection carried. */
  List<Carried> shares(long nowNanos) {
    return all.stream().map(connection -> Carried.by(connection, nowNanos)).toList();
  }

  /** What the connections of one way carried together; empty where there was none. */
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

  /** Summary of the transfer, with the kernel's account if it had a single connection. */
  Sent sent(long bytes, Sha256 digest, Duration elapsed, @Nullable Bottleneck slow) {
    TransferAccount account = all.size() == 1 ? all.getFirst().account() : null;
    return new Sent(bytes, wireBytes(), digest, elapsed, account, slow);
  }
}
