package io.cascade.testbed.reproduce;

import static io.cascade.testbed.reproduce.TableOne.gain;
import static io.cascade.testbed.reproduce.TableOne.path;
import static io.cascade.testbed.reproduce.TableOne.utilisation;

import io.cascade.model.cascade.AsPublished;
import io.cascade.model.cascade.Cascade;
import io.cascade.model.cascade.Hop;
import io.cascade.model.cascade.LossDivision;
import io.cascade.model.cascade.SetupMode;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.tcp.Framing;
import io.cascade.model.tcp.MathisThroughput;
import io.cascade.model.tcp.PathConditions;
import io.cascade.model.units.Rate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Kalim, Gardner, Brown and Feng, "Cascaded TCP: applying pipelining to TCP for efficient
 * communication over wide-area networks", and the poster of the same work.
 */
final class CascadedTcpPaper {

  private static final AsPublished PUBLISHED = AsPublished.DEFAULTS;
  private static final LossDivision UNCHANGED = LossDivision.UNCHANGED;
  private static final LossDivision DIVIDED = LossDivision.DIVIDED;
  private static final double KIB = 1024;

  private CascadedTcpPaper() {}

  /** The paper's rate of a path cut into equal hops of unchanged loss, which equation 6 implies. */
  private static double publishedUtilisation(Hop path, int relays) {
    return PUBLISHED.bitsPerSecond(path.withRtt(path.rttSeconds() / (relays + 1)))
        / path.capacityBitsPerSecond().orElseThrow();
  }

  private static double publishedGain(Hop path, int relays) {
    return publishedUtilisation(path, relays) / publishedUtilisation(path, 0);
  }

  /** Equation 8, which divides the loss and drops c, as a share of capacity. */
  private static double equation8(Hop path, int relays) {
    return PUBLISHED.bitsPerSecondWithRelays(path, relays)
        / path.capacityBitsPerSecond().orElseThrow();
  }

  static Section paper() {
    List<Claim> claims = new ArrayList<>();
    claims.addAll(gains());
    claims.addAll(utilisations());
    claims.addAll(losses());
    claims.addAll(overheads());
    claims.addAll(places());
    return new Section(
        "Cascaded TCP, the paper",
        """
        Reno on FreeBSD over Dummynet, Table I: round trips of 8 to 512 ms, 0.512 to 256 Mbit/s, losses of 0.001 to 1 %. "As
        published" is equations 1 to 9 as printed: c = √(3/2), no cap by capacity, W = 16. "Corrected" is Mathis' formula with
        the constant for random loss (1.31), capped by the payload share of the capacity; relays in the middle of the path, and
        each hop with the whole path's loss unless it says "divided".
        """,
        claims,
        TableOne.charts(),
        """
        The sweep as numbers: [table-1.csv](table-1.csv).

        **What the table says together.** A doubling for one relay (§V-A.2, Fig. 4) means that each hop has the loss of the whole
        path. About 90 % with two relays at 32 Mbit/s and 64 ms (Fig. 3) means that the loss is divided: with it unchanged, two
        relays end at 70 %. Both cannot hold on one test bed. Utilisation above 80 % with one relay at 64 Mbit/s and 64 ms cannot
        be had from Mathis' formula under either reading.

        """
            + otherControls());
  }

  private static List<Claim> gains() {
    Hop medium = path(32, 64, 0.1);
    Hop slow = path(8, 256, 0.1);
    Hop small = path(4, 8, 0.1);
    return List.of(
        Claim.of(
                "§V-A.2, Fig. 2b",
                "gain of one relay, 32 Mbit/s, 64 ms, 0.1 %",
                "×",
                2,
                gain(medium, 1, UNCHANGED))
            .ownModel(publishedGain(medium, 1))
            .because("with each hop's loss the whole path's"),
        Claim.of(
                "§V-A.2, Fig. 2b",
                "the same, loss divided among the hops",
                "×",
                2,
                gain(medium, 1, DIVIDED))
            .ownModel(equation8(medium, 1) / equation8(medium, 0))
            .because("equation 8 has R√R"),
        Claim.of(
                "§V-A.2, Fig. 2b",
                "gain of one relay, 8 Mbit/s, 256 ms, 0.1 %",
                "×",
                2,
                gain(slow, 1, UNCHANGED))
            .ownModel(publishedGain(slow, 1)),
        Claim.of(
                "§V-A.2",
                "utilisation at 8 Mbit/s, 256 ms over that at 32 Mbit/s, 64 ms: the same bandwidth-delay product",
                "×",
                1,
                utilisation(slow, 0, UNCHANGED) / utilisation(medium, 0, UNCHANGED))
            .ownModel(publishedUtilisation(slow, 0) / publishedUtilisation(medium, 0)),
        Claim.of(
                "§VI-B, Fig. 4",
                "gain of one relay by equation 8's formula, as the text beside it has it",
                "×",
                2,
                gain(medium, 1, UNCHANGED))
            .ownModel(equation8(medium, 1) / equation8(medium, 0))
            .because("equation 8 divides the loss, text and figure do not"),
        Claim.of(
                "§VI-A",
                "gain of one relay at a small bandwidth-delay product: 4 Mbit/s, 8 ms, 0.1 %",
                "×",
                1,
                gain(small, 1, UNCHANGED))
            .ownModel(publishedGain(small, 1))
            .because("only a cap by capacity makes it small; equations 5 and 6 have none"));
  }

  private static List<Claim> utilisations() {
    Hop medium = path(32, 64, 0.1);
    Hop fast = path(64, 64, 0.1);
    Hop faster = path(128, 32, 0.1);
    Hop clean = path(128, 32, 0.001);
    return List.of(
        Claim.of(
                "§V-A.3",
                "the most that can be used, in percent",
                "%",
                94,
                100 * Framing.ETHERNET_1500.payloadShare())
            .within(0.01)
            .because("1448 of 1538 bytes"),
        Claim.of(
                "§V-A.3, Fig. 3",
                "utilisation with two relays, 32 Mbit/s, 64 ms, 0.1 %, loss unchanged",
                "%",
                90,
                100 * utilisation(medium, 2, UNCHANGED))
            .ownModel(100 * publishedUtilisation(medium, 2)),
        Claim.of(
                "§V-A.3, Fig. 3",
                "the same, loss divided",
                "%",
                90,
                100 * utilisation(medium, 2, DIVIDED))
            .ownModel(100 * equation8(medium, 2)),
        Claim.above(
                "§VI-A",
                "utilisation with one relay, 64 Mbit/s, 64 ms, 0.1 %",
                "%",
                80,
                100 * utilisation(fast, 1, UNCHANGED))
            .ownModel(100 * publishedUtilisation(fast, 1))
            .because(
                "%s %% with the loss divided"
                    .formatted(Claim.figure(100 * utilisation(fast, 1, DIVIDED)))),
        Claim.above(
                "§VI-A",
                "utilisation with one relay, 128 Mbit/s, 32 ms, 0.1 %",
                "%",
                80,
                100 * utilisation(faster, 1, UNCHANGED))
            .ownModel(100 * publishedUtilisation(faster, 1))
            .because("the same bandwidth-delay product"),
        Claim.above(
                "§VI-A, Fig. 5",
                "the printed formula's rate over capacity, 128 Mbit/s, 32 ms, 0.001 %: it overestimates",
                "%",
                100,
                100 * utilisation(clean, 0, UNCHANGED))
            .ownModel(100 * publishedUtilisation(clean, 0))
            .within(0)
            .because("the corrected model is capped, so it does not overestimate"),
        Claim.below(
                "§V-A.1",
                "rate at 128 Mbit/s over that at 32 Mbit/s, 64 ms, 0.1 %, direct",
                "×",
                1,
                4
                    * utilisation(path(128, 64, 0.1), 0, UNCHANGED)
                    / utilisation(medium, 0, UNCHANGED))
            .ownModel(
                4 * publishedUtilisation(path(128, 64, 0.1), 0) / publishedUtilisation(medium, 0))
            .because(
                "a slight decrease without a figure; Mathis' formula knows no capacity, so has none"));
  }

  private static List<Claim> losses() {
    Hop lossy = path(32, 64, 1);
    double none = utilisation(lossy, 0, UNCHANGED);
    double one = utilisation(lossy, 1, UNCHANGED);
    double two = utilisation(lossy, 2, UNCHANGED);
    Hop light = path(32, 64, 0.01);
    Hop lighter = path(32, 128, 0.01);
    Hop almostClean = path(128, 256, 0.001);
    Hop reallyClean = almostClean.withLoss(0);
    return List.of(
        Claim.of(
                "§V-A.4, Fig. 3",
                "what the second relay adds over what the first adds, 32 Mbit/s, 64 ms, 1 %",
                "×",
                1,
                (two - one) / (one - none))
            .ownModel(1),
        Claim.of(
                "§V-A.4, Fig. 3",
                "the same at 0.01 %: little, the link being full",
                "×",
                0,
                (utilisation(light, 2, UNCHANGED) - utilisation(light, 1, UNCHANGED))
                    / (utilisation(light, 1, UNCHANGED) - utilisation(light, 0, UNCHANGED)))
            .ownModel(1)
            .because("equations 5 and 6 have no cap"),
        Claim.below(
                "§V-A.4, Fig. 3",
                "two relays over one, 32 Mbit/s, 128 ms, 0.01 %: less, an anomaly by the paper's own words",
                "×",
                1,
                utilisation(lighter, 2, UNCHANGED) / utilisation(lighter, 1, UNCHANGED))
            .ownModel(1.5)
            .within(0)
            .because(
                "explained there by the sender congesting itself, which no model here contains"),
        Claim.of(
                "§V-A.4",
                "gain of one relay without loss, 256 ms, taken as 0.001 % as Fig. 5 does, 128 Mbit/s",
                "×",
                2,
                gain(almostClean, 1, UNCHANGED))
            .ownModel(publishedGain(almostClean, 1)),
        Claim.of("§V-A.4", "the same with no loss at all", "×", 2, gain(reallyClean, 1, UNCHANGED))
            .because(
                "in the steady state both fill the link; what was measured must have been windows still growing"));
  }

  private static List<Claim> overheads() {
    double rtt = 0.064;
    Hop half = Hop.of(rtt / 2, 0.001).withCapacity(Rate.ofMegabits(32));
    List<Hop> oneRelay = Collections.nCopies(2, half);
    double firstPayload = SetupMode.PARALLEL.seconds(oneRelay) + rtt / 2;
    double sequential = SetupMode.SEQUENTIAL.seconds(oneRelay) + rtt / 2;
    double breakEven = breakEvenBytes(0.001);
    return List.of(
        Claim.of(
                "eq. 7",
                "set-up until the first payload arrives, relays told in parallel, in round trips",
                "RTT",
                1.5,
                firstPayload / rtt)
            .ownModel(PUBLISHED.setupSeconds(rtt) / rtt)
            .because(
                "it includes the first payload's half round trip, which must not be added again"),
        Claim.of(
                "§III-C",
                "set-up with one relay told after the other, one relay, in round trips",
                "RTT",
                0.75,
                sequential / rtt)
            .ownModel(0.75)
            .because(
                "the printed sum over N relays of 1.5·RTTᵢ is no more than the parallel 1.5·RTT, so telling them in parallel would"
                    + " gain nothing"),
        Claim.of(
                "eq. 6",
                "round trips of slow start until the window passes 64 KB",
                "",
                16,
                roundsUntil(64 * KIB, 10))
            .ownModel(16)
            .because(
                "from ten packets, as RFC 6928 begins; %d from one packet"
                    .formatted(roundsUntil(64 * KIB, 1))),
        Claim.of(
                "eq. 6",
                "waiting of relays and receiver, W·ΣRTTᵢ, 64 ms, in milliseconds",
                "ms",
                1024,
                0)
            .ownModel(1_000 * PUBLISHED.startWindows() * rtt)
            .because("a relay that forwards at once waits for nothing and runs no drier"),
        Claim.between(
                "§VI-A, poster",
                "bandwidth-delay product from which relays pay, 0.1 %, in KiB",
                "KiB",
                32,
                64,
                crossoverBytes(0.001) / KIB)
            .because(
                "where the direct path stops filling the link, c·MSS/(share·√p); equations 5 and 6 have no such point, only a least"
                    + " size of transfer, %s MB at any round trip"
                        .formatted(Claim.figure(breakEven / 1e6))),
        Claim.between("poster", "the same at 1 %", "KiB", 32, 64, crossoverBytes(0.01) / KIB)
            .because("it moves down with loss as published, as 1/√p"),
        Claim.between("poster", "the same at 0.01 %", "KiB", 32, 64, crossoverBytes(0.0001) / KIB)
            .because("the published range does not follow 1/√p"));
  }

  private static List<Claim> places() {
    double longest = 0.29506;
    double direct = 0.44807;
    Hop path = path(32, 64, 0.1);
    double aside = path.withRtt(0.75 * path.rttSeconds()).steadyRate().bitsPerSecond();
    return List.of(
        Claim.of(
                "§VI-C",
                "gain of a relay at a quarter of the way: the ratio of round trips",
                "×",
                4.0 / 3,
                aside / path.steadyRate().bitsPerSecond())
            .ownModel(4.0 / 3),
        Claim.of(
                "Table II",
                "gain of one relay on PlanetLab, windows limited by the hosts",
                "×",
                6.44 / 5.85,
                direct / longest)
            .ownModel(direct / longest)
            .within(0.1)
            .because(
                "a connection limited by its window gains as the round trips do, 448 to 295 ms; the paper names the windows as the reason for gaining less"),
        Claim.of(
                "eq. 9",
                "slope of equation 8 between one and two relays over that between none and one",
                "×",
                Math.sqrt(2.5 / 1.5),
                slopeRatio())
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

  static Section poster() {
    Hop clean = path(32, 64, 0.1).withLoss(0);
    Hop big = path(128, 512, 0.1);
    return new Section(
        "Cascaded TCP, the poster",
        "The same work, earlier, at a coarser emulation.",
        List.of(
            Claim.of(
                    "results",
                    "utilisation with two relays, 64 ms, no loss",
                    "%",
                    90,
                    100 * utilisation(clean, 2, UNCHANGED))
                .because("so would none: without loss the link is full anyway"),
            Claim.of(
                    "results",
                    "utilisation with two relays, 64 ms, no loss, direct",
                    "%",
                    90,
                    100 * utilisation(clean, 0, UNCHANGED))
                .because(
                    "that the direct path needs relays for it shows that windows were still growing"),
            Claim.of(
                    "results",
                    "gain of one relay at a large bandwidth-delay product, 128 Mbit/s, 512 ms, 0.1 %",
                    "×",
                    2,
                    gain(big, 1, UNCHANGED))
                .ownModel(publishedGain(big, 1)),
            Claim.of(
                "results",
                "protocol overhead's limit",
                "%",
                94,
                100 * Framing.ETHERNET_1500.payloadShare())),
        List.of(),
        "");
  }

  /** BDP in bytes at which a direct connection's rate falls below what the link carries. */
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

  /** What CUBIC and BBR would make of the same paths. */
  private static String otherControls() {
    StringBuilder table =
        new StringBuilder(
            """
            **With another congestion control.** The gain of one relay in the middle, loss divided, 0.1 %:

            | capacity, round trip | Reno | CUBIC | BBR |
            |---|---|---|---|
            """);
    for (double[] setting : new double[][] {{32, 64}, {128, 64}, {128, 256}, {256, 512}}) {
      Hop path = path(setting[0], setting[1], 0.1);
      table.append(
          "| %s Mbit/s, %s ms |".formatted(Claim.figure(setting[0]), Claim.figure(setting[1])));
      for (CongestionControl control :
          List.of(CongestionControl.RENO, CongestionControl.CUBIC, CongestionControl.BBR)) {
        Hop under = path.withCongestionControl(control);
        table.append(" ").append(Claim.figure(gain(under, 1, DIVIDED))).append(" × |");
      }
      table.append('\n');
    }
    return table.toString();
  }
}
