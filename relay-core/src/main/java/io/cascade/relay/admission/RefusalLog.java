package io.cascade.relay.admission;

import io.cascade.command.Printable;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.logging.Logger;

/**
 * Tells of refused clients in the relay's log: of one at once, and then of no other one for ten
 * seconds, with how many there were. So nobody fills the log. Thread-safe.
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
   * A client was refused.
   *
   * @param line with its address, and why
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
