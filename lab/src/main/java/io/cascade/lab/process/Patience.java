package io.cascade.lab.process;

import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.command.CommandException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Time-out and interval for conditions. A request that an orchestrator or relay does not answer, or
 * refuses, is repeated: it may be starting.
 *
 * @param most time until a condition is given up
 * @param between two checks
 */
public record Patience(Duration most, Duration between) {
  /**
   * Waits for a condition.
   *
   * @param what is waited for, in words
   * @throws CommandException where it did not hold in time, with the last request's failure
   */
  public void until(String what, BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + most.toNanos();
    while (true) {
      String why = "";
      try {
        if (condition.getAsBoolean()) {
          return;
        }
      } catch (UnreachableException | ProblemException e) {
        why = ": " + e.getMessage();
      }
      if (System.nanoTime() > deadline) {
        throw new CommandException("waited %d s for %s%s".formatted(most.toSeconds(), what, why));
      }
      TimeUnit.NANOSECONDS.sleep(between.toNanos());
    }
  }
}
