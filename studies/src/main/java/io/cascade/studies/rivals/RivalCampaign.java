package io.cascade.studies.rivals;

import io.cascade.studies.experiment.JsonLines;
import io.cascade.studies.experiment.Worklist;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Measures paths one after the other and leaves out those that were measured already. */
final class RivalCampaign {
  private final List<RivalPath> paths;
  private final int repetitions;
  private final List<Contender> contenders;
  private final JsonLines<RivalResult> results;
  private final PrintWriter err;
  private final Trial trial;

  /** The measurement of one path. */
  interface Trial {
    /**
     * @param lab the name of its lab
     */
    RivalResult run(RivalPath path, String lab) throws Exception;
  }

  RivalCampaign(
      List<RivalPath> paths,
      int repetitions,
      List<Contender> contenders,
      JsonLines<RivalResult> results,
      PrintWriter err) {
    this(
        paths,
        repetitions,
        contenders,
        results,
        err,
        (path, lab) -> new RivalTrial(path, repetitions, contenders).run(lab));
  }

  RivalCampaign(
      List<RivalPath> paths,
      int repetitions,
      List<Contender> contenders,
      JsonLines<RivalResult> results,
      PrintWriter err,
      Trial trial) {
    this.paths = paths;
    this.repetitions = repetitions;
    this.contenders = contenders;
    this.results = results;
    this.err = err;
    this.trial = trial;
  }

  /** Paths without a whole result of as many repetitions of all contenders that are at hand. */
  List<RivalPath> left() {
    Map<String, RivalResult> measured = new HashMap<>();
    results.read().forEach(result -> measured.put(result.key(), result));
    return paths.stream()
        .filter(path -> {
          RivalResult result = measured.get(path.name());
          return result == null
              || result.failure() != null
              || result.repetitions() < repetitions
              || !result.contenders().containsAll(contenders)
              || !result.path().equals(path);
        })
        .toList();
  }

  /**
   * Measures what is left. A signal ends it; what was not finished is measured the next time. A
   * path that fails is a result that says so, and the others go on.
   *
   * @return whether nothing is left
   */
  boolean measure() throws InterruptedException {
    List<RivalPath> left = left();
    err.println("%d of %d paths to measure".formatted(left.size(), paths.size()));
    err.flush();
    Worklist<RivalPath> list = new Worklist<>(left, err);
    return list.run(1, _ -> work(list)) && left().isEmpty();
  }

  private void work(Worklist<RivalPath> list) throws InterruptedException {
    for (RivalPath path = list.next(); path != null; path = list.next()) {
      RivalResult result = measured(path);
      list.measured(
          () -> results.append(result), path.name() + ": " + new RivalFindings(result).words());
    }
  }

  private RivalResult measured(RivalPath path) throws InterruptedException {
    try {
      return trial.run(path, "rivals-" + ProcessHandle.current().pid());
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      return RivalResult.failed(
          path, repetitions, e.getMessage() == null ? e.toString() : e.getMessage());
    }
  }
}
