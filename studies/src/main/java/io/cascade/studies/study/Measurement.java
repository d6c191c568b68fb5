package io.cascade.studies.study;

import org.jspecify.annotations.Nullable;

/**
 * How tasks are measured.
 *
 * @param <T> what is measured once, such as a cell and which repetition of it
 * @param <R> its result
 */
public interface Measurement<T, R> {
  /** Key of the result that a task has. */
  String key(T task);

  /**
   * Whether a result with a task's key leaves nothing to measure, as any does unless said
   * otherwise; what failed is tried again.
   */
  default boolean isAnswered(T task, R result) {
    return true;
  }

  /**
   * Brings up what a thread measures on.
   *
   * @param number of the thread, from 0
   * @throws Exception which ends everything
   */
  Bench<T, R> open(int number) throws Exception;

  /**
   * The result of a task whose measurement failed.
   *
   * @throws Exception where such a failure ends everything, as it does unless said otherwise
   */
  default R failed(T task, Exception failure) throws Exception {
    throw failure;
  }

  /** The result in some words, for a line about progress. */
  String words(R result);

  /** What runs one task after the other. */
  @FunctionalInterface
  interface Bench<T, R> extends AutoCloseable {
    /** Measures; null for a task that turns out not to be wanted. */
    @Nullable R run(T task) throws Exception;

    @Override
    default void close() throws Exception {}
  }

  /** What runs tasks on something that is taken down at the end. */
  static <T, R> Bench<T, R> on(AutoCloseable something, Bench<T, R> run) {
    return new Bench<>() {
      @Override
      public @Nullable R run(T task) throws Exception {
        return run.run(task);
      }

      @Override
      public void close() throws Exception {
        something.close();
      }
    };
  }

  /** The message of a failure; its class where it has none. */
  static String why(Exception failure) {
    return failure.getMessage() == null ? failure.toString() : failure.getMessage();
  }
}
