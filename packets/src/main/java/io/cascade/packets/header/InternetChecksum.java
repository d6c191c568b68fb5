package io.cascade.packets.header;

/** The checksum of IP and TCP (RFC 1071), computed whole or updated (RFC 1624). */
public final class InternetChecksum {
  private InternetChecksum() {}

  /**
   * Adds 16-bit words to a running sum; a last odd byte counts as if a zero followed it.
   *
   * <p>Worked value (RFC 1071, section 3): the bytes 00 01 f2 03 f4 f5 f6 f7 sum to 0x2ddf0, which
   * folds to 0xddf2.
   *
   * @param to end, exclusive
   */
  public static long sum(byte[] bytes, int from, int to, long sum) {
    long total = sum;
    int at = from;
    for (; at + 1 < to; at += 2) {
      total += ((bytes[at] & 0xff) << 8) | (bytes[at + 1] & 0xff);
    }
    return at < to ? total + ((bytes[at] & 0xff) << 8) : total;
  }

  /** The one's complement of a sum, folded to 16 bits: the value in a header. */
  public static int of(long sum) {
    long folded = sum;
    while (folded >>> 16 != 0) {
      folded = (folded & 0xffff) + (folded >>> 16);
    }
    return (int) ~folded & 0xffff;
  }

  /**
   * Updates a checksum after one 16-bit word that it covers has changed: HC' = ~(~HC + ~m + m')
   * (RFC 1624, equation 3). A wrong checksum stays wrong by the same amount.
   *
   * <p>Worked value (RFC 1624, section 4): HC = 0xdd2f, m = 0x5555, m' = 0x3285 give 0x0000.
   */
  public static int updated(int checksum, int oldWord, int newWord) {
    return of((long) (~checksum & 0xffff) + (~oldWord & 0xffff) + newWord);
  }
}
