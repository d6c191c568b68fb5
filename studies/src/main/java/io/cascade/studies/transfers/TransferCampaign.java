package io.cascade.studies.transfers;

import io.cascade.studies.experiment.JsonLines;
import io.cascade.studies.experiment.Worklist;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Measures in one lab what was not measured yet, contenders in turns. */
final class TransferCampaign {
  private final List<CopyTest> tests;
  private final List<Contender> contenders;
  private final int repetitions;
  private final JsonLines<TransferResult> results;
  private final PrintWriter err;

  TransferCampaign(
      List<CopyTest> tests,
      List<Contender> contenders,
      int repetitions,
      JsonLines<TransferResult> results,
      PrintWriter err) {
    this.tests = tests;
    this.contenders = contenders;
    this.repetitions = repetitions;
    this.results = results;
    this.err = err;
  }

  /** One copy to be made. */
  record Task(CopyTest test, Contender contender, int repetition) {
    String key() {
      return TransferResult.key(test, contender, repetition);
    }
  }

  /**
   * What has no result yet, or one of a failure, in the order in which it is measured. What was
   * once cut off is not run again.
   */
  List<Task> left() {
    Map<String, TransferResult> measured = new HashMap<>();
    Set<String> cutOff = new HashSet<>();
    for (TransferResult result : results.read()) {
      measured.put(result.key(), result);
      if (result.isCutOff()) {
        cutOff.add(competitor(result.test(), result.contender()));
      }
    }
    List<Task> left = new ArrayList<>();
    for (CopyTest test : tests) {
      List<Contender> order =
          new ArrayList<>(contenders.stream().filter(one -> one.takes(test)).toList());
      for (int repetition = 0; repetition < repetitions; repetition++) {
        for (Contender contender : order) {
          Task task = new Task(test, contender, repetition);
          TransferResult result = measured.get(task.key());
          boolean isWanted = result == null || result.isToBeRepeated();
          if (isWanted && !cutOff.contains(competitor(test, contender))) {
            left.add(task);
          }
        }
        // So that none is always first; send sets the others' limits in the first repetition.
        Collections.rotate(order, -1);
      }
    }
    return left;
  }

  /**
   * Measures it. A signal ends it; the rest is measured the next time.
   *
   * @return whether nothing is left
   */
  boolean measure() throws InterruptedException {
    List<Task> left = left();
    err.println("%d copies to measure".formatted(left.size()));
    err.flush();
    Worklist<Task> list = new Worklist<>(left, err);
    return list.run(1, _ -> work(list)) && isComplete();
  }

  private boolean isComplete() {
    return results.read().stream().noneMatch(TransferResult::isToBeRepeated);
  }

  private void work(Worklist<Task> list) throws Exception {
    Task task = list.next();
    if (task == null) {
      return;
    }
    Set<String> cutOff = new HashSet<>();
    try (TransferLab lab =
        new TransferLab("transfers-" + ProcessHandle.current().pid(), contenders)) {
      TransferTrial trial = new TransferTrial(lab);
      for (; task != null; task = list.next()) {
        String competitor = competitor(task.test(), task.contender());
        if (cutOff.contains(competitor)) {
          continue; // It would be again, and what it lacks is known.
        }
        TransferResult result = trial.run(task.test(), task.contender(), task.repetition());
        if (result.isCutOff()) {
          cutOff.add(competitor);
        }
        list.measured(() -> results.append(result), task.key() + ": " + words(result));
      }
    }
  }

  private static String competitor(CopyTest test, Contender contender) {
    return test.title() + ", " + contender;
  }

  private static String words(TransferResult result) {
    return result.isFailed()
        ? result.note()
        : String.format(
            Locale.ROOT, "%s%.2f s", result.isCutOff() ? "over " : "", result.seconds());
  }
}
