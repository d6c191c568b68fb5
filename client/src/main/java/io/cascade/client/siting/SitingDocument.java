package io.cascade.client.siting;

import io.cascade.siting.Objective;
import io.cascade.siting.Siting;
import io.cascade.siting.SitingRequest;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * A choice of sites as one JSON document. Gains are weighted seconds saved, or weighted rate gain
 * over direct, as {@code objective} says.
 *
 * @param gap share of the bound that was not reached; 0 where the choice is proven optimal, absent
 *     where even the number of demands served is open
 * @param greedyGap share of the reached gain that the greedy choice misses
 */
public record SitingDocument(
    String objective,
    String method,
    boolean proven,
    List<Rented> sites,
    double pricePerHour,
    int demands,
    int served,
    double gain,
    int servedBound,
    double gainBound,
    @Nullable Double gap,
    Greedy greedy,
    @Nullable Double greedyGap,
    List<Way> ways) {

  /** A site to rent, and the loss without it. */
  public record Rented(String name, double pricePerHour, double gainLost, int servedLost) {}

  /** Result of choosing one site after the other. */
  public record Greedy(List<String> sites, double gain, int served) {}

  /** Way of one demand. */
  public record Way(
      String from,
      String to,
      double weight,
      @Nullable Long bytes,
      List<String> relays,
      boolean served,
      @Nullable Double seconds,
      @Nullable Double directSeconds,
      @Nullable Double bitsPerSecond,
      @Nullable Double directBitsPerSecond) {}

  /** Creates the document of a siting. */
  public static SitingDocument of(SitingRequest request, Siting siting) {
    return new SitingDocument(
        lower(request.objective()),
        lower(siting.method()),
        siting.proven(),
        siting.sites().stream()
            .map(rented ->
                new Rented(
                    rented.site().name(),
                    rented.site().price(),
                    rented.lost().gain(),
                    rented.lost().served()))
            .toList(),
        siting.price(),
        siting.assignments().size(),
        siting.outcome().served(),
        siting.outcome().gain(),
        siting.bound().served(),
        siting.bound().gain(),
        orNull(siting.gap()),
        new Greedy(siting.greedySites(), siting.greedy().gain(), siting.greedy().served()),
        orNull(siting.greedyGap()),
        siting.assignments().stream().map(SitingDocument::way).toList());
  }

  private static Way way(Siting.Assignment one) {
    return new Way(
        one.demand().from(),
        one.demand().to(),
        one.demand().weight(),
        one.demand().bytes().isPresent() ? (Long) one.demand().bytes().getAsLong() : null,
        one.relays(),
        one.served(),
        orNull(one.seconds()),
        orNull(one.directSeconds()),
        orNull(one.bitsPerSecond()),
        orNull(one.directBitsPerSecond()));
  }

  /** Whether gains are weighted seconds. */
  boolean inSeconds() {
    return objective.equals(lower(Objective.TIME));
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static @Nullable Double orNull(OptionalDouble value) {
    return value.isPresent() ? (Double) value.getAsDouble() : null;
  }
}
