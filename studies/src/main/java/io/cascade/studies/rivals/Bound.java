package io.cascade.studies.rivals;

/**
 * The least time in which a sender that knows nothing of a path delivers a file over it from end to
 * end: every packet of 1,500 bytes has room for 1,448 of the file, the bottleneck carries without a
 * pause what is not lost, the window begins with ten segments (RFC 6928) and doubles with each
 * round trip, and the last byte's confirmation takes one round trip.
 *
 * <p>Relays make round trips shorter, and a sender may know more than nothing: both can be quicker.
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

  /** What the bottleneck carries of the file's bytes. */
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
