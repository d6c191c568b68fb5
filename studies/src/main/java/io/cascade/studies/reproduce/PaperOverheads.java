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
                "set-up until the first payload arrives, relays set up in parallel, in round trips")
            .of("RTT", 1.5, firstPayload / rtt)
            .ownModel(PUBLISHED.setupSeconds(rtt) / rtt)
            .because(
                "it includes the half round trip of the first payload, which must not be added again"),
        at("§III-C", "set-up in sequence, one relay, in round trips")
            .of("RTT", 0.75, sequential / rtt)
            .ownModel(0.75)
            .because(
                "the printed sum over N relays of 1.5·RTTᵢ is no more than the parallel 1.5·RTT, so set-up in parallel would"
                    + " gain nothing"),
        at("eq. 6", "round trips of slow start until the window passes 64 KB")
            .of("", 16, roundsUntil(64 * KIB, 10))
            .ownModel(16)
            .because(
                "from an initial window of ten packets (RFC 6928); %d from one packet"
                    .formatted(roundsUntil(64 * KIB, 1))),
        at("eq. 6", "waiting of relays and receiver, W·ΣRTTᵢ, 64 ms, in milliseconds")
            .of("ms", 1024, 0)
            .ownModel(1_000 * PUBLISHED.startWindows() * rtt)
            .because(
                "a relay that forwards at once does not wait, and its hops are idle no longer than with waiting"),
        at("§VI-A, poster", "least bandwidth-delay product at which relays gain, 0.1 %, in KiB")
            .between("KiB", 32, 64, crossoverBytes(0.001) / KIB)
            .because(
                "where the direct path stops filling the link, c·MSS/(share·√p); equations 5 and 6 have no such point, only a least"
                    + " transfer size, %s MB at any round trip"
                        .formatted(PublishedFigure.figure(breakEven / 1e6))),
        at("poster", "the same at 1 %")
            .between("KiB", 32, 64, crossoverBytes(0.01) / KIB)
            .because("it falls with loss as published, by 1/√p"),
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
                "a connection limited by its window gains by the ratio of round trips, 448 to 295 ms; the paper gives the windows as the reason for the smaller gain"),
        at(
                "eq. 9",
                "slope of equation 8 between one and two relays over the slope between none and one")
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

  /** Bandwidth-delay product in bytes above which a direct connection no longer fills the link. */
  private static double crossoverBytes(double loss) {
    Framing framing = Framing.ETHERNET_1500;
    double rtt = 0.1;
    double rate =
        MathisThroughput.periodicLoss(1)
            .bitsPerSecond(PathConditions.uncapped(rtt, loss, framing.mssBytes()));
    return rate / framing.payloadShare() * rtt / 8;
  }

  /**
   * Least transfer in bytes for which equations 1 to 7 prefer one relay; independent of the round
   * trip.
   */
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
