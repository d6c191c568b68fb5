package io.cascade.studies.multipath;

import io.cascade.studies.multipath.MultipathCell.Carrier;
import io.cascade.studies.study.MachineLoad;
import java.util.List;

/**
 * Measures one transfer after the other over the paths of a lab.
 *
 * @param seconds of each transfer that count
 */
record MultipathTrial(SegmentNetwork network, double seconds) {
  private static final double WARM_UP_SECONDS = 6;
  private static final double WINDOW_SECONDS = 5;
  private static final double STEP_SECONDS = 0.25;
  private static final double DOWN_SECONDS = 12;

  List<PathRun> run(MultipathCell cell) throws Exception {
    network.control(cell.control());
    for (int path = 0; path < cell.paths().size(); path++) {
      network.shape(path, cell.paths().get(path));
    }
    try (SegmentNetwork.Flow flow = begin(cell)) {
      long from = System.nanoTime() + nanos(WARM_UP_SECONDS);
      if (cell.carrier() == Carrier.CUT_CHAIN) {
        return outage(cell, flow, from);
      }
      long to = from + nanos(seconds);
      sleepUntil(to);
      return List.of(counted(cell, cell.way(), flow, from, to));
    }
  }

  private SegmentNetwork.Flow begin(MultipathCell cell) throws Exception {
    return switch (cell.carrier()) {
      case CHAIN, CUT_CHAIN -> network.chain(cell.pipes(), cell.bufferBytes());
      case KERNEL_MPTCP -> network.multipathTcp(cell.paths().size());
    };
  }

  /**
   * Measures while data flow over all paths, while the last path is cut, and after it is restored.
   */
  private List<PathRun> outage(MultipathCell cell, SegmentNetwork.Flow flow, long start)
      throws InterruptedException {
    int last = cell.paths().size() - 1;
    sleepUntil(start + nanos(DOWN_SECONDS));
    network.cut(last, cell.paths().get(last));
    long cut = System.nanoTime();
    sleepUntil(cut + nanos(DOWN_SECONDS));
    network.shape(last, cell.paths().get(last));
    long back = System.nanoTime();
    sleepUntil(back + nanos(2 * DOWN_SECONDS));
    long end = System.nanoTime();
    return List.of(
        counted(cell, "before the cut", flow, start, cut),
        counted(cell, "cut, from its 2nd second on", flow, cut + nanos(1), back),
        counted(cell, "back, from its 2nd second on", flow, back + nanos(1), end));
  }

  private static PathRun counted(
      MultipathCell cell, String way, SegmentNetwork.Flow flow, long from, long to) {
    double worst = Double.POSITIVE_INFINITY;
    long window = nanos(WINDOW_SECONDS);
    for (long at = from; at + window <= to; at += nanos(STEP_SECONDS)) {
      worst = Math.min(worst, flow.bitsPerSecond(at, at + window));
    }
    return new PathRun(
        cell.what(),
        cell.paths(),
        way,
        (to - from) / 1e9,
        flow.bitsPerSecond(from, to),
        Double.isInfinite(worst) ? 0 : worst,
        MachineLoad.oneMinute(),
        null);
  }

  private static long nanos(double seconds) {
    return Math.round(seconds * 1e9);
  }

  private static void sleepUntil(long nanos) throws InterruptedException {
    long left = nanos - System.nanoTime();
    if (left > 0) {
      Thread.sleep(left / 1_000_000, (int) (left % 1_000_000));
    }
  }
}
