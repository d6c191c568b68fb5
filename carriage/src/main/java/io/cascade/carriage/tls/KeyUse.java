package io.cascade.carriage.tls;

/**
 * Counts what one key of AES-GCM has sealed, against its limit. Confidentiality decreases with the
 * number of blocks that one key encrypts, so small records are counted by their blocks.
 */
final class KeyUse {
  /**
   * 2^24.5 records of 2^14 bytes, some 388 GB (RFC 8446 section 5.5), less one MiB for records that
   * are not counted: session tickets, alerts and key updates.
   */
  static final long LIMIT_BYTES = ((long) (Math.sqrt(2) * (1 << 24)) << 14) - (1 << 20);

  /** Each record's type and padding to whole blocks, and the block of its tag. */
  static final int RECORD_BYTES = 32;

  private final long limitBytes;
  private long usedBytes;

  KeyUse(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /**
   * Counts bytes that are about to be sealed.
   *
   * @return whether they may be sealed; if not, they are not counted
   */
  boolean take(int plainBytes, int records) {
    long cost = plainBytes + (long) records * RECORD_BYTES;
    if (cost > limitBytes - usedBytes) {
      return false;
    }
    usedBytes += cost;
    return true;
  }

  /** Starts again with a new key. */
  void renew() {
    usedBytes = 0;
  }
}
