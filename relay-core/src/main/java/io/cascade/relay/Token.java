package io.cascade.relay;

import io.cascade.api.identity.KeySecret;
import java.util.regex.Pattern;

/**
 * The secret that a relay presents to the orchestrator.
 *
 * @param text never printed: 1 to 1024 characters of printable ASCII
 */
public record Token(String text) {
  private static final Pattern FORM = Pattern.compile("[!-~]{1,1024}");

  public Token {
    if (!FORM.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "token: empty, too long, or not printable ASCII without spaces"
              + " (expected: 1 to 1024 characters)");
    }
  }

  /**
   * Returns the token that control calls must present. For an API key it is derived from the key,
   * since the orchestrator knows only the key's digest.
   */
  String ofControlCalls() {
    return KeySecret.isOne(text) ? new KeySecret(text).controlToken() : text;
  }

  @Override
  public String toString() {
    return "set";
  }
}
