package io.cascade.client.transfer.schedule;

import io.cascade.client.transfer.schedule.BlockLedger.Range;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Schedule of a transfer's connections, by which all of them together are no slower than the best
 * one alone.
 *
 * <p>A connection has at most {@value #LEAST_WINDOW} bytes and {@value #GAIN} times what it
 * delivers in its shortest delay in flight: enough for a congestion window that doubles each round
 * trip and for relays' buffers to even out losses, and little enough that a slow connection does
 * not hoard blocks. Towards the end it takes a block only if that arrives before the others could
 * have carried everything that is left. Once everything has been read, an idle connection sends
 * copies of blocks that would arrive later over the connection that has them in flight.
 *
 * @param <C> a connection
 */
public final class BlockSchedule<C> {
  public static final long LEAST_WINDOW = 256 * 1024;

  /** Twice what fills the path: its round trip, and as much in the buffers of relays. */
  private static final int GAIN = 4;

  private final BlockLedger<C> ledger;
  private final Standby<C> standby;

  public BlockSchedule(BlockLedger<C> ledger) {
    this.ledger = ledger;
    this.standby = new Standby<>(ledger);
  }

  /**
   * Adds a connection.
   *
   * @param preferred whether it is expected to be the quickest alone, see {@link Standby}
   */
  public void join(C connection, Pace pace, boolean preferred, long nowNanos) {
    ledger.add(connection, pace);
    standby.joined(connection, preferred, nowNanos);
  }

  /** Next action of a connection. */
  public enum Action {
    /** Read the next block of the file and send it. */
    READ,
    /** Send a block that was read before. */
    SEND_AGAIN,
    /** Send the trailer: everything missing precedes it on this connection. */
    FINISH,
    WAIT
  }

  /**
   * A connection's next step.
   *
   * @param block to be sent again; null with other actions
   */
  public record Step(Action action, @Nullable Range block) {
    private static final Step READ = new Step(Action.READ, null);
    private static final Step FINISH = new Step(Action.FINISH, null);
    public static final Step WAIT = new Step(Action.WAIT, null);

    private static Step again(Range block) {
      return new Step(Action.SEND_AGAIN, block);
    }
  }

  /**
   * The next step of a connection. A block to be sent again is entered as in flight.
   *
   * @param unread bytes of the file that were not read yet; 0 where all were
   * @param allRead whether nothing is left to read
   * @param blockBytes size of the block that would be read
   * @param copies whether blocks can be read again
   */
  public Step next(
      C connection, long unread, boolean allRead, int blockBytes, boolean copies, long nowNanos) {
    if (standby.rests(connection, unread, nowNanos)) {
      return allRead && ledger.hasTheRest(connection) ? Step.FINISH : Step.WAIT;
    }
    Range lost = ledger.resend(connection, nowNanos);
    if (lost != null) {
      return Step.again(lost);
    }
    if (!allRead) {
      return mayTake(connection, unread, blockBytes, nowNanos) ? Step.READ : Step.WAIT;
    }
    if (ledger.hasTheRest(connection)) {
      return Step.FINISH;
    }
    return copies ? copy(connection, nowNanos).map(Step::again).orElse(Step.WAIT) : Step.WAIT;
  }

  private boolean mayTake(C connection, long unread, int blockBytes, long nowNanos) {
    if (ledger.connections() < 2 || standby.isAlone(connection)) {
      return ledger.knows(connection);
    }
    Optional<Forecast> forecast = ledger.forecast(connection, nowNanos);
    if (forecast.filter(one -> one.underWayBytes() < window(connection)).isEmpty()) {
      return false;
    }
    Optional<Forecast> others = ledger.forecastBeside(connection, nowNanos);
    return forecast.get().bitsPerSecond() == 0
        || others.isEmpty()
        || forecast.get().finishesBefore(others.get(), blockBytes, unread);
  }

  private long window(C connection) {
    Pace pace = ledger.pace(connection);
    double path = pace.peakBitsPerSecond() / 8 * pace.leastDelayNanos() / 1e9;
    return Math.max(LEAST_WINDOW, Math.round(GAIN * path));
  }

  /** The last block in flight on another connection, if it arrives sooner over this one. */
  private Optional<Range> copy(C connection, long nowNanos) {
    Optional<Forecast> forecast = ledger.forecast(connection, nowNanos);
    if (forecast.filter(one -> one.underWayBytes() < window(connection)).isEmpty()) {
      return Optional.empty();
    }
    Forecast mine = forecast.get();
    return ledger.copy(
        connection,
        nowNanos,
        (block, theirs) ->
            // Nothing is known of a connection until its first block has arrived: let it try.
            (mine.bitsPerSecond() == 0 && mine.underWayBytes() == 0)
                || mine.secondsUntil(block.carried()) < theirs.secondsUntil(0));
  }
}
