package io.cascade.orchestrator.leadership;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The leader's seat, of which a database has one. Each time it is taken its epoch increases. A
 * holder that does not renew it within {@link Tenure#LENGTH}, by the database's clock, loses it. If
 * that clock was set back, so that the last renewal lies in the future, the seat is lost once a
 * standby has seen no renewal for that length by its own monotonic clock. Calls fail with a {@link
 * org.springframework.dao.DataAccessException} if the database does not answer.
 */
interface Seat {
  /**
   * The holder of the seat.
   *
   * @param leader URL of the leader; null if unknown
   */
  record Holder(long epoch, boolean isOurs, @Nullable String leader) {}

  /**
   * Takes the seat if it is free.
   *
   * @param address URL at which the leader is reached from now on
   * @return the present holder
   */
  Holder take(UUID holder, String address);

  /**
   * Renews the seat; returns false if another orchestrator holds it.
   *
   * @param address URL at which the leader is reached from now on
   */
  boolean renew(long epoch, UUID holder, String address);

  /** Leaves the seat, so that the next leader need not wait until it is lost. */
  void leave(long epoch, UUID holder);

  /** Whether no other process can open the database, so that the seat is never lost. */
  boolean isExclusive();
}
