package io.cascade.studies.study;

import java.util.Map;

/**
 * Results of a study; with the first added result, this machine is recorded as the one that
 * measured.
 */
final class NotedResults<R> implements Runner.Results<R> {
  private final Runner.Results<R> results;
  private final StudyFolder folder;
  private boolean isNoted;

  NotedResults(Runner.Results<R> results, StudyFolder folder) {
    this.results = results;
    this.folder = folder;
  }

  @Override
  public Map<String, R> byKey() {
    return results.byKey();
  }

  @Override
  public synchronized void append(R result) {
    if (!isNoted) {
      folder.measuredHere();
      isNoted = true;
    }
    results.append(result);
  }
}
