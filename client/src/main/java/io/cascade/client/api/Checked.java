package io.cascade.client.api;

import java.time.Duration;

/** Checks arguments that programs pass to both ends. */
final class Checked {
  /** A shorter key could be guessed. */
  static final int LEAST_KEY_BYTES = 16;

  private Checked() {}

  static byte[] key(byte[] key) {
    if (key.length < LEAST_KEY_BYTES) {
      throw new IllegalArgumentException(
          "key: %d bytes (expected: at least %d)".formatted(key.length, LEAST_KEY_BYTES));
    }
    return key.clone();
  }

  static Duration patience(Duration time) {
    if (!time.isPositive()) {
      throw new IllegalArgumentException("patience: " + time + " (expected: more than 0 s)");
    }
    return time;
  }
}
