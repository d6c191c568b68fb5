package io.cascade.studies.transfers;

import org.jspecify.annotations.Nullable;

/**
 * One contender in one test, once.
 *
 * @param seconds from the start of its command to its end; null where it failed or was interrupted
 * @param isCutOff whether it had not finished after {@code seconds} and was ended
 * @param sentBytes what left the client's host meanwhile, headers included
 * @param arrived what stands at the server; null where nothing does, or it was ended
 * @param busy share of the machine's processors that were busy meanwhile, 0 to 1
 * @param note why it failed; empty where it did not
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

  /** Names it in result files. */
  String key() {
    return key(test, contender, repetition);
  }

  boolean isFailed() {
    return !note.isEmpty();
  }

  /** Whether it says nothing: that others cannot copy a tree of everything is a finding. */
  boolean isToBeRepeated() {
    return isFailed() && (contender == Contender.SEND || test.kind() != CopyTest.Kind.TREE);
  }
}
