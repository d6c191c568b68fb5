package io.cascade.relay.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StampReflectorTest {
  private static final InetSocketAddress SOURCE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 7411);

  private final StampReflector reflector = new StampReflector();

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
    assertThat(number(new InetSocketAddress(InetAddress.getLoopbackAddress(), 7412), 1, 0))
        .isEqualTo(0);
    assertThat(number(SOURCE, 1, 0)).isEqualTo(2);
  }

  @Test
  void refusesNewcomersWhileAllSessionsAreInUse() {
    fill();
    assertThat(number(SOURCE, 5_000, StampReflector.IDLE.toNanos() - 1)).isNull();
    assertThat(reflector.refused()).isEqualTo(1);
    assertThat(number(SOURCE, 1, 0)).as("a session that was there").isEqualTo(1);
  }

  @Test
  void givesTheLongestIdleSessionToANewcomer() {
    fill();
    long later = StampReflector.IDLE.toNanos();
    assertThat(number(SOURCE, 1, later)).as("keeps its session by using it").isEqualTo(1);
    assertThat(number(SOURCE, 5_000, later)).isEqualTo(0);
    assertThat(reflector.sessions()).isEqualTo(StampReflector.MOST_SESSIONS);
    assertThat(number(SOURCE, 1, later)).isEqualTo(2);
    assertThat(number(SOURCE, 2, later)).as("the longest idle one starts anew").isEqualTo(0);
  }

  private void fill() {
    for (int session = 1; session <= StampReflector.MOST_SESSIONS; session++) {
      assertThat(number(SOURCE, session, 0)).isEqualTo(0);
    }
  }

  private @Nullable Integer number(InetSocketAddress source, int session, long nowNanos) {
    StampPacket.Test test = new StampPacket.Test(0, 1, (short) 1, (short) session);
    StampPacket.Reflected answer = reflector.answer(source, test, 1, 1, nowNanos);
    return answer == null ? null : answer.sequence();
  }
}
