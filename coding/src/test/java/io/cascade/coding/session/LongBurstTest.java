package io.cascade.coding.session;

import static io.cascade.coding.session.Pair.MILLI;
import static io.cascade.coding.session.Pair.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Thousands of datagrams in a row are lost, as where a receive buffer overflows. */
class LongBurstTest {
  private static final int CONTENT = 16;
  private static final int WINDOW = 8_192;
  private static final int SYMBOLS = 12_000;
  private static final int BYTES = SYMBOLS * (CONTENT - 1);

  @ParameterizedTest
  @CsvSource({
    "0, 5000",
    "1, 1",
    "3000, 256",
    "3000, 500",
    "3000, 2000",
    "3000, 2300",
    "3000, 5000",
    "7000, 5000",
    "11000, 1000"
  })
  void costsLittleMoreThanWhatItLost(int first, int length) {
    carryAll(first, length, 0);
  }

  @ParameterizedTest
  @CsvSource({"3000, 2300", "3000, 5000"})
  void isRepairedWhereSingleDatagramsAreLostAsWell(int first, int length) {
    carryAll(first, length, 0.05);
  }

  @Test
  void anyLengthAnywhereIsRepaired() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 12; i++) {
      carryAll(random.nextInt(SYMBOLS), random.nextInt(1, 5_001), 0);
    }
  }

  private static void carryAll(int first, int length, double loss) {
    Pair pair = new Pair(90 * SECOND, CONTENT, WINDOW, 200_000, 6_000);
    SplittableRandom random = new SplittableRandom(first + length);
    int[] data = {0, 0};
    long[] began = {Long.MAX_VALUE / 2};
    pair.path =
        datagram -> {
          boolean isData = ((datagram[0] >> 2) & 7) != 3;
          int index = isData ? data[0]++ : -1;
          if (index == first) {
            began[0] = pair.now;
          }
          // A full buffer empties, however little is sent meanwhile.
          boolean inBurst =
              isData
                  && index >= first
                  && index < first + length
                  && pair.now < began[0] + 30 * MILLI;
          boolean isLost = inBurst || (isData && random.nextDouble() < loss);
          data[1] += isLost ? 1 : 0;
          return isLost ? null : datagram;
        };
    ByteBuffer bytes = Pair.bytes(BYTES);
    int read = 0;
    long until = 5 * SECOND;
    while (read < BYTES && pair.now < until) {
      pair.near.offer(bytes);
      if (!bytes.hasRemaining()) {
        pair.near.end();
      }
      pair.runUntil(pair.now + MILLI);
      read += pair.read(pair.far);
    }
    String told =
        first
            + "+"
            + length
            + " at "
            + pair.now / MILLI
            + " ms: "
            + pair.near.account()
            + " / "
            + pair.far.account();
    assertThat(read).as(told).isEqualTo(BYTES);
    // What is lost comes again, and a round trip of packets may be too many: 4,000 at this rate.
    SessionAccount account = pair.near.account();
    assertThat(account.repairsSent() + account.repeatsSent())
        .as(told)
        .isLessThan(data[1] * 5L / 4 + 4_500);
  }
}
