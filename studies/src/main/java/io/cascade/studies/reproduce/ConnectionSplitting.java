package io.cascade.studies.reproduce;

import static io.cascade.studies.reproduce.PublishedFigure.at;

import io.cascade.model.tcp.PathConditions;
import io.cascade.model.tcp.PftkThroughput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Jacob and Maddimsetty, "Impact of connection splitting on TCP performance": Reno in user space
 * over UDP between PlanetLab nodes, 1,024-byte segments, a thread and an unbounded queue per relay.
 */
final class ConnectionSplitting {

  private static final int MSS = 1024;
  private static final double LINUX_LIKE_TIMEOUT = 0;

  /** One measured connection; a timeout of 0 if the table has none. */
  private record Row(
      double seconds, double rtt, double timeout, double loss, double bytesPerSecond) {

    double predicted() {
      double chosen = timeout == LINUX_LIKE_TIMEOUT ? 1.2 * rtt : timeout;
      return PftkThroughput.LINUX
              .withRetransmissionTimeout(chosen)
              .bitsPerSecond(PathConditions.uncapped(rtt, loss, MSS))
          / 8;
    }
  }

  /** A direct connection and the hops of the split connection in its place. */
  private record Split(
      String place, String route, double splitSeconds, Row direct, List<Row> hops) {

    double slowestSeconds() {
      return hops.stream().mapToDouble(Row::seconds).max().orElseThrow();
    }

    double predictedGain() {
      return hops.stream().mapToDouble(Row::predicted).min().orElseThrow() / direct.predicted();
    }
  }

  private static final List<Split> SPLITS =
      List.of(
          new Split(
              "Table 1",
              "Singapore to Lebanon, 4 MiB",
              219,
              new Row(348, 0.620, 0.699, 0.057, 12_053),
              List.of(
                  new Row(142, 0.241, 0.384, 0.111, 29_537),
                  new Row(143, 0.226, 0.482, 0.093, 29_331),
                  new Row(219, 0.398, 0.456, 0.056, 19_152))),
          new Split(
              "Table 3",
              "Brazil to India",
              69,
              new Row(115, 0.849, 0, 0.089, 7_157),
              List.of(
                  new Row(64, 0.476, 0, 0.097, 12_861),
                  new Row(66, 0.502, 0, 0.094, 12_471),
                  new Row(69, 0.491, 0, 0.122, 11_930))),
          new Split(
              "Table 3",
              "India to Brazil",
              52,
              new Row(111, 0.674, 0, 0.083, 7_415),
              List.of(
                  new Row(50, 0.425, 0, 0.093, 16_462),
                  new Row(51, 0.389, 0, 0.112, 16_139),
                  new Row(52, 0.404, 0, 0.107, 15_828))),
          new Split(
              "Table 4",
              "UCSB to NYU, 2 MiB",
              26,
              new Row(31, 0.135, 0.270, 0.163, 67_650),
              List.of(
                  new Row(24, 0.089, 0.158, 0.135, 87_381),
                  new Row(26, 0.075, 0.158, 0.124, 80_660),
                  new Row(26, 0.083, 0.207, 0.139, 80_660))));

  private ConnectionSplitting() {}

  static Section section() {
    List<PublishedFigure> claims = new ArrayList<>();
    for (Split split : SPLITS) {
      claims.add(
          at(split.place(), split.route() + ": split time, equal to the slowest hop's")
              .of("s", split.splitSeconds(), split.slowestSeconds())
              .ofOwnNumbers()
              .because(
                  "the sum of the hops is %s s"
                      .formatted(
                          PublishedFigure.figure(
                              split.hops().stream().mapToDouble(Row::seconds).sum()))));
      claims.add(
          at(split.place(), split.route() + ": gain, from the round trips and losses in the table")
              .of("×", split.direct().seconds() / split.splitSeconds(), split.predictedGain())
              .within(0.25)
              .because("PFTK's delivered rate of the slowest hop over that of the direct path"));
    }
    claims.addAll(fileSizes());
    claims.addAll(relays());
    claims.addAll(queue());
    return new Section(
        "Connection splitting",
        """
        This source has no model, so "as published" is empty. Losses are far beyond the range of Mathis' formula, so rates are
        delivered rates by PFTK, with the table's timeout (1.2 round trips if it has none) and segments of 1,024 bytes.
        """,
        claims,
        List.of(),
        rates());
  }

  private static List<PublishedFigure> fileSizes() {
    double[][] table = {{1, 102, 59}, {2, 195, 120}, {4, 348, 219}};
    double first = table[0][1] / table[0][2];
    double last = table[2][1] / table[2][2];
    return List.of(
        at("Table 2", "gain at 4 MB over gain at 1 MB: grows with the file by the text")
            .above("×", 1, last / first)
            .within(0)
            .ofOwnNumbers()
            .because(
                "the table's own times give %s, %s and %s for 1, 2 and 4 MB"
                    .formatted(
                        PublishedFigure.figure(first),
                        PublishedFigure.figure(table[1][1] / table[1][2]),
                        PublishedFigure.figure(last))));
  }

  private static List<PublishedFigure> relays() {
    double[][] table = {{312, 0.604}, {84, 0.275}, {105, 0.321}, {108, 0.364}, {135, 0.385}};
    List<PublishedFigure> claims = new ArrayList<>();
    for (int relays = 1; relays < table.length; relays++) {
      claims.add(
          at(
                  "Table 5",
                  "gain of "
                      + relays
                      + (relays == 1 ? " relay" : " relays")
                      + ", by the slowest hop's round trip alone")
              .of("×", table[0][0] / table[relays][0], table[0][1] / table[relays][1])
              .within(0.25)
              .because(
                  relays == 1
                      ? "the table has no losses: the hops must have lost less than the direct path"
                      : ""));
    }
    double[] byModel =
        Arrays.stream(table).skip(1).mapToDouble(row -> table[0][1] / row[1]).toArray();
    claims.add(
        at(
                "Table 5",
                "gain of four relays over that of one: more relays on the fast part make it worse")
            .below("×", 1, byModel[3] / byModel[0]));
    return claims;
  }

  private static List<PublishedFigure> queue() {
    double in = 17;
    double out = 156;
    return List.of(
        at(
                "buffering, Fig. 7",
                "share of the file in an unbounded relay's queue when the sender is done")
            .of("%", 88, 100 * (1 - in / out))
            .ofOwnNumbers(),
        at("buffering, Fig. 7", "packets in that queue, of 2 MiB")
            .of("", 1_800, 2_048 * (1 - in / out))
            .ofOwnNumbers(),
        at("buffering, Fig. 7", "time until that queue is empty, S(1 − X_out/X_in)/X_out")
            .of("s", 139, out * (1 - in / out))
            .ofOwnNumbers());
  }

  private static String rates() {
    StringBuilder table =
        new StringBuilder(
                "Every connection of Tables 1, 3 and 4, as measured by the source and by PFTK:\n\n")
            .append("| table | route | connection | RTT | loss | measured | PFTK | ratio |\n")
            .append("|---|---|---|---|---|---|---|---|\n");
    for (Split split : SPLITS) {
      table.append(row(split, "direct", split.direct()));
      for (int hop = 0; hop < split.hops().size(); hop++) {
        table.append(row(split, "hop " + (hop + 1), split.hops().get(hop)));
      }
    }
    return table.toString();
  }

  private static String row(Split split, String connection, Row row) {
    return "| %s | %s | %s | %s ms | %s %% | %s B/s | %s B/s | %s |\n"
        .formatted(
            split.place(),
            split.route(),
            connection,
            PublishedFigure.figure(Math.rint(1_000 * row.rtt())),
            PublishedFigure.figure(100 * row.loss()),
            PublishedFigure.figure(row.bytesPerSecond()),
            PublishedFigure.figure(Math.rint(row.predicted())),
            PublishedFigure.figure(row.predicted() / row.bytesPerSecond()));
  }
}
