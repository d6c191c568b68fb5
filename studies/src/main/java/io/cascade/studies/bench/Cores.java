package io.cascade.studies.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * Processors of a proxy that is measured with 1, 2, 4, … of them, at most as many as the ends have.
 * The ends keep theirs. A machine with fewer than four has only one beside those of the ends, and a
 * proxy with two shares one with them.
 */
record Cores(List<Integer> processors) {
  static final int LEAST = 2;

  static Cores of(Processors division) {
    List<Integer> all = new ArrayList<>(division.ends());
    all.addAll(division.proxies());
    return new Cores(all);
  }

  /** Whether the machine has enough processors for a comparison. */
  boolean suffice() {
    return processors.size() >= LEAST;
  }

  /** Numbers of processors of the proxies, in ascending order. */
  List<Integer> counts() {
    List<Integer> counts = new ArrayList<>();
    for (int count = 1; count <= Math.max(LEAST, besideEnds()); count *= 2) {
      counts.add(count);
    }
    return counts;
  }

  /**
   * Division with {@code count} processors for a proxy. The processors of the ends are always the
   * same.
   */
  Processors division(int count) {
    int all = processors.size();
    return new Processors(
        processors.subList(0, all - besideEnds()), processors.subList(all - count, all));
  }

  /** Describes the division, and its effect on the figures. */
  String described() {
    String whose =
        "Both ends on processors "
            + Processors.listed(division(1).ends())
            + ", a proxy with n event loops or threads on the last n of "
            + Processors.listed(processors)
            + ".";
    return besideEnds() >= LEAST
        ? whose
        : whose
            + " With 2 the proxy shares one of them with the ends, because this machine has no more, so"
            + " its ratio does not show what a second processor gains. Measuring that takes four processors.";
  }

  private int besideEnds() {
    return processors.size() / 2;
  }
}
