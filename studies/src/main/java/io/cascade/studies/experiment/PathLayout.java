package io.cascade.studies.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Division of a path of a given length, loss and rate into links. */
final class PathLayout {
  /** Space for a burst of ten packets and jitter of acknowledgements, on the shortest paths. */
  private static final long LEAST_QUEUE_BYTES = 30_000;

  private static final Pattern PLUS = Pattern.compile("\\+");

  private PathLayout() {}

  /** Division of a path's loss among its links. */
  enum Division {
    /**
     * Each link has a share of the loss by its length, so that all links together lose as much as
     * the path.
     */
    DIVIDED,
    /** Each link has the loss of the whole path. */
    UNCHANGED,
    /** The first link has the whole loss. */
    FIRST,
    /** The last link has the whole loss. */
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
   * @param cuts places of relays, as shares of the length, ascending
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

  /** Places of {@code relays} with equal distances. */
  static List<Double> equalCuts(int relays) {
    List<Double> cuts = new ArrayList<>();
    for (int i = 1; i <= relays; i++) {
      cuts.add((double) i / (relays + 1));
    }
    return cuts;
  }

  /** Parses places such as {@code 33%+67%}. */
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
