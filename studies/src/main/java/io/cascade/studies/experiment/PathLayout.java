package io.cascade.studies.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Layout of a path of a given length, loss and rate over links. */
final class PathLayout {
  /** Room for a burst of ten packets and the acknowledgements' jitter, on the shortest paths. */
  private static final long LEAST_QUEUE_BYTES = 30_000;

  private static final Pattern PLUS = Pattern.compile("\\+");

  private PathLayout() {}

  /** Division of the loss where a path is cut. */
  enum Division {
    /** Each link has the share that its length has: the links together lose what the path did. */
    DIVIDED,
    /** Each link loses as much as the whole path did. */
    UNCHANGED,
    /** All of it on the first link. */
    FIRST,
    /** All of it on the last link. */
    LAST;

    static Division parse(String text) {
      for (Division division : values()) {
        if (division.name().toLowerCase(Locale.ROOT).equals(text)) {
          return division;
        }
      }
      throw new IllegalArgumentException(
          "'" + text + "' (expected: divided, unchanged, first or last)");
    }
  }

  /**
   * @param cuts where relays stand, as shares of the whole length, ascending
   * @param queueBytes 0 for one bandwidth-delay product of the whole path
   */
  static List<PathLink> of(
      double rttSeconds,
      double loss,
      double bitsPerSecond,
      long queueBytes,
      Division division,
      List<Double> cuts) {
    List<PathLink> links = new ArrayList<>();
    double from = 0;
    for (int i = 0; i <= cuts.size(); i++) {
      double to = i < cuts.size() ? cuts.get(i) : 1;
      double share = to - from;
      double linkLoss =
          switch (division) {
            case DIVIDED -> -Math.expm1(Math.log1p(-loss) * share);
            case UNCHANGED -> loss;
            case FIRST -> i == 0 ? loss : 0;
            case LAST -> i == cuts.size() ? loss : 0;
          };
      links.add(
          new PathLink(
              rttSeconds * share,
              linkLoss,
              bitsPerSecond,
              queueBytes > 0 ? queueBytes : queueOf(rttSeconds, bitsPerSecond)));
      from = to;
    }
    return links;
  }

  /** {@code relays} equally spaced. */
  static List<Double> equalCuts(int relays) {
    List<Double> cuts = new ArrayList<>();
    for (int i = 1; i <= relays; i++) {
      cuts.add((double) i / (relays + 1));
    }
    return cuts;
  }

  /** {@code 33%+67%}. */
  static List<Double> cuts(String text) {
    List<Double> cuts = new ArrayList<>();
    double last = 0;
    for (String part : PLUS.splitAsStream(text).toList()) {
      double cut = Quantity.share(part);
      if (cut <= last || cut >= 1) {
        throw new IllegalArgumentException(
            "'" + text + "' (expected: ascending shares between 0% and 100%, such as 33%+67%)");
      }
      cuts.add(cut);
      last = cut;
    }
    return cuts;
  }

  static long queueOf(double rttSeconds, double bitsPerSecond) {
    return Math.max(LEAST_QUEUE_BYTES, Math.round(rttSeconds * bitsPerSecond / 8));
  }
}
