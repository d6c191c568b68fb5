package io.cascade.client.sealed;

import io.cascade.api.HostPort;
import java.security.SecureRandom;
import java.util.Locale;

/**
 * Code that a receiver prints and a sender is given: the receiver's address, and a secret of 40
 * bits that proves each to the other. Written {@code HOST:PORT/SECRET}, such as {@code
 * 203.0.113.7:7420/4f7k-q2mz}, if the receiver listens there; {@code HOST:PORT/NAME-SECRET}, such
 * as {@code den.example.org:7414/m7q2x9d4kp-4f7k-q2mz}, if a relay there joins both.
 *
 * @param at address at which the receiver listens, or of the relay that joins both
 * @param meeting name of the meeting at the relay, ten characters of 50 bits that are independent
 *     of the secret, so that neither the relay nor a party that guesses names learns anything about
 *     the secret; empty where the receiver listens
 * @param secret eight characters of Crockford's base 32, in lower case, without the dash
 */
public record Code(HostPort at, String meeting, String secret) {
  /** Digits and letters without i, l, o and u. */
  private static final String DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

  private static final int LENGTH = 8;
  private static final int MEETING_LENGTH = 10;
  private static final int GROUP = 4;
  private static final String EXPECTED =
      " (expected: HOST:PORT/SECRET as ./cascade receive prints it, such as"
          + " 203.0.113.7:7420/4f7k-q2mz)";

  public Code {
    if (!isOf(LENGTH, secret) || !(meeting.isEmpty() || isOf(MEETING_LENGTH, meeting))) {
      throw new IllegalArgumentException("the secret is malformed" + EXPECTED);
    }
  }

  /** The code of a receiver that listens. */
  public Code(HostPort at, String secret) {
    this(at, "", secret);
  }

  private static boolean isOf(int length, String text) {
    return text.length() == length && text.chars().allMatch(one -> DIGITS.indexOf(one) >= 0);
  }

  /** A new random code of a receiver that listens. */
  public static Code random(HostPort at, SecureRandom random) {
    return new Code(at, characters(LENGTH, random));
  }

  /** A new random code of a receiver that waits at a relay. */
  public static Code randomMeeting(HostPort relay, SecureRandom random) {
    return new Code(relay, characters(MEETING_LENGTH, random), characters(LENGTH, random));
  }

  /** Returns this code with a new random secret. */
  public Code another(SecureRandom random) {
    return new Code(at, meeting, characters(LENGTH, random));
  }

  private static String characters(int count, SecureRandom random) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(DIGITS.charAt(random.nextInt(DIGITS.length())));
    }
    return text.toString();
  }

  /**
   * Parses a code as a person types it: case, dashes, and I, L and O for 1 and 0 do not matter.
   *
   * @throws IllegalArgumentException where it is malformed; the message names the fault and shows
   *     an example of a code
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
    String characters =
        text.substring(slash + 1)
            .toLowerCase(Locale.ROOT)
            .replace("-", "")
            .replace('i', '1')
            .replace('l', '1')
            .replace('o', '0');
    int meeting = characters.length() - LENGTH;
    if (meeting != 0 && meeting != MEETING_LENGTH) {
      throw new IllegalArgumentException(
          "'%s' is no code: %d characters instead of %d, or of %d for a relay%s"
              .formatted(text, characters.length(), LENGTH, MEETING_LENGTH + LENGTH, EXPECTED));
    }
    try {
      return new Code(at, characters.substring(0, meeting), characters.substring(meeting));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("'%s' is no code: %s".formatted(text, e.getMessage()), e);
    }
  }

  /** The text that the receiver's user passes to the sender's. */
  @Override
  public String toString() {
    return "%s/%s%s-%s"
        .formatted(
            at,
            meeting.isEmpty() ? "" : meeting + "-",
            secret.substring(0, GROUP),
            secret.substring(GROUP));
  }
}
