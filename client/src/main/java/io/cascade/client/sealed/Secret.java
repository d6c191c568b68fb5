package io.cascade.client.sealed;

import io.cascade.client.transfer.content.Sha256;

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
    return new Secret("key " + Sha256.of(key), false);
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
