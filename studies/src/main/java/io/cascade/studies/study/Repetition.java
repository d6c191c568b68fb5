package io.cascade.studies.study;

import java.util.List;
import java.util.stream.IntStream;

/**
 * A cell that is to be measured once more.
 *
 * @param number from 1 on
 */
public record Repetition<C>(C cell, int number) {
  /**
   * Every cell so often. The second of any comes after the first of all: what is stopped early is a
   * whole with fewer repetitions, and drift falls on all alike.
   */
  public static <C> List<Repetition<C>> interleaved(List<C> cells, int repetitions) {
    return IntStream.rangeClosed(1, repetitions)
        .boxed()
        .flatMap(number -> cells.stream().map(cell -> new Repetition<>(cell, number)))
        .toList();
  }
}
