package io.cascade.client.ways;

import io.cascade.client.transfer.FileTransfer;
import io.cascade.client.transfer.connection.TransferFailed;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/**
 * Ends a transfer whose destination is no receiver: connections to it stand, and end without a word
 * of one, or a direct one stays silent. A way over which nobody was reached says nothing of the
 * destination.
 */
final class Unanswered {
  /** Connections after which nobody is taken to be there. */
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
   * @param ways that the transfer has; it goes on as long as one of them may reach a receiver
   */
  Unanswered(Recipient to, FileTransfer transfer, Way... ways) {
    this.to = to;
    this.transfer = transfer;
    Arrays.stream(ways).forEach(way -> connections.put(way, 0));
  }

  /** The receiver has proved itself. */
  synchronized void proved() {
    proved |= !to.inClear();
  }

  /** A connection to the destination has ended. */
  synchronized void ended(Way way) {
    connections.computeIfPresent(way, (_, count) -> count + 1);
    conclude();
  }

  /** A way reaches nobody, and is not tried again. */
  synchronized void without(Way way) {
    int counted = connections.getOrDefault(way, 0);
    if (counted < MOST) {
      connections.remove(way);
    }
    conclude();
  }

  /**
   * A direct connection stood for as long as a receiver may take for its first word, and nobody
   * spoke: what listens there is none, whatever other ways lead there. With a transfer whose user
   * waits for a receiver it counts for nothing.
   */
  synchronized void silent(Duration time) {
    if (!to.isMet() && !transfer.persists()) {
      fail("what listens there said nothing of one in %d s".formatted(time.toSeconds()));
    }
  }

  private void conclude() {
    if (!connections.isEmpty() && connections.values().stream().allMatch(count -> count >= MOST)) {
      fail("%d connections ended without a word of one".formatted(total()));
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
