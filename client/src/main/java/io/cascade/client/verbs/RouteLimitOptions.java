package io.cascade.client.verbs;

import io.cascade.api.orchestrator.PlanObjective;
import io.cascade.api.orchestrator.RouteLimits;
import io.cascade.command.BitRate;
import io.cascade.command.OptionSection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Objective of the best route, and its limits. */
@OptionSection("Objective and limits of the route")
final class RouteLimitOptions {
  @Option(
      names = "--objective",
      paramLabel = "WHAT",
      description =
          "time: minimise the time; price: minimise the price at --min-rate; time_and_price:"
              + " minimise the time, and list every way that no other beats in both (default:"
              + " time).")
  private @Nullable PlanObjective objective;

  @Option(
      names = "--min-rate",
      paramLabel = "RATE",
      converter = BitRate.Converter.class,
      description = "Require at least this rate of the cheapest route, such as 100Mbit.")
  private @Nullable BitRate minRate;

  @Option(
      names = "--sites",
      paramLabel = "SITE",
      split = ",",
      description = "Use only relays at these sites.")
  private List<String> sites = List.of();

  @Option(
      names = "--avoid-sites",
      paramLabel = "SITE",
      split = ",",
      description = "Use no relays at these sites.")
  private List<String> avoidSites = List.of();

  @Option(
      names = "--max-price-per-gib",
      paramLabel = "PRICE",
      description = "Pay at most this much for a delivered GiB, in the currency of the relays.")
  private @Nullable Double maxPricePerGib;

  @Option(
      names = "--max-price-per-hour",
      paramLabel = "PRICE",
      description = "Pay at most this much per hour for all relays of a route together.")
  private @Nullable Double maxPricePerHour;

  @Nullable PlanObjective objective() {
    return objective;
  }

  @Nullable RouteLimits limits() {
    boolean none =
        minRate == null
            && sites.isEmpty()
            && avoidSites.isEmpty()
            && maxPricePerGib == null
            && maxPricePerHour == null;
    return none
        ? null
        : new RouteLimits(
            sites.isEmpty() ? null : sites,
            avoidSites.isEmpty() ? null : avoidSites,
            maxPricePerGib,
            maxPricePerHour,
            minRate == null ? null : (Double) (double) minRate.bitsPerSecond());
  }
}
