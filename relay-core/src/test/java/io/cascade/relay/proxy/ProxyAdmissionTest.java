package io.cascade.relay.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProxyAdmissionTest {
  private static final InetAddress STRANGER = InetAddress.ofLiteral("192.0.2.66");
  private static final InetAddress USER = InetAddress.ofLiteral("192.0.2.1");

  private final ProxyAdmission admission =
      new ProxyAdmission(
          ProxySettings.NONE,
          Duration.ofSeconds(10),
          8,
          Runnable::run,
          (_, _, _, _, _) -> HandshakeOutcome.DIRECT);

  @Test
  void oneSourceHasAQuarterOfTheHandshakes() {
    assertThat(admission.enter(STRANGER)).isNull();
    assertThat(admission.enter(STRANGER)).isNull();
    assertThat(admission.enter(STRANGER)).isEqualTo(HandshakeOutcome.LIMIT);
    assertThat(admission.enter(USER)).isNull();

    admission.leave(STRANGER);
    assertThat(admission.enter(STRANGER)).isNull();
    assertThat(admission.pending()).isEqualTo(3);
  }

  @Test
  void allSourcesTogetherHaveABound() {
    for (int i = 1; i <= 8; i++) {
      assertThat(admission.enter(InetAddress.ofLiteral("198.51.100." + i))).isNull();
    }
    assertThat(admission.enter(USER)).isEqualTo(HandshakeOutcome.LIMIT);
  }
}
