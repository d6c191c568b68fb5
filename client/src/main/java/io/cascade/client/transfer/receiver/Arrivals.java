package io.cascade.client.transfer.receiver;

import io.cascade.client.transfer.TransferListener;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.content.DigestLane;
import io.cascade.client.transfer.wire.TransferHeader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The arriving transfers, and the latest that have ended: a connection of one may be late. */
final class Arrivals {
  private static final int MOST_OVER = 256;

  /** Most transfers that wait for a place. */
  static final int MOST_WAITING = 64;

  /** Interval of messages to a waiting sender about its place. */
  private static final long SIGN_OF_LIFE_MILLIS = 5_000;

  /**
   * Bound of memory, 4 MiB each and 1 MiB for each connection ({@link DigestLane}), and of open
   * files.
   */
  static final int MOST_ARRIVING = 16;

  private final Map<UUID, Arrival> byTransfer = new LinkedHashMap<>();

  /** Transfers that wait for a place, in order of arrival. */
  private final SequencedMap<UUID, Waiting> waiting = new LinkedHashMap<>();

  private final OutputTarget target;
  private final TransferListener listener;
  private final Duration idle;
  private final int most;

  /**
   * @param most how many may be arriving at a time, 1 to {@value #MOST_ARRIVING}; others wait
   * @param idle how long no byte has been moved of a transfer that another one of the same file may
   *     replace
   */
  Arrivals(OutputTarget target, TransferListener listener, Duration idle, int most) {
    this.most = most;
    this.target = target;
    this.listener = listener;
    this.idle = idle;
  }

  /**
   * A waiting transfer.
   *
   * @param connections of it
   * @param entries whether it is of entries, which wait for others of the same folder as well
   */
  private record Waiting(int connections, boolean entries) {}

  /** Tells a sender the place of its transfer in the queue. */
  @FunctionalInterface
  interface Usher {
    /**
     * @throws IOException where the sender has disconnected
     */
    void tell(int place) throws IOException;
  }

  /**
   * The transfer that a connection belongs to; waits while others have to arrive first.
   *
   * @param from address of the sender
   * @param admission asked for a new transfer
   * @param usher told the place at once, and every few seconds
   * @return null where it is new and was not admitted
   * @throws TransferFailed where another file has the same number, or too many are waiting
   * @throws IOException where the sender has disconnected
   */
  @Nullable Arrival await(
      TransferHeader header, String from, BooleanSupplier admission, Usher usher)
      throws IOException, InterruptedException {
    UUID transfer = header.transfer();
    BooleanSupplier admitted = admission;
    synchronized (this) {
      if (mayEnter(header)) {
        return of(header, from, admission);
      }
      if (header.entries() && !isFolderFree(header)) {
        if (!admission.getAsBoolean()) {
          return null; // It would wait in vain.
        }
        admitted = () -> true;
      }
      if (!waiting.containsKey(transfer) && waiting.size() >= MOST_WAITING) {
        throw new TransferFailed(
            "busy: %d files are arriving and %d wait; fix: send it again later"
                .formatted(most, MOST_WAITING));
      }
      Waiting _ =
          waiting.merge(
              transfer,
              new Waiting(1, header.entries()),
              (one, _) -> new Waiting(one.connections() + 1, one.entries()));
    }
    try {
      while (true) {
        usher.tell(place(transfer));
        synchronized (this) {
          if (!mayEnter(header)) {
            wait(SIGN_OF_LIFE_MILLIS);
          }
          if (mayEnter(header)) {
            return of(header, from, admitted);
          }
        }
      }
    } finally {
      leaveQueue(transfer);
    }
  }

  private synchronized int place(UUID transfer) {
    int place = 1;
    for (UUID one : waiting.keySet()) {
      if (one.equals(transfer)) {
        break;
      }
      place++;
    }
    return place;
  }

  private synchronized void leaveQueue(UUID transfer) {
    waiting.computeIfPresent(
        transfer,
        (_, one) ->
            one.connections() == 1 ? null : new Waiting(one.connections() - 1, one.entries()));
    notifyAll();
  }

  /** A transfer may have ended: waiting threads check again. */
  synchronized void mayHaveEnded() {
    notifyAll();
  }

  /** Whether a transfer is known, or there is a place for it and no other one has waited longer. */
  private boolean mayEnter(TransferHeader header) throws TransferFailed {
    Arrival known = byTransfer.get(header.transfer());
    if (known != null && !known.mayBeBegunAnew()) {
      return true;
    }
    return isNext(header)
        && isFolderFree(header)
        && !isFolderWritten(header)
        && (arriving() < most
            || giveWayTo(header, target.of(header))
            || giveWay()
            || standstillGivesWay());
  }

  /** Whether no other transfer of its kind has waited longer: files do not wait for a folder. */
  private boolean isNext(TransferHeader header) {
    return waiting.entrySet().stream()
        .filter(one -> one.getValue().entries() == header.entries())
        .findFirst()
        .map(one -> one.getKey().equals(header.transfer()))
        .orElse(true);
  }

  /**
   * Whether no stream of entries is being written to the folder: streams are written one after the
   * other, since each replaces what it finds.
   */
  private boolean isFolderFree(TransferHeader header) throws TransferFailed {
    return !header.entries()
        || toFolderOf(header)
            .allMatch(one -> one.state().isOver() || one.mayGiveWay(idleBefore(one, header)));
  }

  /** Whether data of an earlier stream, which has ended or gives way, is still being written. */
  private boolean isFolderWritten(TransferHeader header) throws TransferFailed {
    return header.entries()
        && toFolderOf(header)
            .map(Arrival::file)
            .filter(Objects::nonNull)
            .anyMatch(ArrivingFile::isBehind);
  }

  /** Streams of entries to the same folder. */
  private Stream<Arrival> toFolderOf(TransferHeader header) throws TransferFailed {
    Path folder = target.of(header);
    return byTransfer.values().stream()
        .filter(one -> one.header().entries() && one.path().equals(folder));
  }

  /**
   * The transfer that a connection belongs to. A new one replaces one for the same file that waits
   * for its sender or is stalled. If no place is left, {@link #mayEnter} has freed one by ending a
   * transfer that waits for its sender or is stalled.
   *
   * @param from address of the sender
   * @param admission asked for a new transfer
   * @return null where it is new and was not admitted
   * @throws TransferFailed where another file has the same number
   */
  private @Nullable Arrival of(TransferHeader header, String from, BooleanSupplier admission)
      throws TransferFailed {
    Arrival known = byTransfer.get(header.transfer());
    if (known != null && !known.mayBeBegunAnew()) {
      if (!known.header().equals(header)) {
        throw new TransferFailed("the transfer is for another file, " + known.header().name());
      }
      return known;
    }
    boolean replaces = giveWayTo(header, target.of(header));
    if (!replaces && !admission.getAsBoolean() && !giveWay()) {
      return null;
    }
    Arrival made = new Arrival(header, target, target.of(header), listener.of(header, from));
    byTransfer.put(header.transfer(), made);
    forgetTheOldest();
    return made;
  }

  private long arriving() {
    return byTransfer.values().stream().filter(one -> !one.state().isOver()).count();
  }

  /** Ends one stalled transfer, to free its place. */
  private boolean standstillGivesWay() {
    return byTransfer.values().stream().anyMatch(one -> one.giveWay(idle));
  }

  /** Ends one transfer that waits for its sender, to free its place. */
  private boolean giveWay() {
    return byTransfer.values().stream().anyMatch(Arrival::giveWay);
  }

  /**
   * Ends the transfer under the same name, where it waits for its sender or is stalled. One of the
   * same origin is ended in any case: its sender was restarted.
   */
  private boolean giveWayTo(TransferHeader header, Path path) {
    return byTransfer.values().stream()
        .filter(one -> one.path().equals(path))
        .anyMatch(one -> one.giveWay(idleBefore(one, header)));
  }

  /**
   * How long no byte of a transfer must have been moved before another one of its path replaces it.
   */
  private Duration idleBefore(Arrival one, TransferHeader next) {
    return areOfOneOrigin(one.header(), next) ? Duration.ZERO : idle;
  }

  private static boolean areOfOneOrigin(TransferHeader one, TransferHeader other) {
    return one.fields().origin() != null && one.fields().origin().equals(other.fields().origin());
  }

  /** Describes what would be kept of transfers if the process ended now, a line each. */
  synchronized List<String> wouldBeKept() {
    return byTransfer.values().stream().map(Arrival::wouldBeKept).filter(Objects::nonNull).toList();
  }

  private void forgetTheOldest() {
    long over = byTransfer.size() - arriving();
    Iterator<Arrival> oldest = byTransfer.values().iterator();
    while (over > MOST_OVER && oldest.hasNext()) {
      if (oldest.next().state().isOver()) {
        oldest.remove();
        over--;
      }
    }
  }
}
