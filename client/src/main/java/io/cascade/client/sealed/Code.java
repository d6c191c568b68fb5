package io.cascade.client.sealed;

import io.cascade.api.HostPort;
import java.security.SecureRandom;
import java.util.Locale;

/**
 * What a receiver prints and a sender is given: where the receiver listens, and a secret of 40 bits
 * that proves each to the other. Written {@code HOST:PORT/SECRET}, such as {@code
 * 203.0.113.7:7420/4f7k-q2mz}.
 *
 * @param at where the receiver listens
 * @param secret eight characters of Crockford's base 32, in lower case, without the dash
 */
public record Code(HostPort at, String secret) {
  /** Without i, l, o and u. */
  private static final String DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

  private static final int LENGTH = 8;
  private static final int GROUP = 4;
  private static final String EXPECTED =
      " (expected: HOST:PORT/SECRET as ./cascade receive prints it, such as"
          + " 203.0.113.7:7420/4f7k-q2mz)";

  public Code {
    if (secret.length() != LENGTH || !secret.chars().allMatch(one -> DIGITS.indexOf(one) >= 0)) {
      throw new IllegalArgumentException("the secret is malformed" + EXPECTED);
    }
  }

  /** A code that did not exist before. */
  public static Code random(HostPort at, SecureRandom random) {
    StringBuilder secret = new StringBuilder();
    for (int i = 0; i < LENGTH; i++) {
      secret.append(DIGITS.charAt(random.nextInt(DIGITS.length())));
    }
    return new Code(at, secret.toString());
  }

  /**
   * Reads a code as a person types it: case, dashes, and I, L and O for 1 and 0 do not matter.
   *
   * @throws IllegalArgumentException naming what is wrong and what a code looks like
   */
  public static Code parse(String text) {
    int slash = text.lastIndexOf('/');
    if (slash < 0) {
      throw new IllegalArgumentException("'%s' is no code%s".formatted(text, EXPECTED));
    }
    HostPort at;
    try {
      at = HostPort.parse(text.substring(0, slash));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "'%s' is no code: %s%s".formatted(text, e.getMessage(), EXPECTED), e);
    }
    String secret =
        text.substring(slash + 1)
            .toLowerCase(Locale.ROOT)
            .replace("-", "")
            .replace('i', '1')
            .replace('l', '1')
            .replace('o', '0');
    if (secret.length() != LENGTH) {
      throw new IllegalArgumentException(
          "'%s' is no code: a secret of %d characters instead of %d%s"
              .formatted(text, secret.length(), LENGTH, EXPECTED));
    }
    try {
      return new Code(at, secret);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("'%s' is no code: %s".formatted(text, e.getMessage()), e);
    }
  }

  /** As people pass it on. */
  @Override
  public String toString() {
    return at + "/" + secret.substring(0, GROUP) + "-" + secret.substring(GROUP);
  }
}
