package io.cascade.studies.reproduce;

import static io.cascade.model.cascade.LossDivision.DIVIDED;
import static io.cascade.studies.reproduce.TableOne.gain;
import static io.cascade.studies.reproduce.TableOne.path;

import io.cascade.model.cascade.Hop;
import io.cascade.model.tcp.CongestionControl;
import java.util.List;
import java.util.stream.Stream;

/**
 * Kalim, Gardner, Brown and Feng, "Cascaded TCP: applying pipelining to TCP for efficient
 * communication over wide-area networks".
 */
final class CascadedTcpPaper {
  private CascadedTcpPaper() {}

  static Section section() {
    List<PublishedFigure> claims =
        Stream.of(PaperRates.all(), PaperOverheads.all()).flatMap(List::stream).toList();
    return new Section(
        "Cascaded TCP, the paper",
        """
        Reno on FreeBSD over Dummynet, Table I: round trips of 8 to 512 ms, 0.512 to 256 Mbit/s, losses of 0.001 to 1 %. "As
        published" is equations 1 to 9 as printed: c = √(3/2), no cap by capacity, W = 16. "Corrected" is Mathis' formula with
        the constant for random loss (1.31), capped by the payload share of the capacity. Relays divide the path equally, and
        each hop has the loss of the whole path, unless the row says "divided".
        """,
        claims,
        TableOne.charts(),
        """
        The numbers of the sweep are in `table-1.csv`, in the folder of results.

        **Summary of the table.** A doubling for one relay (§V-A.2, Fig. 4) means that each hop has the loss of the whole
        path. About 90 % with two relays at 32 Mbit/s and 64 ms (Fig. 3) means that the loss is divided: if it is unchanged, two
        relays reach 70 %. Both cannot hold on one test bed. Mathis' formula does not yield a utilisation above 80 % with one relay
        at 64 Mbit/s and 64 ms under either reading.

        """
            + otherControls());
  }

  /** Section on the gains of CUBIC and BBR on the same paths. */
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
          "| %s Mbit/s, %s ms |"
              .formatted(PublishedFigure.figure(setting[0]), PublishedFigure.figure(setting[1])));
      for (CongestionControl control :
          List.of(CongestionControl.RENO, CongestionControl.CUBIC, CongestionControl.BBR)) {
        Hop under = path.withCongestionControl(control);
        table.append(" ").append(PublishedFigure.figure(gain(under, 1, DIVIDED))).append(" × |");
      }
      table.append('\n');
    }
    return table.toString();
  }
}
