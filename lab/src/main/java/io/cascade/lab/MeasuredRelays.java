package io.cascade.lab;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.RelayStatus;
import io.cascade.lab.process.Patience;
import java.time.Duration;

/** Waits for the relays of a lab that has just come up. */
public final class MeasuredRelays {
  private static final Patience PATIENCE =
      new Patience(Duration.ofSeconds(60), Duration.ofMillis(200));

  private final OrchestratorClient client;

  public MeasuredRelays(OrchestratorClient client) {
    this.client = client;
  }

  /**
   * Returns when all of them have registered, and each has measured the round trip to each other
   * one.
   *
   * @param relays of the lab
   * @throws io.cascade.command.CommandException where that takes longer than a minute
   */
  public void await(int relays) throws InterruptedException {
    awaitUp(relays);
    PATIENCE.until(
        "the relays to measure each other",
        () ->
            client.links().links().stream().filter(link -> link.minRttMillis() != null).count()
                == (long) relays * (relays - 1));
  }

  /**
   * Returns when all of them have registered. Relays measure each other over UDP, and so not where
   * UDP is blocked.
   *
   * @param relays of the lab
   * @throws io.cascade.command.CommandException where that takes longer than a minute
   */
  public void awaitUp(int relays) throws InterruptedException {
    PATIENCE.until(
        "the relays to register",
        () ->
            client.relays().relays().stream()
                    .filter(relay -> relay.status() == RelayStatus.UP)
                    .count()
                == relays);
  }
}
