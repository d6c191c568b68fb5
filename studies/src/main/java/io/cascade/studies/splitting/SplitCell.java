package io.cascade.studies.splitting;

import java.util.ArrayList;
import java.util.List;

/**
 * One measured combination.
 *
 * @param pipes number of paths, 2 or 3
 * @param differenceMillis between the round trips of one path and the next
 */
public record SplitCell(int pipes, int differenceMillis, SplitWay way, TcpSender sender) {
  /** Values of the source's Table 6.1. */
  static final List<Integer> DIFFERENCES = List.of(0, 40, 80, 120, 160);

  static final List<TcpSender> FEW_SENDERS =
      List.of(new TcpSender("cubic", true, true), new TcpSender("reno", false, false));

  String key() {
    return "%d pipes, %d ms, %s, %s"
        .formatted(pipes, differenceMillis, way.words(), sender.words());
  }

  /** The cell with one path, which is the same whatever the other paths are. */
  static SplitCell onePath(TcpSender sender) {
    return new SplitCell(2, 0, SplitWay.ONE_PATH, sender);
  }

  /** Cells with the two senders that differ most. */
  static List<SplitCell> few(List<Integer> pipes) {
    return cells(pipes, FEW_SENDERS);
  }

  /** Cells with CUBIC and Reno, each with and without SACK and timestamps. */
  static List<SplitCell> all(List<Integer> pipes) {
    List<TcpSender> senders = new ArrayList<>();
    for (String control : List.of("cubic", "reno")) {
      for (boolean sack : List.of(true, false)) {
        for (boolean timestamps : List.of(true, false)) {
          senders.add(new TcpSender(control, sack, timestamps));
        }
      }
    }
    return cells(pipes, senders);
  }

  private static List<SplitCell> cells(List<Integer> pipes, List<TcpSender> senders) {
    List<SplitCell> cells = new ArrayList<>();
    for (int count : pipes) {
      for (TcpSender sender : senders) {
        for (SplitWay way : SplitWay.values()) {
          for (int difference : DIFFERENCES) {
            if (way != SplitWay.ONE_PATH) {
              cells.add(new SplitCell(count, difference, way, sender));
            } else if (difference == 0 && count == pipes.getFirst()) {
              cells.add(onePath(sender));
            }
          }
        }
      }
    }
    return List.copyOf(cells);
  }
}
