package io.cascade.studies.multipath;

import io.cascade.studies.study.MachineLoad;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Measures what one path carries, several together, and Multipath TCP, one after the other. */
public final class MultipathCampaign {
  static final String ALL = "pipes over all paths";
  static final String MPTCP = "kernel MPTCP over all paths";
  static final String FOUR = "four parallel pipes";
  static final String ONE = "one pipe";
  private static final double WARM_UP_SECONDS = 6;
  private static final double WINDOW_SECONDS = 5;
  private static final double STEP_SECONDS = 0.25;
  private static final long BUFFER = 4 << 20;
  private static final long LARGE_BUFFER = 16 << 20;
  private static final List<Double> LOSSES = List.of(0.0, 0.001, 0.01);
  private static final double DOWN_SECONDS = 12;

  private final double seconds;
  private final int repeat;
  private final String only;
  private final PrintWriter err;
  private final List<PathRun> runs = new ArrayList<>();

  /**
   * @param seconds that count of each transfer
   * @param repeat how often everything is measured
   * @param only words that the names of paths have which are measured; empty for all
   */
  public MultipathCampaign(double seconds, int repeat, String only, PrintWriter err) {
    this.only = only;
    this.seconds = seconds;
    this.repeat = repeat;
    this.err = err;
  }

  /** Begins a transfer over shaped paths. */
  private interface Start {
    SegmentNetwork.Flow begin() throws Exception;
  }

  /** Measures everything. */
  List<PathRun> measure() throws Exception {
    String name = "m" + ProcessHandle.current().pid();
    try (SegmentNetwork network = SegmentNetwork.up(name)) {
      for (int i = 0; i < repeat; i++) {
        measure(network);
      }
    }
    return runs;
  }

  private void measure(SegmentNetwork network) throws Exception {
    for (int second : List.of(40, 200)) {
      for (double loss : LOSSES) {
        together(
            network,
            "two paths",
            List.of(new PathShape(10e6, 40, loss), new PathShape(10e6, second, loss)),
            BUFFER);
      }
    }
    together(
        network,
        "three paths",
        List.of(
            new PathShape(1.544e6, 40, 0),
            new PathShape(1.544e6, 200, 0),
            new PathShape(1.544e6, 360, 0)),
        BUFFER);
    PathShape slow = new PathShape(10e6, 40, 0);
    PathShape quick = new PathShape(40e6, 40, 0);
    together(network, "unequal paths", List.of(slow, quick), LARGE_BUFFER);
    together(network, "unequal paths, one lossy", List.of(slow, quick.losing(0.05)), LARGE_BUFFER);
    outage(network, List.of(slow, quick));
    parallel(network, new PathShape(1e9, 100, 1e-4));
  }

  private void together(SegmentNetwork network, String what, List<PathShape> paths, long buffer)
      throws Exception {
    if (!what.contains(only)) {
      return;
    }
    network.control("cubic");
    shape(network, paths);
    List<Integer> all = new ArrayList<>();
    for (int path = 0; path < paths.size(); path++) {
      all.add(path);
      int alone = path;
      boolean seen = paths.indexOf(paths.get(path)) < path;
      if (!seen) {
        run(
            what,
            paths,
            "path " + (path + 1) + " alone",
            () -> network.chain(List.of(alone), buffer));
      }
    }
    run(what, paths, ALL, () -> network.chain(all, buffer));
    run(what, paths, MPTCP, () -> network.multipathTcp(paths.size()));
  }

  private void parallel(SegmentNetwork network, PathShape path) throws Exception {
    String what = "one path, Reno";
    if (!what.contains(only)) {
      return;
    }
    network.control("reno");
    shape(network, List.of(path));
    run(what, List.of(path), ONE, () -> network.chain(List.of(0), LARGE_BUFFER));
    run(what, List.of(path), FOUR, () -> network.chain(List.of(0, 0, 0, 0), LARGE_BUFFER));
    network.control("cubic");
  }

  /** The second path is cut while data flow over both, and comes back. */
  private void outage(SegmentNetwork network, List<PathShape> paths) throws Exception {
    String what = "unequal paths, the quick one cut for 12 s";
    if (!what.contains(only)) {
      return;
    }
    shape(network, paths);
    try (SegmentNetwork.Flow flow = network.chain(List.of(0, 1), LARGE_BUFFER)) {
      long start = System.nanoTime() + nanos(WARM_UP_SECONDS);
      sleepUntil(start + nanos(DOWN_SECONDS));
      network.cut(1, paths.get(1));
      long cut = System.nanoTime();
      sleepUntil(cut + nanos(DOWN_SECONDS));
      network.shape(1, paths.get(1));
      long back = System.nanoTime();
      sleepUntil(back + nanos(2 * DOWN_SECONDS));
      long end = System.nanoTime();
      note(counted(what, paths, "before the cut", flow, start, cut));
      note(counted(what, paths, "cut, from its 2nd second on", flow, cut + nanos(1), back));
      note(counted(what, paths, "back, from its 2nd second on", flow, back + nanos(1), end));
    }
  }

  private static void shape(SegmentNetwork network, List<PathShape> paths) {
    for (int path = 0; path < paths.size(); path++) {
      network.shape(path, paths.get(path));
    }
  }

  private void run(String what, List<PathShape> paths, String way, Start start) {
    try (SegmentNetwork.Flow flow = start.begin()) {
      long from = System.nanoTime() + nanos(WARM_UP_SECONDS);
      long to = from + nanos(seconds);
      sleepUntil(to);
      note(counted(what, paths, way, flow, from, to));
    } catch (Exception e) {
      note(
          new PathRun(what, paths, way, seconds, 0, 0, MachineLoad.oneMinute(), String.valueOf(e)));
    }
  }

  private static PathRun counted(
      String what,
      List<PathShape> paths,
      String way,
      SegmentNetwork.Flow flow,
      long from,
      long to) {
    double worst = Double.POSITIVE_INFINITY;
    long window = nanos(WINDOW_SECONDS);
    for (long at = from; at + window <= to; at += nanos(STEP_SECONDS)) {
      worst = Math.min(worst, flow.bitsPerSecond(at, at + window));
    }
    return new PathRun(
        what,
        paths,
        way,
        (to - from) / 1e9,
        flow.bitsPerSecond(from, to),
        Double.isInfinite(worst) ? 0 : worst,
        MachineLoad.oneMinute(),
        null);
  }

  private void note(PathRun run) {
    runs.add(run);
    err.println(
        run.failure() == null
            ? String.format(
                Locale.ROOT,
                "%s, %s: %.2f Mbit/s, at least %.2f over 5 s",
                run.what(),
                run.way(),
                run.bitsPerSecond() / 1e6,
                run.worstFiveSeconds() / 1e6)
            : run.what() + ", " + run.way() + ": " + run.failure());
    err.flush();
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
