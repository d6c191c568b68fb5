package io.cascade.coding.window;

/**
 * The pseudorandom number generator TinyMT32 with the parameter set of RFC 8682 §2.1 (mat1
 * 0x8f7011ee, mat2 0xfc78ff1f, tmat 0x3793fdff). A seed gives the same numbers on every machine, so
 * that a key of 16 bits determines a row of coefficients. Not for cryptography.
 */
final class TinyMt32 {
  private static final int MAT1 = 0x8f7011ee;
  private static final int MAT2 = 0xfc78ff1f;
  private static final int TMAT = 0x3793fdff;
  private static final int MULTIPLIER = 1_812_433_253;
  private static final int ROUNDS = 8;

  private int s0;
  private int s1;
  private int s2;
  private int s3;

  TinyMt32(int seed) {
    reset(seed);
  }

  /** Starts again, as if made with this seed. */
  void reset(int seed) {
    int[] state = {seed, MAT1, MAT2, TMAT};
    for (int i = 1; i < ROUNDS; i++) {
      int before = state[(i - 1) & 3];
      state[i & 3] ^= i + MULTIPLIER * (before ^ (before >>> 30));
    }
    s0 = state[0];
    s1 = state[1];
    s2 = state[2];
    s3 = state[3];
    for (int i = 0; i < ROUNDS; i++) {
      step();
    }
  }

  private void step() {
    int y = s3;
    int x = (s0 & 0x7fffffff) ^ s1 ^ s2;
    x ^= x << 1;
    y ^= (y >>> 1) ^ x;
    int mask = -(y & 1);
    s0 = s1;
    s1 = s2 ^ (mask & MAT1);
    s2 = x ^ (y << 10) ^ (mask & MAT2);
    s3 = y;
  }

  /** The next number: 32 bits, read as unsigned. */
  int next() {
    step();
    int t0 = s3;
    int t1 = s0 + (s2 >>> 8);
    t0 ^= t1;
    return t0 ^ (-(t1 & 1) & TMAT);
  }

  /** The next number from 0 to 255 (rand256 of RFC 8681). */
  int next256() {
    return next() & 0xff;
  }

  /** The next number from 0 to 15 (rand16 of RFC 8681). */
  int next16() {
    return next() & 0xf;
  }
}
