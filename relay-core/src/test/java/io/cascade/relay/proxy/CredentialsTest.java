package io.cascade.relay.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.codec.digest.Sha2Crypt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CredentialsTest {
  /** Both by {@code openssl passwd -salt saltsalt secret}, with -6 and -5. */
  private static final String SHA512 =
      "$6$saltsalt$TVLlQcbpFVof5W3Yz4DTP6gRstiNuHwwTt6GLc"
          + "1E5n0U0aDehy0S5knV8wiOQSpT0Y77vwPZN.Pq.H91p5hVO1";

  private static final String SHA256 = "$5$saltsalt$0IyaXrmV7.sGNS6tirgqHLqX/G.FBvgkYA.lpPdS5sA";

  @TempDir private Path folder;

  @Test
  void hashesByOpensslAreUnderstood() throws IOException {
    Credentials credentials = read("ann:" + SHA512, "# a remark", "", "bob:" + SHA256);
    assertThat(credentials.verify("ann", "secret")).isTrue();
    assertThat(credentials.verify("bob", "secret")).isTrue();
    assertThat(credentials.verify("ann", "Secret")).isFalse();
    assertThat(credentials.verify("cat", "secret")).isFalse();
  }

  @Test
  void whatWasRightIsRememberedAndNothingElse() throws IOException {
    Credentials credentials = read("ann:" + SHA512);
    assertThat(credentials.knows("ann", "secret")).isFalse();
    assertThat(credentials.verify("ann", "wrong")).isFalse();
    assertThat(credentials.knows("ann", "wrong")).isFalse();
    assertThat(credentials.verify("ann", "secret")).isTrue();
    assertThat(credentials.knows("ann", "secret")).isTrue();
    assertThat(credentials.knows("ann", "secre")).isFalse();
    assertThat(credentials.knows("an", "nsecret")).isFalse();
  }

  @Test
  void aPasswordOfMoreThan128BytesIsNeverRight() throws IOException {
    String longest = "p".repeat(126) + "ü"; // two bytes
    String tooLong = longest + "p";
    Credentials credentials = read("ann:" + hash(longest), "bob:" + hash(tooLong));
    assertThat(credentials.verify("ann", longest)).isTrue();
    assertThat(credentials.verify("bob", tooLong)).isFalse();
    assertThat(Credentials.isTooLong(longest)).isFalse();
    assertThat(Credentials.isTooLong(tooLong)).isTrue();
  }

  private static String hash(String password) {
    return Sha2Crypt.sha512Crypt(password.getBytes(StandardCharsets.UTF_8), "$6$saltsalt");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ann", "ann:secret", "ann:$1$abc$def", ":$6$x$y", ""})
  void aFileThatDoesNotHelpIsNamedWithoutItsContents(String line) {
    assertThatThrownBy(() -> read(line))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected")
        .hasMessageNotContaining("secret");
  }

  @Test
  void nothingIsShownOfTheHashes() throws IOException {
    assertThat(read("ann:" + SHA512).toString()).contains("ann").doesNotContain("$6$");
  }

  private Credentials read(String... lines) throws IOException {
    Path file = folder.resolve("users");
    Files.writeString(file, String.join("\n", lines));
    return Credentials.read(file);
  }
}
