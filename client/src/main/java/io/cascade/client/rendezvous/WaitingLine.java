package io.cascade.client.rendezvous;

import io.cascade.api.HostPort;
import io.cascade.carriage.rendezvous.MeetingNumber;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps connections of a receiver waiting at a relay. When one is joined, another one replaces it;
 * when the relay is unreachable, they reconnect, with pauses of {@link #LEAST_PAUSE} that double up
 * to {@link #LONGEST_PAUSE}.
 */
public final class WaitingLine implements AutoCloseable {
  static final Duration LEAST_PAUSE = Duration.ofMillis(500);
  static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final HostPort relay;
  private final MeetingNumber number;
  private final int places;
  private final Listener listener;
  private final Set<RendezvousConnection> open = ConcurrentHashMap.newKeySet();
  private final CountDownLatch closed = new CountDownLatch(1);

  /**
   * Whether the listener was told of an interruption but not yet of its end. Guarded by the lock.
   */
  private boolean interrupted;

  /**
   * Receives joined connections. Called on the line's threads, whose connections do not wait at the
   * relay during the call.
   */
  public interface Listener {
    /** A sender has joined; the listener owns the connection. */
    void joined(JoinedConnection connection);

    /** No connection waits any longer; the line retries. Called once for each interruption. */
    default void interrupted(RendezvousFailed why) {}

    /** A connection waits again after an interruption. */
    default void restored() {}
  }

  private WaitingLine(HostPort relay, MeetingNumber number, int places, Listener listener) {
    this.relay = relay;
    this.number = number;
    this.places = places;
    this.listener = listener;
  }

  /**
   * Opens the line; returns once the first connection waits.
   *
   * @param places connections to keep waiting, 1 to 64
   * @throws RendezvousFailed when the first connection cannot wait
   */
  public static WaitingLine open(
      HostPort relay, MeetingNumber number, int places, Listener listener) throws RendezvousFailed {
    WaitingLine line = new WaitingLine(relay, number, places, listener);
    RendezvousConnection first = line.await();
    for (int i = 0; i < places; i++) {
      @Nullable RendezvousConnection waits = i == 0 ? first : null;
      Thread.ofVirtual().name("waiting at " + relay).start(() -> line.keep(waits));
    }
    return line;
  }

  /** Closes the waiting connections; joined ones stay open. */
  @Override
  public void close() {
    closed.countDown();
    open.forEach(RendezvousConnection::close);
  }

  private boolean isClosed() {
    return closed.getCount() == 0;
  }

  private RendezvousConnection await() throws RendezvousFailed {
    RendezvousConnection waits = RendezvousConnection.await(relay, number, places, PATIENCE);
    open.add(waits);
    if (isClosed()) {
      waits.close();
    }
    return waits;
  }

  private void keep(@Nullable RendezvousConnection first) {
    @Nullable RendezvousConnection waits = first;
    Duration pause = LEAST_PAUSE;
    while (!isClosed()) {
      try {
        if (waits == null) {
          waits = await();
        }
        tellRestored();
        JoinedConnection joined = awaitJoined(waits);
        waits = null;
        pause = LEAST_PAUSE;
        listener.joined(joined);
      } catch (RendezvousFailed e) {
        boolean waited = waits != null;
        waits = null;
        if (isClosed()) {
          return;
        }
        tellInterrupted(e);
        pause = waited ? LEAST_PAUSE : pause;
        if (!pauses(pause)) {
          return;
        }
        pause = longer(pause);
      }
    }
  }

  private synchronized void tellInterrupted(RendezvousFailed why) {
    if (!interrupted && open.isEmpty()) {
      interrupted = true;
      listener.interrupted(why);
    }
  }

  private synchronized void tellRestored() {
    if (interrupted) {
      interrupted = false;
      listener.restored();
    }
  }

  private JoinedConnection awaitJoined(RendezvousConnection waits) throws RendezvousFailed {
    try {
      return waits.awaitJoined();
    } finally {
      open.remove(waits);
    }
  }

  /** Sleeps for half to all of the time; returns false where the line was closed meanwhile. */
  private boolean pauses(Duration pause) {
    long millis = pause.toMillis();
    try {
      return !closed.await(
          ThreadLocalRandom.current().nextLong(millis / 2, millis + 1), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  static Duration longer(Duration pause) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : twice;
  }
}
