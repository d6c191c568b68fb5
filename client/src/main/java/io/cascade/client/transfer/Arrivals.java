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
  private final Landing landing;
  private final TransferListener listener;

  Arrivals(Landing landing, TransferListener listener) {
    this.landing = landing;
    this.listener = listener;
  }

  /**
   * The transfer that a connection belongs to.
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
    if (!admission.getAsBoolean()) {
      return null;
    }
    Arrival made = new Arrival(header, landing, listener);
    byTransfer.put(header.transfer(), made);
    forgetTheOldest();
    return made;
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
