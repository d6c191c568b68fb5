package io.cascade.studies.study;

import org.jspecify.annotations.Nullable;

/**
 * Measures tasks.
 *
 * @param <T> a single measurement, such as a cell and its repetition
 * @param <R> its result
 */
public interface Measurement<T, R> {
  /** Key of a task's result. */
  String key(T task);

  /**
   * Whether a result with a task's key makes the measurement unnecessary. Any result does by
   * default; implementations return false for failed results to repeat them.
   */
  default boolean isAnswered(T task, R result) {
    return true;
  }

  /**
   * Opens what a thread measures on.
   *
   * @param number of the thread, from 0
   * @throws Exception to end the whole run
   */
  Bench<T, R> open(int number) throws Exception;

  /**
   * The result of a task whose measurement failed.
   *
   * @throws Exception to end the whole run, as it does by default
   */
  default R failed(T task, Exception failure) throws Exception {
    throw failure;
  }

  /** Describes a result in a line about progress. */
  String words(R result);

  /** Measures one task after the other. */
  @FunctionalInterface
  interface Bench<T, R> extends AutoCloseable {
    /** Measures a task; null if the task turns out to be unnecessary. */
    @Nullable R run(T task) throws Exception;

    @Override
    default void close() throws Exception {}
  }

  /** A bench that closes a resource at its end. */
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

  /** The message of an exception, or its class if it has none. */
  static String why(Exception failure) {
    return failure.getMessage() == null ? failure.toString() : failure.getMessage();
  }
}
