package io.cascade.studies.reproduce;

import static io.cascade.model.cascade.LossDivision.DIVIDED;
import static io.cascade.studies.reproduce.PublishedFigure.at;
import static io.cascade.studies.reproduce.PublishedFormulas.PUBLISHED;
import static io.cascade.studies.reproduce.TableOne.path;

import io.cascade.model.cascade.Cascade;
import io.cascade.model.cascade.Hop;
import io.cascade.model.cascade.SetupMode;
import io.cascade.model.tcp.Framing;
import io.cascade.model.tcp.MathisThroughput;
import io.cascade.model.tcp.PathConditions;
import io.cascade.model.units.Rate;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/** Claims of the paper on set-up, waiting and the place of relays. */
final class PaperOverheads {
  private static final double KIB = 1024;

  private PaperOverheads() {}

  static List<PublishedFigure> all() {
    return Stream.of(overheads(), places()).flatMap(List::stream).toList();
  }

  private static List<PublishedFigure> overheads() {
    double rtt = 0.064;
    Hop half = Hop.of(rtt / 2, 0.001).withCapacity(Rate.ofMegabits(32));
    List<Hop> oneRelay = Collections.nCopies(2, half);
    double firstPayload = SetupMode.PARALLEL.seconds(oneRelay) + rtt / 2;
    double sequential = SetupMode.SEQUENTIAL.seconds(oneRelay) + rtt / 2;
    double breakEven = breakEvenBytes(0.001);
    return List.of(
        at(
                "eq. 7",
                "set-up until the first payload arrives, relays told in parallel, in round trips")
            .of("RTT", 1.5, firstPayload / rtt)
            .ownModel(PUBLISHED.setupSeconds(rtt) / rtt)
            .because(
                "it includes the first payload's half round trip, which must not be added again"),
        at("§III-C", "set-up with one relay told after the other, one relay, in round trips")
            .of("RTT", 0.75, sequential / rtt)
            .ownModel(0.75)
            .because(
                "the printed sum over N relays of 1.5·RTTᵢ is no more than the parallel 1.5·RTT, so telling them in parallel would"
                    + " gain nothing"),
        at("eq. 6", "round trips of slow start until the window passes 64 KB")
            .of("", 16, roundsUntil(64 * KIB, 10))
            .ownModel(16)
            .because(
                "from ten packets, as RFC 6928 begins; %d from one packet"
                    .formatted(roundsUntil(64 * KIB, 1))),
        at("eq. 6", "waiting of relays and receiver, W·ΣRTTᵢ, 64 ms, in milliseconds")
            .of("ms", 1024, 0)
            .ownModel(1_000 * PUBLISHED.startWindows() * rtt)
            .because("a relay that forwards at once waits for nothing and runs no drier"),
        at("§VI-A, poster", "bandwidth-delay product from which relays pay, 0.1 %, in KiB")
            .between("KiB", 32, 64, crossoverBytes(0.001) / KIB)
            .because(
                "where the direct path stops filling the link, c·MSS/(share·√p); equations 5 and 6 have no such point, only a least"
                    + " size of transfer, %s MB at any round trip"
                        .formatted(PublishedFigure.figure(breakEven / 1e6))),
        at("poster", "the same at 1 %")
            .between("KiB", 32, 64, crossoverBytes(0.01) / KIB)
            .because("it moves down with loss as published, as 1/√p"),
        at("poster", "the same at 0.01 %")
            .between("KiB", 32, 64, crossoverBytes(0.0001) / KIB)
            .because("the published range does not follow 1/√p"));
  }

  private static List<PublishedFigure> places() {
    double longest = 0.29506;
    double direct = 0.44807;
    Hop path = path(32, 64, 0.1);
    double aside = path.withRtt(0.75 * path.rttSeconds()).steadyRate().bitsPerSecond();
    return List.of(
        at("§VI-C", "gain of a relay at a quarter of the way: the ratio of round trips")
            .of("×", 4.0 / 3, aside / path.steadyRate().bitsPerSecond())
            .ownModel(4.0 / 3),
        at("Table II", "gain of one relay on PlanetLab, windows limited by the hosts")
            .of("×", 6.44 / 5.85, direct / longest)
            .ownModel(direct / longest)
            .within(0.1)
            .because(
                "a connection limited by its window gains as the round trips do, 448 to 295 ms; the paper names the windows as the reason for gaining less"),
        at("eq. 9", "slope of equation 8 between one and two relays over that between none and one")
            .of("×", Math.sqrt(2.5 / 1.5), slopeRatio())
            .ownModel(
                PUBLISHED.marginalBitsPerSecond(path, 1) / PUBLISHED.marginalBitsPerSecond(path, 0))
            .because(
                "differences of the corrected model over whole relays, loss divided, without capacity"));
  }

  private static double slopeRatio() {
    Hop free = Hop.of(0.064, 0.001);
    double[] rates = new double[3];
    for (int relays = 0; relays < 3; relays++) {
      rates[relays] = Cascade.equalHops(free, relays + 1, DIVIDED).steadyBitsPerSecond();
    }
    return (rates[2] - rates[1]) / (rates[1] - rates[0]);
  }

  /**
   * Bandwidth-delay product, in bytes, at which a direct connection's rate falls below what the
   * link carries.
   */
  private static double crossoverBytes(double loss) {
    Framing framing = Framing.ETHERNET_1500;
    double rtt = 0.1;
    double rate =
        MathisThroughput.periodicLoss(1)
            .bitsPerSecond(PathConditions.uncapped(rtt, loss, framing.mssBytes()));
    return rate / framing.payloadShare() * rtt / 8;
  }

  /** The transfer from which equations 1 to 7 prefer one relay; independent of the round trip. */
  private static double breakEvenBytes(double loss) {
    Hop path = Hop.of(0.1, loss);
    double overhead = PUBLISHED.setupSeconds(0.1) + PUBLISHED.startWindows() * 0.1;
    return overhead * PUBLISHED.bitsPerSecond(path) / 8 / (1 - 0.5);
  }

  private static int roundsUntil(double bytes, int initialWindow) {
    int rounds = 0;
    double window = initialWindow * (double) Framing.ETHERNET_1500.mssBytes();
    while (window < bytes) {
      window *= 2;
      rounds++;
    }
    return rounds;
  }
}
