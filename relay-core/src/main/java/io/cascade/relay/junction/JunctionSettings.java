package io.cascade.relay.junction;

import io.cascade.segments.FrameCodec;
import io.cascade.segments.Scheduler;
import io.cascade.segments.SegmentStream;
import java.time.Duration;

/**
 * How a stream is carried over the pipes of a segment.
 *
 * @param windowBytes the most that a junction keeps of one direction: what may have to be sent
 *     again, and what waits for what precedes it
 * @param patience how long a stream may be without any pipe
 */
public record JunctionSettings(int windowBytes, Duration patience, Scheduler scheduler) {
  /** Value of {@code patience}: longer than a relay needs to start again and get its parts. */
  public static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Share of a stream's buffer that each direction's window has; the pumps have the rest. */
  private static final double WINDOW_SHARE = 3 / 8.0;

  private static final int PUMP_SHARE = 4;
  private static final int MOST_WINDOW = 1 << 30;

  /** Settings of a stream that may take so much memory at a junction. */
  public static JunctionSettings holding(long bufferBytes) {
    long window = Math.max(FrameCodec.MOST_DATA, (long) (WINDOW_SHARE * bufferBytes));
    return new JunctionSettings((int) Math.min(window, MOST_WINDOW), PATIENCE, Scheduler.EARLIEST);
  }

  /** What is left of a stream's buffer for its pumps. */
  public static long pumpBytes(long bufferBytes) {
    return Math.max(FrameCodec.MOST_DATA, bufferBytes / PUMP_SHARE);
  }

  SegmentStream.Settings stream() {
    return new SegmentStream.Settings(windowBytes, patience.toNanos(), scheduler);
  }
}
