package io.cascade.studies.tunnel;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One measured combination.
 *
 * @param sessions number of TCP connections, each between its own hosts, 1 to 4
 * @param loss of each of the two links in the middle, forward: the source's r0
 */
public record TunnelCell(TunnelWay way, int sessions, double loss) {
  /** Losses, those of the forecast first. */
  static final List<Double> LOSSES = List.of(0.1, 0.3, 0.2, 0.0, 0.05, 0.25, 0.15);

  private static final List<Integer> SESSIONS = List.of(3, 4, 1, 2);

  String key() {
    return String.format(Locale.ROOT, "%s, %d sessions, r0 %.2f", way.words(), sessions, loss);
  }

  /** The cells that show the differences best, in that order. */
  static List<TunnelCell> few() {
    List<TunnelCell> cells = new ArrayList<>();
    for (int sessions : SESSIONS) {
      for (List<TunnelWay> ways :
          List.of(
              List.of(TunnelWay.CASCADED, TunnelWay.SINGLE),
              List.of(TunnelWay.END_TO_END),
              List.of(TunnelWay.CASCADED_BLOCKS, TunnelWay.SINGLE_BLOCKS))) {
        for (double loss : List.of(0.1, 0.3, 0.2, 0.0)) {
          ways.forEach(way -> cells.add(new TunnelCell(way, sessions, loss)));
        }
      }
    }
    return List.copyOf(cells);
  }

  /** All cells of the source, in the same order. */
  static List<TunnelCell> all() {
    List<TunnelCell> cells = new ArrayList<>();
    for (double loss : LOSSES) {
      for (int sessions : SESSIONS) {
        for (TunnelWay way : TunnelWay.values()) {
          cells.add(new TunnelCell(way, sessions, loss));
        }
      }
    }
    return List.copyOf(cells);
  }
}
