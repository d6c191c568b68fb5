package io.cascade.orchestrator.leadership;

import io.cascade.orchestrator.time.PeriodicTask;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Looks for the leader's seat and keeps it, on a thread of its own, until it is closed. */
public final class Leadership implements AutoCloseable {
  private final Election election;
  private @Nullable PeriodicTask rounds;

  /**
   * @param source of connections that nothing else uses
   * @param isExclusive whether no other process can open the database
   * @param address where this orchestrator is reached when it leads, with the pins of its keys as
   *     they are now
   * @param nanos the monotonic clock
   */
  public Leadership(
      DataSource source, boolean isExclusive, Supplier<String> address, LongSupplier nanos) {
    this.election = new Election(new SeatTable(source, isExclusive, nanos), address, nanos);
  }

  /** Returns when it has looked once. */
  public void start() {
    election.round();
    rounds = PeriodicTask.every(election::pause, "leadership", election::round);
  }

  /** The right to lead; null while this one stands by. */
  public @Nullable Tenure tenure() {
    return election.tenure();
  }

  /** Where the leader is reached, as far as this one knows. */
  public @Nullable String leader() {
    return election.leader();
  }

  /** Whether the database answered when it was last asked who leads. */
  public boolean isAnswered() {
    return election.isAnswered();
  }

  /**
   * Waits until a tenure begins or ends.
   *
   * @param before the last one, or null for none
   * @return whether there may be more changes
   */
  public boolean awaitChange(@Nullable Tenure before) throws InterruptedException {
    LeadershipState than = before == null ? LeadershipState.STANDBY : LeadershipState.LEADING;
    election.awaitOther(than);
    return election.state() != LeadershipState.ENDED;
  }

  /**
   * Says that what served in a tenure is closed, or could not be started: the tenure is over, and
   * this one may be elected again.
   */
  public void stoodDown() {
    election.stoodDown();
  }

  /** Leaves the seat. What is written and sent after that is refused. */
  @Override
  public void close() {
    if (rounds != null) {
      rounds.close();
    }
    election.close();
  }
}
