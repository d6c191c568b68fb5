package io.cascade.api.identity;

import io.cascade.command.Digests;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * The secret of an invitation: {@code cis_} and 192 random bits in Base64 for URLs. With that many
 * a single round of SHA-256 is enough to store it by.
 */
public record InvitationSecret(String text) {
  private static final String PREFIX = "cis_";
  private static final int BYTES = 24;

  /** Makes a new one. */
  public static InvitationSecret random(SecureRandom random) {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return new InvitationSecret(
        PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  /** Whether a bearer token is meant as the secret of an invitation. */
  public static boolean isOne(String text) {
    return text.startsWith(PREFIX);
  }

  /** SHA-256 of the text in hexadecimal digits, by which it is stored and found. */
  public String digest() {
    return Digests.sha256(text);
  }

  /** The prefix without the secret. */
  @Override
  public String toString() {
    return PREFIX + "...";
  }
}
