package io.cascade.orchestrator.planning;

import static io.cascade.orchestrator.planning.MeasuredNetwork.DESTINATION;
import static io.cascade.orchestrator.planning.MeasuredNetwork.SOURCE;

import io.cascade.api.orchestrator.Observation;
import io.cascade.api.orchestrator.Source;
import io.cascade.orchestrator.links.LinkWindow;
import io.cascade.orchestrator.links.MeasuredLink;
import io.cascade.orchestrator.links.Transfers;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Measurements of a source on its own paths to relays and to the destination. */
final class SourceObservations {
  /** Unanswered connections after which a path counts as broken. */
  private static final int ENOUGH_TO_GIVE_UP = 5;

  /** An hour: a longer round trip means a wrong unit. */
  private static final double MOST_RTT_MILLIS = 3_600_000;

  private final List<Observation> observations;

  private SourceObservations(List<Observation> observations) {
    this.observations = observations;
  }

  /**
   * @throws Refusal if an observation is incomplete or impossible
   */
  static SourceObservations of(@Nullable Source source) {
    List<Observation> given =
        source == null || source.observations() == null ? List.of() : source.observations();
    given.forEach(SourceObservations::check);
    return new SourceObservations(given);
  }

  private static void check(@Nullable Observation observation) {
    if (observation == null
        || observation.to() == null
        || observation.sent() == null
        || observation.lost() == null) {
      throw invalid("each needs to, sent and lost");
    }
    Double rtt = observation.rttMillis();
    if (observation.lost() < 0
        || observation.lost() > observation.sent()
        || (rtt != null && !(rtt > 0 && rtt < MOST_RTT_MILLIS))) {
      throw invalid(
          observation.to()
              + ": lost "
              + observation.lost()
              + " of "
              + observation.sent()
              + ", round trip "
              + rtt
              + " ms (expected: 0 <= lost <= sent, a round trip > 0)");
    }
  }

  private static Refusal invalid(String detail) {
    return new Refusal(ProblemKind.INVALID_REQUEST, "source.observations: " + detail);
  }

  boolean isEmpty() {
    return observations.isEmpty();
  }

  /** Number of connections that the source opened to the destination. */
  int toDestination() {
    return observations.stream()
        .filter(one -> one.to().equals(DESTINATION))
        .mapToInt(one -> Math.toIntExact(Math.min(one.sent(), Integer.MAX_VALUE)))
        .max()
        .orElse(0);
  }

  /** Whether the source tried often enough to connect to the destination and never succeeded. */
  boolean neverReachedDestination() {
    return observations.stream()
        .anyMatch(one ->
            one.to().equals(DESTINATION)
                && one.sent() >= ENOUGH_TO_GIVE_UP
                && one.lost().equals(one.sent()));
  }

  /**
   * The measured links from the source to usable relays and to the destination.
   *
   * @param earlier evidence from transfers on the path to each, by the name of its end
   */
  List<MeasuredLink> links(UsableRelays relays, Function<String, Transfers> earlier, Instant now) {
    List<MeasuredLink> links = new ArrayList<>();
    for (Observation one : observations) {
      Double rtt = one.rttMillis();
      boolean wanted = one.to().equals(DESTINATION) || relays.contains(one.to());
      if (wanted && rtt != null && one.sent() > 0) {
        links.add(link(one, rtt, earlier.apply(one.to()), relays.capacity(one.to()), now));
      }
    }
    return links;
  }

  private static MeasuredLink link(
      Observation one, double rttMillis, Transfers earlier, @Nullable Long capacity, Instant now) {
    Double delivered = one.deliveredBitsPerSecond();
    return MeasuredLink.ofAttempts(
        SOURCE,
        one.to(),
        new LinkWindow.Counts(one.sent(), one.lost(), rttMillis, rttMillis, null, now),
        delivered == null ? earlier : earlier.andAtLeast(delivered, now),
        capacity,
        now);
  }

  /** Observed names that are neither the destination nor registered relays. */
  List<String> strangers(Predicate<String> isRegistered) {
    return observations.stream()
        .map(Observation::to)
        .filter(name -> !name.equals(DESTINATION) && !isRegistered.test(name))
        .toList();
  }
}
