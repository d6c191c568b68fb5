package io.cascade.client.sealed;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** What both ends have: the secret of a code, or a key. Never printed. */
public final class Secret {
  private final String password;
  private final boolean guessable;

  private Secret(String password, boolean guessable) {
    this.password = password;
    this.guessable = guessable;
  }

  /** A code's secret. */
  public static Secret of(Code code) {
    return new Secret("code " + code.secret(), true);
  }

  /**
   * A key of any length, which nobody can guess.
   *
   * @param key of 16 bytes or more
   */
  public static Secret ofKey(byte[] key) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(key);
      return new Secret("key " + HexFormat.of().formatHex(digest), false);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  char[] password() {
    return password.toCharArray();
  }

  /** Whether it is short enough for many guesses to find it. */
  boolean guessable() {
    return guessable;
  }

  @Override
  public String toString() {
    return guessable ? "code" : "key";
  }
}
