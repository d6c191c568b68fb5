package io.cascade.client.ways;

import io.cascade.client.transfer.FileSender;
import io.cascade.client.transfer.FileTransfer;
import io.cascade.client.transfer.connection.TransferFailed;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * Ends a transfer whose destination is no receiver: connections to it stand, and end without a word
 * of one, or stay silent. A way over which nobody was reached says nothing of the destination.
 */
final class Unanswered {
  /** Connections after which nobody is taken to be there. */
  static final int MOST = 3;

  private final Recipient to;
  private final FileTransfer transfer;
  private final Duration silence;
  private final Set<Way> connected = EnumSet.noneOf(Way.class);
  private final Set<Way> silent = EnumSet.noneOf(Way.class);
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
    this(to, transfer, FileSender.SILENCE, ways);
  }

  Unanswered(Recipient to, FileTransfer transfer, Duration silence, Way... ways) {
    this.to = to;
    this.transfer = transfer;
    this.silence = silence;
    Arrays.stream(ways).forEach(way -> connections.put(way, 0));
  }

  /** The receiver has proved itself. */
  synchronized void proved() {
    proved |= !to.inClear();
  }

  /**
   * A connection stands. From a way's first one on a receiver has its time to say something, unless
   * the transfer's user waits for one that may come later.
   */
  synchronized void connected(Way way) {
    if (!to.isMet() && connections.containsKey(way) && connected.add(way)) {
      Thread.ofVirtual().name("silence").start(() -> awaitWord(way));
    }
  }

  private void awaitWord(Way way) {
    try {
      transfer.pause(silence);
      synchronized (this) {
        if (!transfer.persists()) {
          silent.add(way);
          conclude();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
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
        && connections.keySet().stream().allMatch(this::reachesNobody)) {
      String what =
          silent.isEmpty()
              ? "%d connections ended without a word of one".formatted(total())
              : "what listens there said nothing of one in %d s".formatted(silence.toSeconds());
      transfer.failed(
          TransferFailed.unanswered(
              "no cascade receive answers at %s: %s; fix: start ./cascade receive there%s"
                  .formatted(to, what, to.isMet() ? "" : ", or use --raw for another server")));
    }
  }

  private boolean reachesNobody(Way way) {
    return silent.contains(way) || connections.getOrDefault(way, 0) >= MOST;
  }

  private int total() {
    return connections.values().stream().mapToInt(Integer::intValue).sum();
  }
}
