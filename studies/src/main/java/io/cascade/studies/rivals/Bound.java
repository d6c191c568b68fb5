package io.cascade.studies.rivals;

/**
 * The least time in which a sender without information about a path delivers a file over it from
 * end to end: every packet of 1,500 bytes carries 1,448 bytes of the file, the bottleneck carries
 * packets that are not lost without a pause, the window starts with ten segments (RFC 6928) and
 * doubles with each round trip, and the confirmation of the last byte takes one round trip.
 *
 * <p>Relays shorten round trips, and a sender may have information about the path; both can be
 * faster than the bound.
 *
 * <p>Worked value: 20 MB, 100 Mbit/s, 160 ms, 0.5 % lost: 96.0 Mbit/s; eight windows of 10 to 1,280
 * segments do not fill 160 ms; 0.16 + 8·0.16 + (20 MB − 3.69 MB)/96.0 Mbit/s = 2.80 s.
 */
final class Bound {
  private static final int PACKET_BYTES = 1_500;

  /** IPv4, and TCP with timestamps. */
  private static final int HEADER_BYTES = 52;

  private static final int SEGMENT_BYTES = PACKET_BYTES - HEADER_BYTES;
  private static final int FIRST_SEGMENTS = 10;

  private Bound() {}

  static double seconds(RivalPath path) {
    return seconds(path.bytes(), bitsPerSecond(path), path.rttSeconds());
  }

  /** Rate of the bottleneck in bytes of the file, less losses, in bit/s. */
  static double bitsPerSecond(RivalPath path) {
    return path.bottleneckMegabits() * 1e6 * (1 - path.loss()) * SEGMENT_BYTES / PACKET_BYTES;
  }

  static double seconds(long bytes, double bitsPerSecond, double rttSeconds) {
    double full = bitsPerSecond / 8 * rttSeconds;
    double window = (double) FIRST_SEGMENTS * SEGMENT_BYTES;
    double left = bytes;
    double seconds = rttSeconds;
    while (window < full && left > window) {
      seconds += rttSeconds;
      left -= window;
      window *= 2;
    }
    return seconds + 8 * left / bitsPerSecond;
  }
}
