package io.cascade.client.doctor;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.Caller;
import io.cascade.api.orchestrator.RelayStatus;
import io.cascade.command.RelayStart;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Checks the orchestrator, the key and the clock.
 *
 * @param clock of this host, the time of day
 */
record OrchestratorChecks(OrchestratorClient client, Supplier<Instant> clock) {
  /** Clock difference above which signatures and tokens may be refused, and logs mislead. */
  static final Duration MOST_DIFFERENCE = Duration.ofSeconds(5);

  List<Finding> all() {
    String name = "orchestrator";
    List<Finding> found = new ArrayList<>();
    try {
      Caller caller = client.whoAmI();
      found.add(
          Finding.good(
              "key",
              "%s, %s".formatted(caller.name(), caller.role().name().toLowerCase(Locale.ROOT))));
      long up =
          client.relays().relays().stream()
              .filter(relay -> relay.status() == RelayStatus.UP)
              .count();
      String words =
          "%s answers; %d %s up"
              .formatted(client.address(), up, up == 1 ? "relay is" : "relays are");
      found.add(
          up > 0
              ? Finding.good(name, words)
              : Finding.note(name, words, RelayStart.command(client.address().toString())));
      found.add(clock(client.statistics().at()));
    } catch (UnreachableException e) {
      found.add(
          Finding.note(
              name,
              String.valueOf(e.getMessage()),
              "./cascade orchestrator, or --orchestrator URL; send --direct and receive need none"));
    } catch (ProblemException e) {
      found.add(
          e.status() == 401 || e.status() == 403
              ? Finding.bad(
                  "key",
                  String.valueOf(e.getMessage()),
                  "CASCADE_TOKEN=KEY, made by ./cascade key create")
              : Finding.bad(name, String.valueOf(e.getMessage()), "see its log"));
    }
    return found;
  }

  private Finding clock(Instant there) {
    return difference("the orchestrator's", Duration.between(there, clock.get()));
  }

  /** Compares this host's clock with another's. */
  static Finding difference(String whose, Duration ahead) {
    String words =
        ahead.abs().compareTo(Duration.ofSeconds(1)) < 0
            ? "within a second of " + whose
            : "%d s %s %s"
                .formatted(
                    ahead.abs().toSeconds(), ahead.isNegative() ? "behind" : "ahead of", whose);
    return ahead.abs().compareTo(MOST_DIFFERENCE) <= 0
        ? Finding.good("clock", words)
        : Finding.bad(
            "clock", words, "timedatectl set-ntp true, on the machine whose clock is wrong");
  }
}
