package io.cascade.gateway.reporting;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.DoubleSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Sends reports periodically on a thread of its own, whatever a report throws. If the orchestrator
 * does not answer, the last interval is kept; a failure is logged once.
 */
public final class ReportLoop implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(ReportLoop.class.getName());
  private static final Duration FIRST_INTERVAL = Duration.ofSeconds(2);
  private static final Duration LAST_WORDS = Duration.ofSeconds(1);
  private static final double LONGEST_INTERVAL_SECONDS = 300;

  private final URI orchestrator;
  private final DoubleSupplier report;
  private final Runnable unheard;
  private final AtomicBoolean isClosing = new AtomicBoolean();
  private final Thread thread;
  private Duration interval = FIRST_INTERVAL;
  private @Nullable String failure = "";

  private ReportLoop(URI orchestrator, DoubleSupplier report, Runnable unheard) {
    this.orchestrator = orchestrator;
    this.report = report;
    this.unheard = unheard;
    this.thread = Thread.ofPlatform().daemon().name("reporter").unstarted(this::run);
  }

  /**
   * Starts to report.
   *
   * @param report sends a report and returns the seconds until the next
   * @param unheard is called after each report that failed
   */
  public static ReportLoop start(URI orchestrator, DoubleSupplier report, Runnable unheard) {
    ReportLoop loop = new ReportLoop(orchestrator, report, unheard);
    loop.thread.start();
    return loop;
  }

  private void run() {
    try {
      while (!isClosing.get()) {
        try {
          report();
        } catch (RuntimeException | Error e) {
          // Logging a failure failed as well, for want of memory: the next report may succeed.
        }
        // Jitter: reports of processes that start together must not stay synchronized.
        Thread.sleep(
            interval.multipliedBy(ThreadLocalRandom.current().nextInt(90, 111)).dividedBy(100));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void report() {
    try {
      interval = interval(report.getAsDouble());
      if (failure != null) {
        LOG.log(Level.INFO, "reports to {0}", orchestrator);
      }
      failure = null;
    } catch (RuntimeException | Error e) {
      if (isClosing.get()) {
        return;
      }
      String why = e instanceof Error ? e.toString() : String.valueOf(e.getMessage());
      if (!why.equals(failure)) {
        LOG.log(Level.WARNING, "{0}: {1}", new Object[] {orchestrator, why});
      }
      failure = why;
      unheard.run();
    }
  }

  private static Duration interval(double seconds) {
    double bounded = Math.clamp(seconds, 0.05, LONGEST_INTERVAL_SECONDS);
    return Duration.ofNanos((long) (bounded * 1e9));
  }

  /** Stops the reports; their subject may be closed afterwards. */
  @Override
  public void close() {
    isClosing.set(true);
    thread.interrupt();
    try {
      boolean _ = thread.join(LAST_WORDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
