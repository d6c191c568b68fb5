package io.cascade.relay.probe;

/**
 * The two packets of a train, in STAMP's authenticated mode. Numbers are relative to the train's
 * beginning. Timestamps have NTP's format (RFC 5905, section 6) and origins of their own, see
 * {@link TrainCodec#timestamp}.
 */
public sealed interface TrainPacket {
  int sequence();

  /**
   * Packet of the sender.
   *
   * @param timestamp T1
   */
  record Test(int sequence, long timestamp) implements TrainPacket {}

  /**
   * Packet that the reflector sends back.
   *
   * @param sequence the reflector's own number
   * @param timestamp T3, when it was sent back
   * @param receiveTimestamp T2
   * @param testSequence number of the test packet
   * @param testTimestamp its T1
   */
  record Reflected(
      int sequence, long timestamp, long receiveTimestamp, int testSequence, long testTimestamp)
      implements TrainPacket {

    /** Nanoseconds by the reflector's clock from its receipt of one test to that of another. */
    public long receiptNanosSince(Reflected earlier) {
      return NtpTimestamp.nanosBetween(earlier.receiveTimestamp, receiveTimestamp);
    }

    /** Nanoseconds by the reflector's clock between what it sent back. */
    public long returnNanosSince(Reflected earlier) {
      return NtpTimestamp.nanosBetween(earlier.timestamp, timestamp);
    }

    /**
     * Nanoseconds that the reflector held the packet; negative where its clock was set, as others
     * may do.
     */
    public long dwellNanos() {
      return NtpTimestamp.nanosBetween(receiveTimestamp, timestamp);
    }
  }
}
