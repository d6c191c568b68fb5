package io.cascade.studies.transfers;

import org.jspecify.annotations.Nullable;

/**
 * One run of a contender in a test.
 *
 * @param seconds from the start of its command to its end; null if it failed or was interrupted
 * @param isCutOff whether it was stopped after {@code seconds}, before its end
 * @param sentBytes bytes that left the client's host during the run, headers included
 * @param arrived comparison of the copy at the server; null if there is no copy, or the run was
 *     stopped
 * @param busy share of the machine's processors that were busy during the run, 0 to 1
 * @param note reason of its failure; empty if it succeeded
 */
record TransferResult(
    CopyTest test,
    Contender contender,
    int repetition,
    @Nullable Double seconds,
    boolean isCutOff,
    long sentBytes,
    @Nullable Comparison arrived,
    double busy,
    String note) {

  static String key(CopyTest test, Contender contender, int repetition) {
    return test.title() + ", " + contender.title() + " #" + repetition;
  }

  /** Key of the run in result files. */
  String key() {
    return key(test, contender, repetition);
  }

  boolean isFailed() {
    return !note.isEmpty();
  }

  /**
   * Whether the run has to be repeated. A failure of another program to copy a tree is a result,
   * and not repeated.
   */
  boolean isToBeRepeated() {
    return isFailed() && (contender == Contender.SEND || test.kind() != CopyTest.Kind.TREE);
  }
}
