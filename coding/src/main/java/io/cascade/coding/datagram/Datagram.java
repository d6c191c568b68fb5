package io.cascade.coding.datagram;

/** A packet that a session carries. */
public final class Datagram {
  private final int bucket;
  private final byte[] bytes;

  /**
   * @param bucket of its flow, 0 to {@link Datagrams#BUCKETS} − 1: order is kept within a bucket
   * @param bytes must not be changed afterwards
   */
  public Datagram(int bucket, byte[] bytes) {
    this.bucket = bucket;
    this.bytes = bytes;
  }

  public int bucket() {
    return bucket;
  }

  /** The octets, which must not be changed. */
  public byte[] bytes() {
    return bytes;
  }
}
