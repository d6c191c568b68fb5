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
final class Carriers {
  /**
   * Time for a receiver to hear why nothing more comes. A connection that is closed with receipts
   * unread is reset, and a reset overtakes what is under way.
   */
  static final Duration HEARING = Duration.ofSeconds(5);

  private final List<Carrier> all = new ArrayList<>();
  private final List<Carrier> running = new ArrayList<>();

  void add(Carrier carrier) {
    all.add(carrier);
    running.add(carrier);
  }

  /** Nothing more goes over it. */
  void stopped(Carrier carrier) {
    running.remove(carrier);
  }

  boolean runs(Carrier carrier) {
    return running.contains(carrier);
  }

  boolean noneRuns() {
    return running.isEmpty();
  }

  boolean severalRun() {
    return running.size() > 1;
  }

  /** Whether no receiver that was told why nothing more comes may still have to hear it. */
  boolean haveHeard() {
    return all.stream().noneMatch(Carrier::awaitsHearing);
  }

  /** Whether a receiver has said anything. */
  boolean anyAnswered() {
    return all.stream().anyMatch(Carrier::isAnswered);
  }

  /** Those that run and those that have stopped. */
  List<Carrier> all() {
    return List.copyOf(all);
  }

  /** Bytes that arrived over each connection, and how quickly. */
  List<Carried> shares(long nowNanos) {
    return all.stream().map(carrier -> Carried.by(carrier, nowNanos)).toList();
  }

  /** Bytes that the connections of one way carried together; empty where there was none. */
  Optional<Carried> share(String way, long nowNanos) {
    return all.stream()
        .filter(carrier -> carrier.way().equals(way))
        .map(carrier -> Carried.by(carrier, nowNanos))
        .reduce(Carried::with);
  }

  /** Bytes that all connections carried, headers of blocks included. */
  private long wireBytes() {
    return all.stream().mapToLong(Carrier::wireBytes).sum();
  }

  /** What the transfer was, with the kernel's account where it had one connection. */
  Sent sent(long bytes, Sha256 digest, Duration elapsed, @Nullable Bottleneck slow) {
    TransferAccount account = all.size() == 1 ? all.getFirst().account() : null;
    return new Sent(bytes, wireBytes(), digest, elapsed, account, slow);
  }
}
