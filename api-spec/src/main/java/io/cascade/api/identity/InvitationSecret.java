package io.cascade.api.identity;

import io.cascade.command.Digests;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * The secret of an invitation: {@code cis_} and 192 random bits in Base64 for URLs. That many
 * random bits make a single round of SHA-256 sufficient to store it.
 */
public record InvitationSecret(String text) {
  private static final String PREFIX = "cis_";
  private static final int BYTES = 24;

  /** Creates a random one. */
  public static InvitationSecret random(SecureRandom random) {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return new InvitationSecret(
        PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  /** Whether a bearer token has the form of an invitation's secret. */
  public static boolean isOne(String text) {
    return text.startsWith(PREFIX);
  }

  /** SHA-256 of the text in hexadecimal digits, with which it is stored and looked up. */
  public String digest() {
    return Digests.sha256(text);
  }

  /** The prefix without the secret. */
  @Override
  public String toString() {
    return PREFIX + "...";
  }
}
