package io.cascade.client.ways;

import io.cascade.api.HostPort;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.TransferEnd;
import io.cascade.api.orchestrator.TransferProgress;
import io.cascade.client.transfer.ForwardingListener;
import io.cascade.client.transfer.TransferListener;
import io.cascade.client.transfer.wire.TransferHeader;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reports the progress of transfers to the orchestrator for display. Only the end waits for it, for
 * a second at most: each transfer is reported by a thread of its own, and a report that the
 * orchestrator does not accept is dropped. The orchestrator learns size, destination and rate, but
 * no name of a file.
 */
public final class ProgressReports implements AutoCloseable {
  /** Interval between two reports; shorter transfers are not reported. */
  private static final Duration PAUSE = Duration.ofSeconds(2);

  /** Longest pause between attempts while the orchestrator accepts none. */
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

  /** Time-out for the report of a transfer's end. */
  private static final Duration LAST_REPORT = Duration.ofSeconds(1);

  private final @Nullable OrchestratorClient client;
  private final HostPort to;
  private final Duration pause;
  private @Nullable Told latest;

  /**
   * @param client null for no reports
   */
  public ProgressReports(@Nullable OrchestratorClient client, HostPort to) {
    this(client, to, PAUSE);
  }

  ProgressReports(@Nullable OrchestratorClient client, HostPort to, Duration pause) {
    this.client = client;
    this.to = to;
    this.pause = pause;
  }

  /**
   * Creates the listener of a transfer and starts its reports; the previous transfer, if any, has
   * failed.
   *
   * @param next receives all calls of the listener
   */
  public synchronized TransferListener of(TransferHeader header, TransferListener next) {
    end(TransferEnd.FAILED);
    OrchestratorClient orchestrator = client;
    if (orchestrator == null) {
      return next;
    }
    Told told = new Told(orchestrator, header.transfer(), next);
    latest = told;
    return told;
  }

  /** The latest transfer has arrived. */
  public void arrived() {
    end(TransferEnd.ARRIVED);
  }

  /** Waits until the end of the latest transfer was reported: it failed, unless it has arrived. */
  @Override
  public void close() {
    Told last = end(TransferEnd.FAILED);
    if (last != null) {
      last.join();
    }
  }

  private synchronized @Nullable Told end(TransferEnd how) {
    Told ended = latest;
    if (ended != null) {
      ended.end(how);
    }
    return ended;
  }

  /** Reports of one transfer. */
  private final class Told extends ForwardingListener {
    private final OrchestratorClient orchestrator;
    private final UUID transfer;
    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread thread;
    private volatile @Nullable TransferEnd end;
    private volatile @Nullable Long size;

    /** Bytes that the receiver had before this transfer; negative while unknown. */
    private volatile long firstBytes = -1;

    private volatile long bytes;

    /**
     * Bytes that had arrived at the previous report, and its time; these three fields are used by
     * the thread only.
     */
    private long toldBytes = -1;

    private long toldNanos;
    private long startNanos;

    Told(OrchestratorClient orchestrator, UUID transfer, TransferListener next) {
      super(next);
      this.orchestrator = orchestrator;
      this.transfer = transfer;
      this.thread = Thread.ofVirtual().name("progress-reports").unstarted(this::run);
    }

    private synchronized void end(TransferEnd how) {
      if (end == null) {
        end = how;
        over.countDown();
      }
    }

    private void join() {
      try {
        if (thread.getState() != Thread.State.NEW) {
          boolean _ = thread.join(LAST_REPORT);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private void run() {
      try {
        startNanos = System.nanoTime();
        toldNanos = startNanos;
        boolean known = false;
        Duration wait = pause;
        while (!over.await(wait.toNanos(), TimeUnit.NANOSECONDS)) {
          boolean taken = report();
          known |= taken;
          wait = taken ? pause : longer(wait);
        }
        if (known) {
          boolean _ = report();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private static Duration longer(Duration wait) {
      Duration twice = wait.multipliedBy(2);
      return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
    }

    /** Sends a report; returns whether the orchestrator accepted it. */
    private boolean report() {
      long now = System.nanoTime();
      long arrived = bytes;
      long first = firstBytes;
      TransferEnd how = end;
      boolean whole = how != null || toldBytes < 0;
      long since = whole ? first < 0 ? arrived : first : toldBytes;
      double bitsPerSecond =
          Byte.SIZE
              * 1e9
              * Math.max(0, arrived - since)
              / Math.max(1, now - (whole ? startNanos : toldNanos));
      toldBytes = arrived;
      toldNanos = now;
      try {
        orchestrator.report(
            transfer,
            TransferProgress.builder()
                .destination(to.toString())
                .size(size)
                .bytes(arrived)
                .bitsPerSecond(bitsPerSecond)
                .end(how)
                .build());
        return true;
      } catch (ProblemException | UnreachableException e) {
        return false;
      }
    }

    @Override
    public void started(TransferHeader header) {
      size = header.sizeKnown() ? header.size() : null;
      if (thread.getState() == Thread.State.NEW) {
        thread.start();
      }
      super.started(header);
    }

    @Override
    public void moved(long moved) {
      if (firstBytes < 0) {
        firstBytes = moved;
      }
      bytes = moved;
      super.moved(moved);
    }
  }
}
