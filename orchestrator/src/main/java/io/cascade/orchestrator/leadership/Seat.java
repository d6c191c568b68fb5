package io.cascade.orchestrator.leadership;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The leader's seat, which the database has once. Each time it is taken it has a greater epoch, and
 * whoever does not renew it in {@link Tenure#LENGTH}, by the database's clock, has lost it. Where
 * that clock was set back, so that the seat was renewed in the future, it is lost once a standby
 * has seen no renewal for as long by its own monotonic clock. Calls fail with a {@link
 * org.springframework.dao.DataAccessException} where the database does not answer.
 */
interface Seat {
  /**
   * Who has the seat.
   *
   * @param leader where the leader is reached; null where nobody knows
   */
  record Holder(long epoch, boolean isOurs, @Nullable String leader) {}

  /**
   * Takes the seat where it is free.
   *
   * @param address where the leader is reached from now on
   * @return who has it now
   */
  Holder take(UUID holder, String address);

  /**
   * Keeps the seat; false where it is another one's.
   *
   * @param address where the leader is reached from now on
   */
  boolean renew(long epoch, UUID holder, String address);

  /** Leaves the seat, so that the next one need not wait until it is lost. */
  void leave(long epoch, UUID holder);

  /** Whether no other process can open the database at all, so that the seat is never lost. */
  boolean isExclusive();
}
