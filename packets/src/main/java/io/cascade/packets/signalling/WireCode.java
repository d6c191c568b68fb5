package io.cascade.packets.signalling;

import org.jspecify.annotations.Nullable;

/** Value that a number represents in a message. */
interface WireCode {
  int code();

  /** Returns the value of a code; null if none has it. */
  static <T extends WireCode> @Nullable T find(T[] values, int code) {
    for (T value : values) {
      if (value.code() == code) {
        return value;
      }
    }
    return null;
  }
}
