package io.cascade.api.identity;

import io.cascade.command.Digests;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The text of an API key: {@code csk_} and 256 random bits in Base64 for URLs. That many random
 * bits make a single round of SHA-256 sufficient to store it.
 */
public record KeySecret(String text) {
  public static final String PREFIX = "csk_";
  private static final int BYTES = 32;
  private static final String CONTROL = "cascade relay control";

  /** Creates a random one. */
  public static KeySecret random(SecureRandom random) {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return new KeySecret(PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  /** Whether a bearer token has the form of an API key. */
  public static boolean isOne(String text) {
    return text.startsWith(PREFIX);
  }

  /** SHA-256 of the text in hexadecimal digits, with which it is stored and looked up. */
  public String digest() {
    return Digests.sha256(text);
  }

  /**
   * Token that the orchestrator sends to a relay with this key: HMAC-SHA256 of the key, so that a
   * party which reads one of the two cannot use the other.
   */
  public String controlToken() {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(text.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return HexFormat.of().formatHex(mac.doFinal(CONTROL.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HMAC-SHA256", e);
    }
  }

  /** The prefix without the secret. */
  @Override
  public String toString() {
    return PREFIX + "...";
  }
}
