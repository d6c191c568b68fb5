package io.cascade.links;

import java.time.Duration;

/** Management of a link's queue before it is full. */
public sealed interface QueueManagement {
  /** No management: packets are dropped where the queue is full. */
  QueueManagement DROP_TAIL = new DropTail();

  /** Target of PIE unless another is given (RFC 8033, section 4.2). */
  Duration PIE_TARGET = Duration.ofMillis(15);

  /** The queue's length alone decides. */
  record DropTail() implements QueueManagement {}

  /**
   * PIE (RFC 8033): packets are dropped at random so that those that pass wait about as long as the
   * target.
   *
   * @param target delay of the queue, 1 ms to 10 s
   * @param ecn whether packets of senders that understand it are marked instead, while fewer than a
   *     tenth are to be dropped
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
