package io.cascade.model.cascade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.model.tcp.CongestionControl;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What little room at relays costs: Reno hops, one after the other, followed window by window, with
 * losses drawn for each. The figures of {@code docs/how/model.md}.
 */
class RelayRoomTest {
  private static final int ROUNDS = 200_000;
  private static final int FIRST_ROUNDS = ROUNDS / 10;

  @ParameterizedTest(name = "{0}: {1} times MSS/p")
  @CsvSource({
    "0.001, 0.25, 0.81, 0.75",
    "0.001, 1,    0.88, 0.84",
    "0.001, 2,    0.92, 0.90",
    "0.001, 4,    0.95, 0.93",
    "0.001, 8,    0.97, 0.96",
    "0.001, 12,   0.98, 0.97",
    "0.001, 32,   0.99, 0.99",
    "0.01,  0.25, 0.79, 0.72",
    "0.01,  1,    0.87, 0.83",
    "0.01,  2,    0.91, 0.89",
    "0.01,  4,    0.95, 0.93",
    "0.01,  8,    0.97, 0.96",
    "0.01,  12,   0.98, 0.97",
    "0.01,  32,   0.99, 0.99",
  })
  void roomIsMeasuredInWhatComesBetweenLosses(
      double loss, double times, double ofTwo, double ofThree) {
    double packets = times / loss;
    double alone = packetsPerRound(0, loss);
    assertThat(packetsPerRound(packets, loss, loss) / alone).isCloseTo(ofTwo, within(0.015));
    assertThat(packetsPerRound(packets, loss, loss, loss) / alone)
        .isCloseTo(ofThree, within(0.015));
  }

  @Test
  void aBufferOfTwoWindowsCostsAFifth() {
    double alone = packetsPerRound(0, 0.001);
    assertThat(packetsPerRound(2 * alone, 0.001, 0.001) / alone).isCloseTo(0.77, within(0.015));
  }

  /** However fast the other hop is; its rate is as one over the root of its loss. */
  @ParameterizedTest
  @CsvSource({"1", "1.25", "1.5", "2", "3"})
  void withTheRoomThatTheModelAsksForTheSlowerHopLosesAtMostOneTwentieth(double faster) {
    double slowLoss = 0.001 * faster * faster;
    Hop fast = Hop.of(0.05, 0.001).withModel(CongestionControl.RENO.model());
    Hop slow = fast.withLoss(slowLoss);
    double room = Cascade.of(List.of(fast, slow)).relayBufferBytes(0) / fast.mssBytes();
    double alone = packetsPerRound(0, slowLoss);
    assertThat(packetsPerRound(room, 0.001, slowLoss) / alone).isBetween(0.95, 1.02);
    assertThat(packetsPerRound(room, slowLoss, 0.001) / alone).isBetween(0.95, 1.02);
  }

  /**
   * Ten minutes over hops of 64 ms with 0.1 %, ten seconds before them left out: what a run can
   * show. It begins with an empty relay, and some four hundred losses are too few to average out;
   * with fifty, a chain would carry 0.95 and 0.92 of a hop, whatever its room.
   */
  @ParameterizedTest
  @CsvSource({"12, 0.97, 0.955", "Infinity, 0.975, 0.96"})
  void aRunOfFourHundredLossesFallsShortOfOneHopWithAnyRoom(
      double times, double ofTwo, double ofThree) {
    assertThat(ofOneHopInARun(2, times / 0.001)).isCloseTo(ofTwo, within(0.01));
    assertThat(ofOneHopInARun(3, times / 0.001)).isCloseTo(ofThree, within(0.01));
  }

  private static double ofOneHopInARun(int hops, double room) {
    SplittableRandom random = new SplittableRandom(3);
    double[] losses = DoubleStream.generate(() -> 0.001).limit(hops).toArray();
    double one = 0;
    double chain = 0;
    for (int run = 0; run < 400; run++) {
      one += packetsPerRound(random, 160, 9_400, 0, 0.001);
      chain += packetsPerRound(random, 160, 9_400, room, losses);
    }
    return chain / one;
  }

  /**
   * What leaves the last of these hops.
   *
   * @param room packets that the relay after each hop but the last may hold
   */
  private static double packetsPerRound(double room, double... losses) {
    return packetsPerRound(new SplittableRandom(1), FIRST_ROUNDS, ROUNDS, room, losses);
  }

  private static double packetsPerRound(
      SplittableRandom random, int firstRounds, int rounds, double room, double... losses) {
    int hops = losses.length;
    double[] window = DoubleStream.generate(() -> 10).limit(hops).toArray();
    double[] untilLoss = Arrays.stream(losses).map(loss -> gap(random, loss)).toArray();
    // One more on either side: the source never runs dry, and the destination always takes.
    double[] held = new double[hops + 1];
    held[0] = Double.POSITIVE_INFINITY;
    double delivered = 0;
    for (int round = 0; round < rounds; round++) {
      for (int hop = 0; hop < hops; hop++) {
        boolean last = hop == hops - 1;
        double free = last ? Double.POSITIVE_INFINITY : room - held[hop + 1];
        double sent = Math.min(window[hop], Math.min(held[hop], free));
        boolean filled = sent >= window[hop];
        held[hop] -= sent;
        if (!last) {
          held[hop + 1] += sent;
        } else if (round >= firstRounds) {
          delivered += sent;
        }
        untilLoss[hop] -= sent;
        if (untilLoss[hop] <= 0) {
          window[hop] = Math.max(1, window[hop] / 2);
          untilLoss[hop] = gap(random, losses[hop]);
        } else if (filled) {
          window[hop]++; // RFC 7661: what does not fill its window does not widen it
        }
      }
    }
    return delivered / (rounds - firstRounds);
  }

  private static double gap(SplittableRandom random, double loss) {
    return -Math.log(1 - random.nextDouble()) / loss;
  }

  @Test
  void theModelAsksForTheSameOfEveryRelayBetweenEqualHops() {
    Hop hop = Hop.of(0.02, 0.002).withModel(CongestionControl.RENO.model());
    Cascade cascade = Cascade.of(Collections.nCopies(4, hop));
    assertThat(cascade.relayBufferBytes(0)).isEqualTo(cascade.relayBufferBytes(2));
  }
}
