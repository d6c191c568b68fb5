package io.cascade.lab;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.RelayStatus;
import io.cascade.command.CommandException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for the relays of a lab that has just come up. */
public final class MeasuredRelays {
  private static final Duration READY = Duration.ofSeconds(60);

  private final OrchestratorClient client;

  public MeasuredRelays(OrchestratorClient client) {
    this.client = client;
  }

  /**
   * Returns when all of them have registered, and each has measured the round trip to each other.
   *
   * @param relays of the lab
   * @throws CommandException where that takes longer than a minute
   */
  public void await(int relays) throws InterruptedException {
    awaitUp(relays);
    until(
        "the relays to measure each other",
        () ->
            client.links().links().stream().filter(link -> link.minRttMillis() != null).count()
                == (long) relays * (relays - 1));
  }

  /**
   * Returns when all of them have registered. Relays measure each other over UDP: where it is
   * blocked, they do not.
   *
   * @param relays of the lab
   * @throws CommandException where that takes longer than a minute
   */
  public void awaitUp(int relays) throws InterruptedException {
    until(
        "the relays to register",
        () ->
            client.relays().relays().stream()
                    .filter(relay -> relay.status() == RelayStatus.UP)
                    .count()
                == relays);
  }

  private static void until(String what, BooleanSupplier condition) throws InterruptedException {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > READY.toNanos()) {
        throw new CommandException("waited %d s for %s".formatted(READY.toSeconds(), what));
      }
      TimeUnit.MILLISECONDS.sleep(200);
    }
  }
}
