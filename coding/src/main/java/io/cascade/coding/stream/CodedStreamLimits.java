package io.cascade.coding.stream;

/**
 * Bounds of a session's streams.
 *
 * @param firstCreditBytes that a stream may send before its receiver has granted credit; the same
 *     at both ends
 * @param mostCreditBytes that a stream may send beyond what its receiver's application has read;
 *     credit doubles up to this while the application keeps up
 * @param sendBytes that a stream accepts from its application before it has sent them
 * @param mostStreams concurrent streams opened by each end
 * @param memory shared by the streams of all sessions; credit grows beyond the first while eight
 *     times as much is free
 */
public record CodedStreamLimits(
    int firstCreditBytes,
    int mostCreditBytes,
    int sendBytes,
    int mostStreams,
    StreamMemory memory) {
  /** Enough for 100 Mbit/s over 600 ms. */
  public static final int USUAL_MOST_CREDIT_BYTES = 8 << 20;

  public static final int USUAL_FIRST_CREDIT_BYTES = 256 << 10;
  public static final int USUAL_SEND_BYTES = 256 << 10;
  public static final int USUAL_MOST_STREAMS = 4_096;

  public CodedStreamLimits {
    if (firstCreditBytes < 1 || mostCreditBytes < firstCreditBytes || mostCreditBytes > 1 << 30) {
      throw new IllegalArgumentException(
          "credit: "
              + firstCreditBytes
              + " to "
              + mostCreditBytes
              + " bytes (expected: 1 to 2^30, the first no more than the most)");
    }
    if (sendBytes < 1 || mostStreams < 1) {
      throw new IllegalArgumentException(
          "bytes to send: " + sendBytes + ", streams: " + mostStreams + " (expected: 1 or more)");
    }
  }

  /** Returns the default bounds with a memory. */
  public static CodedStreamLimits usual(StreamMemory memory) {
    return new CodedStreamLimits(
        USUAL_FIRST_CREDIT_BYTES,
        USUAL_MOST_CREDIT_BYTES,
        USUAL_SEND_BYTES,
        USUAL_MOST_STREAMS,
        memory);
  }
}
