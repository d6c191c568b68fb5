package io.cascade.segments;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What a shared secret is good for beside introductions. */
class SharedKeyTest {
  private static final SharedKey KEY = key("a secret that both ends have");

  @Test
  void bothEndsDeriveTheSameKeyOfThirtyTwoBytes() {
    assertThat(KEY.derived("a purpose"))
        .hasSize(32)
        .isEqualTo(key("a secret that both ends have").derived("a purpose"));
  }

  @Test
  void eachPurposeAndEachSecretHasAnother() {
    assertThat(KEY.derived("a purpose"))
        .isNotEqualTo(KEY.derived("another purpose"))
        .isNotEqualTo(key("a secret that others have").derived("a purpose"));
  }

  private static SharedKey key(String secret) {
    return new SharedKey(secret.getBytes(StandardCharsets.US_ASCII));
  }
}
