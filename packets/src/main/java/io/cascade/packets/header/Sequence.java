package io.cascade.packets.header;

/**
 * Arithmetic of TCP's sequence numbers, which wrap at 2^32 (RFC 9293, section 3.4). Comparisons are
 * correct for numbers less than 2^31 apart.
 */
public final class Sequence {
  private Sequence() {}

  public static boolean before(int one, int other) {
    return one - other < 0;
  }

  public static boolean after(int one, int other) {
    return one - other > 0;
  }

  /** Returns the later one. */
  public static int max(int one, int other) {
    return after(one, other) ? one : other;
  }
}
