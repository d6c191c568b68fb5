package io.cascade.client.sealed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.HostPort;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CodeTest {
  @ParameterizedTest
  @ValueSource(strings = {"host:1/4f7k-q2m0", "host:1/4F7KQ2MO", "host:1/4f-7k-q2-mo"})
  void caseDashesAndLookalikesDoNotMatter(String typed) {
    assertThat(Code.parse(typed)).isEqualTo(new Code(new HostPort("host", 1), "4f7kq2m0"));
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

  @Test
  void aCodeIsReadAsItIsWritten() {
    Code code = Code.random(new HostPort("2001:db8::1", 7420), new SecureRandom());

    assertThat(code.toString()).startsWith("[2001:db8::1]:7420/");
    assertThat(Code.parse(code.toString())).isEqualTo(code);
  }
}
