package io.cascade.relay.admission;

import io.cascade.command.Printable;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.logging.Logger;

/**
 * Logs refused clients: one line, and the next one after ten seconds at the earliest, with the
 * number of those in between. So refused clients cannot flood the log. Thread-safe.
 */
public final class RefusalLog {
  private static final long BETWEEN_NANOS = Duration.ofSeconds(10).toNanos();

  private final Consumer<String> lines;
  private final LongSupplier nanos;
  private boolean told;
  private long toldNanos;
  private long untold;

  RefusalLog(Consumer<String> lines, LongSupplier nanos) {
    this.lines = lines;
    this.nanos = nanos;
  }

  public static RefusalLog of(Logger log) {
    return new RefusalLog(log::info, System::nanoTime);
  }

  /**
   * Records that a client was refused.
   *
   * @param line its address and the reason
   */
  public synchronized void refused(String line) {
    long now = nanos.getAsLong();
    if (told && now - toldNanos < BETWEEN_NANOS) {
      untold++;
      return;
    }
    String more = untold == 0 ? "" : "; " + untold + " more since the line before";
    lines.accept(Printable.line(line) + more);
    told = true;
    toldNanos = now;
    untold = 0;
  }
}
