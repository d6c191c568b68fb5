package io.cascade.client.forward;

import io.cascade.segments.SharedKey;
import java.util.Arrays;

/**
 * Key of the coded sessions between two junctions, and its name, both derived from their shared
 * key.
 */
final class CodedKey {
  private static final int NAME_BYTES = 16;

  private CodedKey() {}

  static byte[] of(SharedKey shared) {
    return shared.derived("coded session");
  }

  /** Reveals nothing about the key to a party that does not have it. */
  static byte[] name(SharedKey shared) {
    return Arrays.copyOf(shared.derived("coded session's name"), NAME_BYTES);
  }
}
