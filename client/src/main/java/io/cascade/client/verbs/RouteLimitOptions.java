package io.cascade.client.verbs;

import io.cascade.api.orchestrator.PlanObjective;
import io.cascade.api.orchestrator.RouteLimits;
import io.cascade.command.BitRate;
import io.cascade.command.OptionSection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Objective of the best route, and its limits. */
@OptionSection("What the route is best at and must keep to")
final class RouteLimitOptions {
  @Option(
      names = "--objective",
      paramLabel = "WHAT",
      description =
          "time: the least; price: the lowest at --min-rate; time_and_price: the least time, and"
              + " every way that no other betters in both (time).")
  private @Nullable PlanObjective objective;

  @Option(
      names = "--min-rate",
      paramLabel = "RATE",
      converter = BitRate.Converter.class,
      description = "The rate that the lowest price must reach, such as 100Mbit.")
  private @Nullable BitRate minRate;

  @Option(
      names = "--sites",
      paramLabel = "SITE",
      split = ",",
      description = "Relays only at these sites.")
  private List<String> sites = List.of();

  @Option(
      names = "--avoid-sites",
      paramLabel = "SITE",
      split = ",",
      description = "No relays at these sites.")
  private List<String> avoidSites = List.of();

  @Option(
      names = "--max-price-per-gib",
      paramLabel = "PRICE",
      description = "The most that a delivered GiB may cost, in the currency of the relays.")
  private @Nullable Double maxPricePerGib;

  @Option(
      names = "--max-price-per-hour",
      paramLabel = "PRICE",
      description = "The most that a route's relays may cost together per hour.")
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
