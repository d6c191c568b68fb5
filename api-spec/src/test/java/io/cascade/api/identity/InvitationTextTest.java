package io.cascade.api.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.orchestrator.Role;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InvitationTextTest {
  private final InvitationSecret secret = InvitationSecret.random(new SecureRandom());

  private InvitationText invitation(List<String> urls) {
    return new InvitationText(
        urls, List.of(), "fra", Role.RELAY, "Frankfurt am Main", secret.text());
  }

  @Test
  void isOneWordThatNoShellChanges() {
    InvitationText invitation = invitation(List.of("https://h:7400#sha256-" + "a".repeat(43)));

    assertThat(invitation.text()).matches("cin_[A-Za-z0-9_-]+");
    assertThat(InvitationText.parse(invitation.text())).isEqualTo(invitation);
    assertThat(invitation.toString()).doesNotContain(secret.text());
  }

  @Test
  void aPartOfItIsNone() {
    String whole = invitation(List.of("https://h:7400")).text();
    for (int length = 0; length < whole.length(); length++) {
      String part = whole.substring(0, length);
      assertThatThrownBy(() -> InvitationText.parse(part))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void whatIsMissingOrTooMuchIsRefused() {
    String none = invitation(List.of()).text();
    String many = invitation(Collections.nCopies(9, "https://h")).text();
    for (String text : List.of(none, many, "csk_x", "cin_!", "cin_" + "a".repeat(9_000))) {
      assertThatThrownBy(() -> InvitationText.parse(text))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "\"\"", "\"no url\"", "\"https://\"", "\"h:7400\""})
  void anAddressThatIsNoneIsRefused(String url) {
    String whole = invitation(List.of("https://h:7400")).text();
    String document =
        new String(
            Base64.getUrlDecoder().decode(whole.substring("cin_".length())),
            StandardCharsets.UTF_8);
    assertThat(document).contains("\"https://h:7400\"");
    String other = document.replace("\"https://h:7400\"", url);
    String text =
        "cin_" + Base64.getUrlEncoder().encodeToString(other.getBytes(StandardCharsets.UTF_8));

    assertThatThrownBy(() -> InvitationText.parse(text))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatIsKeptIsTheAddressThatAnsweredAndTheOtherOrchestrators() {
    InvitationText invitation =
        new InvitationText(
            List.of("https://a:1", "https://10.0.0.1:1"),
            List.of("https://b:1", "https://c:1"),
            "fra",
            Role.RELAY,
            null,
            secret.text());

    assertThat(invitation.addresses()).hasSize(4);
    assertThat(invitation.kept(URI.create("https://10.0.0.1:1")))
        .isEqualTo("https://10.0.0.1:1,https://b:1,https://c:1");
    assertThat(invitation.kept(URI.create("https://c:1")))
        .isEqualTo("https://c:1,https://a:1,https://b:1");
    assertThat(invitation(List.of("https://a:1")).kept(URI.create("https://a:1")))
        .isEqualTo("https://a:1");
  }
}
