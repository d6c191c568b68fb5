package io.cascade.client.forward;

import io.cascade.segments.SharedKey;
import java.util.Arrays;

/** Key of the coded sessions between two junctions, and its name, of their shared key. */
final class CodedKey {
  private static final int NAME_BYTES = 16;

  private CodedKey() {}

  static byte[] of(SharedKey shared) {
    return shared.derived("coded session");
  }

  /** Says nothing of the key to who does not have it. */
  static byte[] name(SharedKey shared) {
    return Arrays.copyOf(shared.derived("coded session's name"), NAME_BYTES);
  }
}
