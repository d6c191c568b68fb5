package io.cascade.client.sealed;

import io.cascade.client.transfer.content.Sha256;

/** Secret that both ends share: that of a code, or a key. Never printed. */
public final class Secret {
  private final String password;
  private final boolean guessable;

  private Secret(String password, boolean guessable) {
    this.password = password;
    this.guessable = guessable;
  }

  /** The secret of a code. */
  public static Secret of(Code code) {
    return new Secret("code " + code.secret(), true);
  }

  /**
   * The secret of a key, which cannot be guessed.
   *
   * @param key of 16 bytes or more
   */
  public static Secret ofKey(byte[] key) {
    return new Secret("key " + Sha256.of(key), false);
  }

  char[] password() {
    return password.toCharArray();
  }

  /** Whether it is short enough to be found by many guesses. */
  boolean guessable() {
    return guessable;
  }

  @Override
  public String toString() {
    return guessable ? "code" : "key";
  }
}
