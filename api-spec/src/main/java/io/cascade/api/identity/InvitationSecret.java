package io.cascade.api.identity;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

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
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** The prefix without the secret. */
  @Override
  public String toString() {
    return PREFIX + "...";
  }
}
