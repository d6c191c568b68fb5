package io.cascade.client.ways;

import io.cascade.client.transfer.FileTransfer;
import io.cascade.client.transfer.connection.TransferFailed;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/**
 * Ends a transfer whose destination is no receiver: connections to it stand, and end without a word
 * of one. A way over which nobody was reached says nothing of the destination.
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

  private void conclude() {
    if (!proved
        && !transfer.isAnswered()
        && !connections.isEmpty()
        && connections.values().stream().allMatch(count -> count >= MOST)) {
      transfer.failed(
          TransferFailed.unanswered(
              "no cascade receive answers at %s: %d connections ended without a word of one; fix: start ./cascade receive there%s"
                  .formatted(to, total(), to.isMet() ? "" : ", or use --raw for another server")));
    }
  }

  private int total() {
    return connections.values().stream().mapToInt(Integer::intValue).sum();
  }
}
