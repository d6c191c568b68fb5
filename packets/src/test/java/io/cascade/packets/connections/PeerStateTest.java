package io.cascade.packets.connections;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.packets.connections.PeerState.Event;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeerStateTest {
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          ASSUMED, ASK,    ASSUMED
          ASSUMED, OFFER,  ASSUMED
          ASSUMED, ACCEPT, ASSUMED
          ASSUMED, REFUSE, ASSUMED
          UNKNOWN, ASK,    ASKED
          UNKNOWN, OFFER,  OFFERED
          UNKNOWN, ACCEPT, PRESENT
          UNKNOWN, REFUSE, ABSENT
          ASKED,   ASK,    ASKED
          ASKED,   OFFER,  OFFERED
          ASKED,   ACCEPT, PRESENT
          ASKED,   REFUSE, ABSENT
          OFFERED, ASK,    OFFERED
          OFFERED, OFFER,  OFFERED
          OFFERED, ACCEPT, PRESENT
          OFFERED, REFUSE, OFFERED
          PRESENT, ASK,    PRESENT
          PRESENT, OFFER,  PRESENT
          PRESENT, ACCEPT, PRESENT
          PRESENT, REFUSE, ABSENT
          ABSENT,  ASK,    ABSENT
          ABSENT,  OFFER,  ABSENT
          ABSENT,  ACCEPT, ABSENT
          ABSENT,  REFUSE, ABSENT
          """)
  void movesOn(PeerState from, Event event, PeerState to) {
    assertThat(from.on(event)).isEqualTo(to);
  }
}
