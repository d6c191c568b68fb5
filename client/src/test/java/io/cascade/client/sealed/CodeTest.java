package io.cascade.client.sealed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.HostPort;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CodeTest {
  private static final HostPort RELAY = new HostPort("den.example.org", 7414);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "den.example.org:7414/m7q2x9d4kp-4f7k-q2mz",
        "den.example.org:7414/M7Q2X-9D4KP-4F7K-Q2MZ",
        "den.example.org:7414/m7q2x9d4kp4f7kq2mz",
      })
  void aMeetingsCodeIsReadAsPeopleTypeIt(String typed) {
    assertThat(Code.parse(typed)).isEqualTo(new Code(RELAY, "m7q2x9d4kp", "4f7kq2mz"));
  }

  @Test
  void aCodeIsReadAsItIsPrinted() {
    Code met = Code.randomMeeting(RELAY, new SecureRandom());
    Code direct = Code.random(new HostPort("203.0.113.7", 7420), new SecureRandom());

    assertThat(Code.parse(met.toString())).isEqualTo(met);
    assertThat(Code.parse(direct.toString())).isEqualTo(direct);
    assertThat(direct.meeting()).isEmpty();
  }

  @Test
  void anotherCodeOfAReceiverLeadsToTheSameMeeting() {
    Code first = Code.randomMeeting(RELAY, new SecureRandom());
    Code next = first.another(new SecureRandom());

    assertThat(next.meeting()).isEqualTo(first.meeting());
    assertThat(next.secret()).isNotEqualTo(first.secret());
  }

  @Test
  void aCodeOfWhichCharactersAreMissingIsRefused() {
    assertThatThrownBy(() -> Code.parse("den.example.org:7414/m7q2x9d4k-4f7k-q2mz"))
        .hasMessageContaining("17 characters instead of 8, or of 18 for a relay");
  }

  @ParameterizedTest
  @ValueSource(strings = {"host:1/4f7k-q2m0", "host:1/4F7KQ2MO", "host:1/4f-7k-q2-mo"})
  void caseDashesAndLookalikesDoNotMatter(String typed) {
    assertThat(Code.parse(typed)).isEqualTo(new Code(new HostPort("host", 1), "", "4f7kq2m0"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "host:1",
        "host/4f7kq2mz",
        "host:1/4f7k",
        "host:1/4f7kq2mu",
        "host:0/4f7kq2mz",
        "::1:9/4f7kq2mz"
      })
  void whatIsNoCodeIsNamedWithWhatOneLooksLike(String typed) {
    assertThatThrownBy(() -> Code.parse(typed))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected: HOST:PORT/SECRET");
  }
}
