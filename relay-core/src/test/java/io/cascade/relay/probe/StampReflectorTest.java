package io.cascade.relay.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.relay.admission.KnownPeers;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StampReflectorTest {
  private static final InetSocketAddress SOURCE = address(0);

  private final KnownPeers peers = new KnownPeers();
  private final StampReflector reflector = new StampReflector(peers);

  @Test
  void copiesWhatTheSenderNeedsBack() {
    StampPacket.Test test = new StampPacket.Test(41, 1_111, (short) 0x1234, (short) 9);
    assertThat(reflector.answer(SOURCE, test, 2_222, 3_333, 0))
        .isEqualTo(
            new StampPacket.Reflected(
                0, 3_333, StampPacket.ERROR_ESTIMATE, (short) 9, 2_222, 41, 1_111, (short) 0x1234));
  }

  @Test
  void numbersTheAnswersOfEachSessionByThemselves() {
    assertThat(number(SOURCE, 1, 0)).isEqualTo(0);
    assertThat(number(SOURCE, 1, 0)).isEqualTo(1);
    assertThat(number(SOURCE, 2, 0)).isEqualTo(0);
    assertThat(number(new InetSocketAddress(SOURCE.getAddress(), 7412), 1, 0)).isEqualTo(0);
    assertThat(number(SOURCE, 1, 0)).isEqualTo(2);
  }

  @Test
  void refusesNewcomersWhileAllPlacesAreInUse() {
    fill();
    InetSocketAddress newcomer = address(5_000);
    assertThat(number(newcomer, 1, StampReflector.IDLE.toNanos() - 1)).isNull();
    assertThat(reflector.refused()).isEqualTo(1);
    assertThat(number(address(1), 1, 0)).as("a session that was there").isEqualTo(1);
  }

  @Test
  void givesThePlaceThatWasIdleForLongestToANewcomer() {
    fill();
    long later = StampReflector.IDLE.toNanos();
    assertThat(number(address(0), 1, later)).as("keeps its place by using it").isEqualTo(1);
    assertThat(number(address(5_000), 1, later)).isEqualTo(0);
    assertThat(reflector.sessions()).isEqualTo(StampReflector.MOST_SOURCES);
    assertThat(number(address(0), 1, later)).isEqualTo(2);
    assertThat(number(address(1), 1, later)).as("the longest idle one starts anew").isEqualTo(0);
  }

  @Test
  void whoeverTakesManySessionsTakesThemFromNobodyElse() {
    for (int session = 0; session < 1_100; session++) {
      number(SOURCE, session, 0);
    }
    assertThat(reflector.sessions()).isEqualTo(StampReflector.MOST_OF_STRANGER);
    assertThat(number(SOURCE, 1_099, 0)).as("its latest ones go on").isEqualTo(1);
    assertThat(number(SOURCE, 0, 0)).as("its first ones begin anew").isEqualTo(0);
    assertThat(number(address(1), 1, 0)).as("another prober").isEqualTo(0);
  }

  @Test
  void strangersTakeNoPlaceFromRelaysThatAreKnown() {
    InetSocketAddress relay = address(6_000);
    peers.named(List.of(relay.getAddress()));
    fill();
    assertThat(number(relay, 1, 0)).isEqualTo(0);
    assertThat(number(relay, 1, 0)).isEqualTo(1);
  }

  @Test
  void whoeverSendsUnderARelaysAddressKeepsNoProbeOfItFromItsAnswer() {
    InetSocketAddress relay = address(6_000);
    peers.named(List.of(relay.getAddress()));
    assertThat(number(relay, 0, 0)).isEqualTo(0);
    for (int session = 1; session < 1_000; session++) {
      number(new InetSocketAddress(relay.getAddress(), 1_000 + session), session, 0);
      assertThat(number(relay, 0, 0)).as("in use all the time").isEqualTo(session);
    }
    assertThat(number(relay, 1, 0)).as("after a restart").isEqualTo(0);
    assertThat(number(relay, 1, 0)).isEqualTo(1);
    assertThat(reflector.refused()).isZero();
    assertThat(reflector.sessions()).isEqualTo(StampReflector.MOST_OF_KNOWN);
  }

  private void fill() {
    for (int source = 0; source < StampReflector.MOST_SOURCES; source++) {
      assertThat(number(address(source), 1, 0)).isEqualTo(0);
    }
  }

  private static InetSocketAddress address(int number) {
    return new InetSocketAddress(
        InetAddress.ofLiteral("198.18." + number / 256 + "." + number % 256), 7411);
  }

  private @Nullable Integer number(InetSocketAddress source, int session, long nowNanos) {
    StampPacket.Test test = new StampPacket.Test(0, 1, (short) 1, (short) session);
    StampPacket.Reflected answer = reflector.answer(source, test, 1, 1, nowNanos);
    return answer == null ? null : answer.sequence();
  }
}
