package io.cascade.orchestrator.leadership;

import io.cascade.orchestrator.time.PeriodicTask;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Runs the election of the leader on a thread of its own, until it is closed. */
public final class Leadership implements AutoCloseable {
  private final Election election;
  private @Nullable PeriodicTask rounds;

  /**
   * @param source connections that nothing else uses
   * @param isExclusive whether no other process can open the database
   * @param address URL at which this orchestrator is reached when it leads, with the current pins
   *     of its keys
   * @param nanos the monotonic clock
   */
  public Leadership(
      DataSource source, boolean isExclusive, Supplier<String> address, LongSupplier nanos) {
    this.election = new Election(new SeatTable(source, isExclusive, nanos), address, nanos);
  }

  /** Starts the election; returns after its first round. */
  public void start() {
    election.round();
    rounds = PeriodicTask.every(election::pause, "leadership", election::round);
  }

  /** The right to lead; null on standby. */
  public @Nullable Tenure tenure() {
    return election.tenure();
  }

  /** URL of the leader as last seen in the database; null if unknown. */
  public @Nullable String leader() {
    return election.leader();
  }

  /** Whether the database answered the last round. */
  public boolean isAnswered() {
    return election.isAnswered();
  }

  /**
   * Waits until a tenure begins or ends.
   *
   * @param before the last tenure, or null for none
   * @return whether there may be more changes
   */
  public boolean awaitChange(@Nullable Tenure before) throws InterruptedException {
    LeadershipState than = before == null ? LeadershipState.STANDBY : LeadershipState.LEADING;
    election.awaitOther(than);
    return election.state() != LeadershipState.ENDED;
  }

  /**
   * Reports that the application that served in a tenure was closed, or could not be started: the
   * tenure is over, and this orchestrator may be elected again.
   */
  public void stoodDown() {
    election.stoodDown();
  }

  /** Leaves the seat. Later writes and calls are refused. */
  @Override
  public void close() {
    if (rounds != null) {
      rounds.close();
    }
    election.close();
  }
}
