package io.cascade.studies.multipath;

import java.util.ArrayList;
import java.util.List;

/**
 * A carrier of a transfer over shaped paths.
 *
 * @param what name of the paths
 * @param way name of the carrier
 * @param carrier kind of carrier
 * @param pipes path of each pipe of a chain; a path that occurs twice has two pipes
 * @param bufferBytes of a chain
 * @param control congestion control of the kernels
 */
record MultipathCell(
    String what,
    List<PathShape> paths,
    String way,
    Carrier carrier,
    List<Integer> pipes,
    long bufferBytes,
    String control) {
  static final String ALL = "pipes over all paths";
  static final String MPTCP = "kernel MPTCP over all paths";
  static final String FOUR = "four parallel pipes";
  static final String ONE = "one pipe";
  private static final long BUFFER = 4 << 20;
  private static final long LARGE_BUFFER = 16 << 20;
  private static final List<Double> LOSSES = List.of(0.0, 0.001, 0.01);

  /** Kind of carrier of a transfer. */
  enum Carrier {
    CHAIN,
    /** A chain whose last path is cut and restored during the transfer. */
    CUT_CHAIN,
    KERNEL_MPTCP
  }

  /** All cells. */
  static List<MultipathCell> all() {
    List<MultipathCell> cells = new ArrayList<>();
    for (int second : List.of(40, 200)) {
      for (double loss : LOSSES) {
        cells.addAll(
            together(
                "two paths",
                List.of(new PathShape(10e6, 40, loss), new PathShape(10e6, second, loss)),
                BUFFER));
      }
    }
    cells.addAll(
        together(
            "three paths",
            List.of(
                new PathShape(1.544e6, 40, 0),
                new PathShape(1.544e6, 200, 0),
                new PathShape(1.544e6, 360, 0)),
            BUFFER));
    PathShape slow = new PathShape(10e6, 40, 0);
    PathShape quick = new PathShape(40e6, 40, 0);
    cells.addAll(together("unequal paths", List.of(slow, quick), LARGE_BUFFER));
    cells.addAll(
        together("unequal paths, one lossy", List.of(slow, quick.losing(0.05)), LARGE_BUFFER));
    cells.add(
        new MultipathCell(
            "unequal paths, the quick one cut for 12 s",
            List.of(slow, quick),
            ALL,
            Carrier.CUT_CHAIN,
            List.of(0, 1),
            LARGE_BUFFER,
            "cubic"));
    List<PathShape> thick = List.of(new PathShape(1e9, 100, 1e-4));
    cells.add(parallel(thick, ONE, List.of(0)));
    cells.add(parallel(thick, FOUR, List.of(0, 0, 0, 0)));
    return cells;
  }

  private static List<MultipathCell> together(String what, List<PathShape> paths, long buffer) {
    List<MultipathCell> cells = new ArrayList<>();
    List<Integer> all = new ArrayList<>();
    for (int path = 0; path < paths.size(); path++) {
      all.add(path);
      boolean isFirst = paths.indexOf(paths.get(path)) == path; // Equal paths are measured once.
      if (isFirst) {
        String alone = "path " + (path + 1) + " alone";
        cells.add(
            new MultipathCell(what, paths, alone, Carrier.CHAIN, List.of(path), buffer, "cubic"));
      }
    }
    List<Integer> pipes = List.copyOf(all);
    cells.add(new MultipathCell(what, paths, ALL, Carrier.CHAIN, pipes, buffer, "cubic"));
    cells.add(
        new MultipathCell(what, paths, MPTCP, Carrier.KERNEL_MPTCP, List.of(), buffer, "cubic"));
    return cells;
  }

  private static MultipathCell parallel(List<PathShape> paths, String way, List<Integer> pipes) {
    return new MultipathCell(
        "one path, Reno", paths, way, Carrier.CHAIN, pipes, LARGE_BUFFER, "reno");
  }

  /** Describes the shapes of the paths. */
  static String words(List<PathShape> paths) {
    return String.join("; ", paths.stream().map(PathShape::words).toList());
  }
}
