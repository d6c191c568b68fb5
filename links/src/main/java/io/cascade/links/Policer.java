package io.cascade.links;

/**
 * Token bucket without a queue: a packet for which there are not enough tokens is dropped, as
 * providers drop traffic beyond a contract. As text: {@code 10Mbit burst 64KiB}.
 *
 * @param bitsPerSecond of IP packets, 1 kbit/s to 100 Gbit/s; 0 for no policer
 * @param burstBytes that may pass at once, 1,500 to 1 GiB
 */
public record Policer(long bitsPerSecond, long burstBytes) {
  public static final Policer NONE = new Policer(0, 0);

  public Policer {
    boolean isNone = bitsPerSecond == 0 && burstBytes == 0;
    if (!isNone && (bitsPerSecond < 1_000 || bitsPerSecond > 100_000_000_000L)) {
      throw new IllegalArgumentException(
          "police: " + bitsPerSecond + " bit/s (expected: 1 kbit/s to 100 Gbit/s)");
    }
    if (!isNone && (burstBytes < 1_500 || burstBytes > 1L << 30)) {
      throw new IllegalArgumentException(
          "police: a burst of " + burstBytes + " bytes (expected: 1500 bytes to 1 GiB)");
    }
  }

  /** Token bucket of a policer, full at the beginning. */
  static final class Bucket {
    private Policer policer = NONE;
    private double tokens;
    private long nanos;

    /** Changes the policer; the bucket keeps the tokens that fit. */
    void become(Policer next, long nowNanos) {
      tokens =
          policer.bitsPerSecond() == 0
              ? next.burstBytes()
              : Math.min(tokens, (double) next.burstBytes());
      policer = next;
      nanos = nowNanos;
    }

    /** Takes a packet's tokens; returns whether there were enough. */
    boolean passes(long nowNanos, int length) {
      if (policer.bitsPerSecond() == 0) {
        return true;
      }
      double gained = (nowNanos - nanos) / 8e9 * policer.bitsPerSecond();
      tokens = Math.min((double) policer.burstBytes(), tokens + gained);
      nanos = nowNanos;
      if (tokens < length) {
        return false;
      }
      tokens -= length;
      return true;
    }
  }
}
