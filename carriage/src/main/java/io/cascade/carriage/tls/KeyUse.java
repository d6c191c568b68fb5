package io.cascade.carriage.tls;

/**
 * Counts what one key of AES-GCM has sealed, against its limit. The cipher's confidentiality fades
 * with the blocks that one key encrypts, so that small records count for less than full ones.
 */
final class KeyUse {
  /**
   * 2^24.5 records of 2^14 bytes, some 388 GB (RFC 8446 section 5.5), less one MiB for what is
   * sealed uncounted: session tickets, alerts and key updates.
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
   * Counts what is about to be sealed.
   *
   * @return whether it may be; if not, it is not counted
   */
  boolean take(int plainBytes, int records) {
    long cost = plainBytes + (long) records * RECORD_BYTES;
    if (cost > limitBytes - usedBytes) {
      return false;
    }
    usedBytes += cost;
    return true;
  }

  /** Begins anew with a new key. */
  void renew() {
    usedBytes = 0;
  }
}
