package io.cascade.studies.coded;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * A path and the flows on it.
 *
 * @param megabits rate of the bottleneck, of IP packets
 * @param roundTripMillis of the path without a queue
 * @param buffer queue of the bottleneck in bandwidth-delay products
 * @param loss behind the bottleneck, in each direction, as {@link io.cascade.links.Loss#parse}
 *     reads it
 * @param flow the measured flow: coded, cubic, reno or bbr
 * @param beside congestion control of a TCP flow that shares the bottleneck but has no random loss;
 *     empty for none
 */
record LabCell(
    int megabits, int roundTripMillis, double buffer, String loss, String flow, String beside) {
  static final String CODED = "coded";
  private static final List<String> RIVALS = List.of("reno", "cubic");
  private static final List<String> GATE_LOSSES = List.of("0%", "1%", "5%", "10%", "30%");

  boolean isShared() {
    return !beside.isEmpty();
  }

  boolean isCoded() {
    return flow.equals(CODED);
  }

  /** Whether a coded flow shares the path. */
  boolean isGate() {
    return isShared() && isCoded();
  }

  /** The same path with other flows or another loss. */
  LabCell with(String otherLoss, String otherFlow, String otherBeside) {
    return new LabCell(megabits, roundTripMillis, buffer, otherLoss, otherFlow, otherBeside);
  }

  /**
   * The cell with a TCP flow in place of the coded one, with the congestion control of the flow
   * beside it.
   */
  LabCell withTcpInstead() {
    return with("0%", beside, beside);
  }

  String key() {
    return String.format(
        Locale.ROOT,
        "%s %s %d %d %.1f %s",
        flow,
        beside.isEmpty() ? "alone" : beside,
        megabits,
        roundTripMillis,
        buffer,
        loss);
  }

  /** The losses of the cells, each once, in ascending order. */
  static List<String> losses(List<LabCell> cells) {
    return cells.stream()
        .sorted(Comparator.comparingDouble(LabRun::lossOf))
        .map(LabCell::loss)
        .distinct()
        .toList();
  }

  /** Load of the cell in bits per second, over one link: the second link only causes loss. */
  double load() {
    return 1.2e6 * megabits;
  }

  /** A selection of all kinds of cells: ten minutes on two processors. */
  static List<LabCell> some() {
    List<LabCell> cells = new ArrayList<>();
    for (int megabits : List.of(10, 100)) {
      for (String loss : List.of("0%", "5%")) {
        for (String rival : RIVALS) {
          cells.add(new LabCell(megabits, 50, 1, loss, CODED, rival));
        }
      }
      for (String loss : List.of("0%", "1%", "10%")) {
        cells.add(new LabCell(megabits, 100, 1, loss, CODED, ""));
      }
    }
    for (String peer : List.of("cubic", "bbr")) {
      cells.add(new LabCell(100, 100, 1, "1%", peer, ""));
    }
    return List.copyOf(cells);
  }

  /**
   * Cells of the gate: a coded flow beside one of kernel TCP, and a second TCP flow in place of the
   * coded one.
   */
  static List<LabCell> gate() {
    List<LabCell> cells = new ArrayList<>();
    for (int megabits : List.of(10, 100)) {
      for (int roundTrip : List.of(50, 100)) {
        for (double buffer : List.of(0.5, 1.0, 2.0)) {
          for (String loss : GATE_LOSSES) {
            for (String rival : RIVALS) {
              cells.add(new LabCell(megabits, roundTrip, buffer, loss, CODED, rival));
            }
          }
          for (String rival : RIVALS) {
            cells.add(new LabCell(megabits, roundTrip, buffer, "0%", rival, rival));
          }
        }
      }
    }
    return List.copyOf(cells);
  }

  /** Flows alone on their path: coded flows with all buffers, kernel TCP with one. */
  static List<LabCell> alone() {
    List<LabCell> cells = new ArrayList<>();
    for (int megabits : List.of(10, 100)) {
      for (int roundTrip : List.of(50, 100)) {
        for (String loss : List.of("0%", "1%", "5%", "10%", "20%", "30%")) {
          for (double buffer : List.of(0.5, 1.0, 2.0)) {
            cells.add(new LabCell(megabits, roundTrip, buffer, loss, CODED, ""));
          }
        }
        cells.add(new LabCell(megabits, roundTrip, 1, "10% burst 3", CODED, ""));
      }
      for (String peer : List.of("cubic", "reno", "bbr")) {
        for (String loss : List.of("0%", "1%", "10%", "20%")) {
          cells.add(new LabCell(megabits, 100, 1, loss, peer, ""));
        }
      }
    }
    return List.copyOf(cells);
  }
}
