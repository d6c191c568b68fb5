package io.cascade.client.transfer;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The transfers that are arriving, and the last that did: a connection of one may come late. */
final class Arrivals {
  private static final int MOST_OVER = 256;

  private final Map<UUID, Arrival> byTransfer = new LinkedHashMap<>();
  private final OutputTarget target;
  private final TransferListener listener;

  Arrivals(OutputTarget target, TransferListener listener) {
    this.target = target;
    this.listener = listener;
  }

  /**
   * The transfer that a connection belongs to. A new one takes the place of one for the same file
   * that waits for its sender, and, where there is no place left, of any that does.
   *
   * @param admission asked where it is a new one
   * @return null where it is a new one and was not admitted
   * @throws TransferFailed where another file goes by the same number
   */
  synchronized @Nullable Arrival of(TransferHeader header, BooleanSupplier admission)
      throws TransferFailed {
    Arrival known = byTransfer.get(header.transfer());
    if (known != null) {
      if (!known.header().equals(header)) {
        throw new TransferFailed("the transfer is one of another file, " + known.header().name());
      }
      return known;
    }
    boolean replaces = giveWay(header);
    if (!replaces && !admission.getAsBoolean() && !giveWay(null)) {
      return null;
    }
    Arrival made = new Arrival(header, target, listener);
    byTransfer.put(header.transfer(), made);
    forgetTheOldest();
    return made;
  }

  /**
   * Ends one transfer that waits for its sender, to make room.
   *
   * @param to one that is for the same file; null for any
   */
  private boolean giveWay(@Nullable TransferHeader to) {
    return byTransfer.values().stream()
        .filter(one -> to == null || target.of(one.header()).equals(target.of(to)))
        .anyMatch(Arrival::giveWay);
  }

  private void forgetTheOldest() {
    long over =
        byTransfer.values().stream().filter(one -> one.state() != Arrival.State.ARRIVING).count();
    Iterator<Arrival> oldest = byTransfer.values().iterator();
    while (over > MOST_OVER && oldest.hasNext()) {
      if (oldest.next().state() != Arrival.State.ARRIVING) {
        oldest.remove();
        over--;
      }
    }
  }
}
