package io.cascade.studies.study;

import java.util.List;
import java.util.stream.IntStream;

/**
 * One repetition of a cell.
 *
 * @param number from 1
 */
public record Repetition<C>(C cell, int number) {
  /**
   * Repetitions of all cells. The second repetition of any cell follows the first of all cells, so
   * that a run that is stopped early has every cell with fewer repetitions, and drift affects all
   * cells alike.
   */
  public static <C> List<Repetition<C>> interleaved(List<C> cells, int repetitions) {
    return IntStream.rangeClosed(1, repetitions)
        .boxed()
        .flatMap(number -> cells.stream().map(cell -> new Repetition<>(cell, number)))
        .toList();
  }
}
