package io.cascade.relay.junction;

import io.cascade.segments.FrameCodec;
import io.cascade.segments.Scheduler;
import io.cascade.segments.SegmentStream;
import io.cascade.segments.WindowAllowance;
import java.time.Duration;

/**
 * Settings of a stream over the pipes of a segment.
 *
 * @param windowBytes initial bound on what a junction holds of one direction: bytes that may have
 *     to be retransmitted, and bytes that arrived out of order
 * @param mostWindowBytes the bound up to which the window grows while it limits the rate
 * @param patience how long a stream may have no open pipe
 */
public record JunctionSettings(
    int windowBytes, int mostWindowBytes, Duration patience, Scheduler scheduler) {
  /** Default of {@code patience}: longer than a relay needs to restart and receive its parts. */
  public static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Share of a stream's buffer that each direction's window has; the pumps use the rest. */
  private static final double WINDOW_SHARE = 3 / 8.0;

  private static final int PUMP_SHARE = 4;

  /** Largest initial window, so that only streams which need more memory take it. */
  private static final int MOST_INITIAL_WINDOW = 6 << 20;

  private static final long MOST_PUMP_BYTES = 4 << 20;
  private static final int MOST_WINDOW = 1 << 30;

  /** Returns the settings of a stream that may hold so much memory at a junction. */
  public static JunctionSettings holding(long bufferBytes, Duration patience, Scheduler scheduler) {
    long share = Math.max(FrameCodec.MOST_DATA, (long) (WINDOW_SHARE * bufferBytes));
    int most = (int) Math.min(share, MOST_WINDOW);
    return new JunctionSettings(Math.min(most, MOST_INITIAL_WINDOW), most, patience, scheduler);
  }

  /** Returns the part of a stream's buffer that is left for its pumps. */
  public static long pumpBytes(long bufferBytes) {
    return Math.clamp(bufferBytes / PUMP_SHARE, FrameCodec.MOST_DATA, MOST_PUMP_BYTES);
  }

  SegmentStream.Settings stream() {
    // The relay's memory budget bounds all windows together.
    return new SegmentStream.Settings(
        windowBytes, mostWindowBytes, WindowAllowance.unlimited(), patience.toNanos(), scheduler);
  }
}
