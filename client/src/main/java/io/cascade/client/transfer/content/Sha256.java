package io.cascade.client.transfer.content;

import io.cascade.command.Digests;
import java.util.Arrays;
import java.util.HexFormat;

/** A SHA-256 digest. */
public final class Sha256 {
  /** Length of a digest in bytes. */
  public static final int BYTES = 32;

  private final byte[] value;

  public Sha256(byte[] value) {
    if (value.length != BYTES) {
      throw new IllegalArgumentException(
          "digest: " + value.length + " bytes (expected: " + BYTES + ")");
    }
    this.value = value.clone();
  }

  /** Computes the digest of bytes. */
  public static Sha256 of(byte[] content) {
    return new Sha256(Digests.sha256().digest(content));
  }

  /** A copy of its bytes. */
  public byte[] bytes() {
    return value.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Sha256 that && Arrays.equals(value, that.value);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(value);
  }

  /** The digest in hexadecimal, as sha256sum prints it. */
  @Override
  public String toString() {
    return HexFormat.of().formatHex(value);
  }
}
