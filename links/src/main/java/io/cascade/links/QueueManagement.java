package io.cascade.links;

import java.time.Duration;

/** Management of a link's queue before it is full. */
public sealed interface QueueManagement {
  /** No management: packets are dropped when the queue is full. */
  QueueManagement DROP_TAIL = new DropTail();

  /** Default target of PIE (RFC 8033, section 4.2). */
  Duration PIE_TARGET = Duration.ofMillis(15);

  /** Only the queue's length decides. */
  record DropTail() implements QueueManagement {}

  /**
   * PIE (RFC 8033): packets are dropped at random so that the others wait for about the target.
   *
   * @param target delay of the queue, 1 ms to 10 s
   * @param ecn whether packets of senders that support ECN are marked instead, while the drop
   *     probability is below a tenth
   */
  record Pie(Duration target, boolean ecn) implements QueueManagement {
    public Pie {
      if (target.compareTo(Duration.ofMillis(1)) < 0
          || target.compareTo(Duration.ofSeconds(10)) > 0) {
        throw new IllegalArgumentException(
            "pie: " + target.toNanos() / 1e6 + " ms (expected: a target of 1 ms to 10 s)");
      }
    }
  }
}
