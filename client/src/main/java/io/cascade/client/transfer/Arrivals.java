package io.cascade.client.transfer;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The transfers that are arriving, and the last that did: a connection of one may come late. */
final class Arrivals {
  private static final int MOST_OVER = 256;

  /** Bound of memory, 4 MiB each ({@link DigestLane}), and of files that are open. */
  static final int MOST_ARRIVING = 16;

  private final Map<UUID, Arrival> byTransfer = new LinkedHashMap<>();
  private final OutputTarget target;
  private final TransferListener listener;
  private final Duration idle;

  /**
   * @param idle how long no byte has moved of a transfer that gives way to one of the same file
   */
  Arrivals(OutputTarget target, TransferListener listener, Duration idle) {
    this.target = target;
    this.listener = listener;
    this.idle = idle;
  }

  /**
   * The transfer that a connection belongs to. A new one takes the place of one for the same file
   * that waits for its sender or stands still, and, where there is no place left, of any that waits
   * for its sender.
   *
   * @param admission asked where it is a new one
   * @return null where it is a new one and was not admitted
   * @throws TransferFailed where another file goes by the same number, or as many as may are
   *     arriving and move
   */
  synchronized @Nullable Arrival of(TransferHeader header, BooleanSupplier admission)
      throws TransferFailed {
    Arrival known = byTransfer.get(header.transfer());
    if (known != null && !known.mayBeBegunAnew()) {
      if (!known.header().equals(header)) {
        throw new TransferFailed("the transfer is one of another file, " + known.header().name());
      }
      return known;
    }
    boolean replaces = giveWayTo(header, target.of(header));
    if (arriving() >= MOST_ARRIVING && !giveWay() && !standstillGivesWay()) {
      throw new TransferFailed(
          "busy: " + MOST_ARRIVING + " files are arriving; fix: send it again when one has");
    }
    if (!replaces && !admission.getAsBoolean() && !giveWay()) {
      return null;
    }
    Arrival made = new Arrival(header, target, target.of(header), listener);
    byTransfer.put(header.transfer(), made);
    forgetTheOldest();
    return made;
  }

  private long arriving() {
    return byTransfer.values().stream().filter(one -> !one.state().isOver()).count();
  }

  /** Ends one transfer on which nothing moves, to make room. */
  private boolean standstillGivesWay() {
    return byTransfer.values().stream().anyMatch(one -> one.giveWay(idle));
  }

  /** Ends one transfer that waits for its sender, to make room. */
  private boolean giveWay() {
    return byTransfer.values().stream().anyMatch(Arrival::giveWay);
  }

  /**
   * Ends the transfer under the same name, where it waits for its sender or stands still. One of
   * the same origin ends in any case: its sender was begun anew.
   */
  private boolean giveWayTo(TransferHeader header, Path path) {
    return byTransfer.values().stream()
        .filter(one -> one.path().equals(path))
        .anyMatch(one -> one.giveWay(areOfOneOrigin(one.header(), header) ? Duration.ZERO : idle));
  }

  private static boolean areOfOneOrigin(TransferHeader one, TransferHeader other) {
    return one.fields().origin() != null && one.fields().origin().equals(other.fields().origin());
  }

  /** What would be kept of transfers if the process ended now, a line for each. */
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
