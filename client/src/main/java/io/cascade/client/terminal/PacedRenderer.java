package io.cascade.client.terminal;

import java.text.DecimalFormat;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.LongSupplier;
import me.tongfei.progressbar.DefaultProgressBarRenderer;
import me.tongfei.progressbar.ProgressBarStyle;
import me.tongfei.progressbar.ProgressState;

/**
 * Draws a bar with the rate and the time left of a {@link ProgressPace}. The library's own figures
 * include bytes from before the transfer, and the time before its first byte.
 */
final class PacedRenderer extends DefaultProgressBarRenderer {
  private static final String UNIT = " MiB";
  private static final long MIB = 1 << 20;

  private final ProgressPace pace;
  private final LongSupplier nanoTime;

  /**
   * @param nanoTime the clock that the pace uses
   */
  PacedRenderer(ProgressPace pace, LongSupplier nanoTime) {
    super(
        ProgressBarStyle.ASCII,
        UNIT,
        MIB,
        true,
        new DecimalFormat(), // Format of the library's own rate.
        ChronoUnit.SECONDS,
        true,
        state -> left(state, pace, nanoTime));
    this.pace = pace;
    this.nanoTime = nanoTime;
  }

  private static Optional<Duration> left(
      ProgressState state, ProgressPace pace, LongSupplier nanoTime) {
    return state.isIndefinite()
        ? Optional.empty()
        : pace.left(state.getMax(), nanoTime.getAsLong());
  }

  @Override
  protected String speed(ProgressState state) {
    OptionalDouble rate = pace.bytesPerSecond(nanoTime.getAsLong());
    return (rate.isPresent() ? String.format(Locale.ROOT, "%.1f", rate.getAsDouble() / MIB) : "?")
        + UNIT
        + "/s";
  }
}
