package io.cascade.packets.scap;

import static io.cascade.packets.scap.PipedConnection.ENDLESS;
import static io.cascade.packets.scap.PipedConnection.MILLI;
import static io.cascade.packets.scap.PipedConnection.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.packets.scap.PipedConnection.Paths;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A connection over two pipes, one of which dies, in virtual time. */
@Tag("slow")
class PipeDeathTest {
  private static final Paths USUAL = new Paths(1_544_000, 50, 40, 80, 60);

  /**
   * A pipe over a device tells at once that its carrier is gone, one of datagrams when 300 ms and a
   * round trip have passed without an answer; of a path that is cut behind a device nobody tells.
   */
  @ParameterizedTest
  @CsvSource({
    "DEF, 0, 0",
    "DEF, 1, 0",
    "DEF, 0, 380",
    "DEF, 1, 380",
    "DEF_PLUS, 0, 0",
    "DEF_PLUS, 1, 0",
    "DEF_PLUS, 0, 380",
    "DEF_PLUS, 1, 380",
    "DEF, 0, 60000",
    "DEF, 1, 60000",
    "DEF_PLUS, 0, 60000",
    "DEF_PLUS, 1, 60000",
    "PAIR, 0, 60000",
    "PAIR, 1, 60000",
    "PAIR, 0, 0",
    "PAIR, 1, 0",
    "PAIR, 0, 380",
    "PAIR, 1, 380",
  })
  void costsOneTimeOutAtMost(Mode mode, int pipe, int toldAfterMillis) {
    assertCostsOneTimeOutAtMost(
        new PipedConnection(mode, USUAL, 0, ENDLESS), pipe, toldAfterMillis * MILLI);
  }

  /** Acknowledgments never add up to what makes a connection's data split. */
  @ParameterizedTest
  @CsvSource({"0", "1"})
  void theEndThatOnlyReceivesLeavesACutPipeAsWell(int pipe) {
    assertCostsOneTimeOutAtMost(
        new PipedConnection(Mode.PAIR, USUAL, 64 << 10, ENDLESS), pipe, 60 * SECOND);
  }

  private static void assertCostsOneTimeOutAtMost(
      PipedConnection connection, int pipe, long toldAfterNanos) {
    connection.runUntil(10 * SECOND);
    assertThat(connection.timeouts()).isZero();

    connection.kill(pipe, toldAfterNanos);
    connection.runUntil(13 * SECOND);
    int settled = connection.received();
    connection.runUntil(23 * SECOND);

    assertThat(connection.timeouts()).isLessThanOrEqualTo(1);
    assertThat(connection.onePipeSeconds(connection.received() - settled) / 10).isGreaterThan(0.9);
  }

  /**
   * A path that is cut during slow start or the recovery from it: many packets are lost at once, by
   * full queues as well, and for a while nothing but what is sent again is under way.
   */
  @ParameterizedTest
  @CsvSource({"DEF_PLUS, 0", "DEF_PLUS, 1", "PAIR, 0", "PAIR, 1"})
  void theOtherPipeEndsATransferWheneverNobodyTells(Mode mode, int pipe) {
    int segments = 1_500;
    for (Paths paths :
        List.of(
            new Paths(1_544_000, 50, 40, 80, 2_000),
            new Paths(6_000_000, 52, 14, 34, 2_000),
            new Paths(6_000_000, 52, 30, 30, 2_000),
            new Paths(20_000_000, 52, 10, 60, 2_000))) {
      for (int before = 50; before < segments; before += 41) {
        PipedConnection connection = new PipedConnection(mode, paths, 0, segments);
        connection.runUntilReceived(before, 60 * SECOND);
        long cut = connection.now();
        connection.kill(pipe, ENDLESS - cut);
        double most = 3 * connection.onePipeSeconds(segments - before) + 10;
        connection.runUntilReceived(segments, cut + Math.round(most * SECOND));
        assertThat(connection.received())
            .as("%s, cut behind %d segments", paths, before)
            .isEqualTo(segments);
      }
    }
  }
}
