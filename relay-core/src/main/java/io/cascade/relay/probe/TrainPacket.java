package io.cascade.relay.probe;

/**
 * The two packets of a train, in STAMP's authenticated mode. Numbers are relative to the beginning
 * of the train. Timestamps have NTP's format (RFC 5905, section 6) and arbitrary origins, see
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
   * @param timestamp T3, when it was returned
   * @param receiveTimestamp T2
   * @param testSequence number of the test packet
   * @param testTimestamp its T1
   */
  record Reflected(
      int sequence, long timestamp, long receiveTimestamp, int testSequence, long testTimestamp)
      implements TrainPacket {

    /** Nanoseconds by the reflector's clock between the receipts of two tests. */
    public long receiptNanosSince(Reflected earlier) {
      return NtpTimestamp.nanosBetween(earlier.receiveTimestamp, receiveTimestamp);
    }

    /** Nanoseconds by the reflector's clock between the sending of two answers. */
    public long returnNanosSince(Reflected earlier) {
      return NtpTimestamp.nanosBetween(earlier.timestamp, timestamp);
    }

    /** Nanoseconds for which the reflector held the packet; negative if its clock was set. */
    public long dwellNanos() {
      return NtpTimestamp.nanosBetween(receiveTimestamp, timestamp);
    }
  }
}
