package io.cascade.client.ways;

import io.cascade.client.transfer.FileTransfer;
import io.cascade.client.transfer.connection.TransferFailed;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/**
 * Fails a transfer whose destination is not a receiver: connections to it are established and end
 * without a message, or a direct one stays silent. A way whose connections were never established
 * gives no evidence.
 */
final class Unanswered {
  /** Ended connections on each way after which no receiver is assumed to listen. */
  static final int MOST = 3;

  private final Recipient to;
  private final FileTransfer transfer;
  private final Map<Way, Integer> connections = new EnumMap<>(Way.class);
  private boolean proved;

  /** Ways to a destination. */
  enum Way {
    DIRECT,
    RELAYED
  }

  /**
   * @param ways that the transfer has; it continues as long as one of them may reach a receiver
   */
  Unanswered(Recipient to, FileTransfer transfer, Way... ways) {
    this.to = to;
    this.transfer = transfer;
    Arrays.stream(ways).forEach(way -> connections.put(way, 0));
  }

  /** The receiver has authenticated itself. */
  synchronized void proved() {
    proved |= !to.inClear();
  }

  /** A connection to the destination has ended. */
  synchronized void ended(Way way) {
    connections.computeIfPresent(way, (_, count) -> count + 1);
    conclude();
  }

  /** A way has failed and is not retried. */
  synchronized void without(Way way) {
    int counted = connections.getOrDefault(way, 0);
    if (counted < MOST) {
      connections.remove(way);
    }
    conclude();
  }

  /**
   * A direct connection was open for the time-out of a receiver's first message, and none arrived:
   * what listens there is not a receiver, whatever other ways lead there. Ignored for a transfer
   * whose user waits for a receiver.
   */
  synchronized void silent(Duration time) {
    if (!to.isMet() && !transfer.persists()) {
      fail(
          "the process that listens there did not answer as one within %d s"
              .formatted(time.toSeconds()));
    }
  }

  private void conclude() {
    if (!connections.isEmpty() && connections.values().stream().allMatch(count -> count >= MOST)) {
      fail("%d connections ended without an answer of one".formatted(total()));
    }
  }

  private void fail(String what) {
    if (!proved && !transfer.isAnswered()) {
      String other = to.inClear() && !to.isMet() ? ", or use --raw for another server" : "";
      transfer.failed(
          TransferFailed.unanswered(
              "no cascade receive answers at %s: %s; fix: start ./cascade receive there%s"
                  .formatted(to, what, other)));
    }
  }

  private int total() {
    return connections.values().stream().mapToInt(Integer::intValue).sum();
  }
}
