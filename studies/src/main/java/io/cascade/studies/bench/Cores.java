package io.cascade.studies.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * Processors of a proxy where it is measured with 1, 2, 4, … of them: as many as the ends have,
 * which keep theirs, at most. On a machine with fewer than four there is but one beside the ends,
 * and a proxy with two shares one with them.
 */
record Cores(List<Integer> processors) {
  static final int LEAST = 2;

  static Cores of(Processors division) {
    List<Integer> all = new ArrayList<>(division.ends());
    all.addAll(division.proxies());
    return new Cores(all);
  }

  /** Whether there is anything to compare. */
  boolean suffice() {
    return processors.size() >= LEAST;
  }

  /** Numbers of processors that proxies have, in rising order. */
  List<Integer> counts() {
    List<Integer> counts = new ArrayList<>();
    for (int count = 1; count <= Math.max(LEAST, besideEnds()); count *= 2) {
      counts.add(count);
    }
    return counts;
  }

  /** Gives so many processors to a proxy. The ends' are always the same. */
  Processors division(int count) {
    int all = processors.size();
    return new Processors(
        processors.subList(0, all - besideEnds()), processors.subList(all - count, all));
  }

  /** Describes the division in words, with what it means for the figures. */
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
            + " With 2 it shares one of them with the ends, for this machine has no more: its ratio"
            + " does not tell what a second processor gives. That takes four processors.";
  }

  private int besideEnds() {
    return processors.size() / 2;
  }
}
