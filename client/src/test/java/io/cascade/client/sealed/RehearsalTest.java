package io.cascade.client.sealed;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RehearsalTest {
  @Test
  void bothEndsComeToTheHandshakesEnd() throws Exception {
    ReceiverIdentity identity = ReceiverIdentity.create();
    assertThat(Rehearsal.shakeHands(TlsEnds.sender(identity::fingerprint), identity.engine()))
        .isTrue();
  }
}
