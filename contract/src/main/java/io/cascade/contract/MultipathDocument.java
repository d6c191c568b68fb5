package io.cascade.contract;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.HopPrediction;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.RateEvidence;
import io.cascade.api.orchestrator.RouteShare;
import io.cascade.model.multipath.MultipathPlan;
import io.cascade.model.multipath.MultipathPlan.Share;
import io.cascade.model.multipath.MultipathPlan.SharedHop;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Adds several routes together to a plan as one more candidate, which is never the chosen one. */
public final class MultipathDocument {
  private MultipathDocument() {}

  /**
   * The plan with several routes together.
   *
   * @param paths how many were allowed
   */
  public static Plan with(Plan plan, int paths, Optional<MultipathPlan> multipath) {
    List<Candidate> candidates = new ArrayList<>(plan.candidates());
    multipath.ifPresent(together -> {
      Candidate candidate =
          candidate(together, share -> share.route().relays(), MultipathPlan.caveat());
      int place = 0;
      while (place < candidates.size() && !better(candidate, candidates.get(place))) {
        place++;
      }
      candidates.add(place, candidate);
    });
    List<String> notes = new ArrayList<>(plan.notes());
    notes.add(multipath.map(MultipathDocument::words).orElse(none(paths)));
    return plan.toBuilder().candidates(candidates).notes(notes).build();
  }

  /**
   * The plan of a chain with the routes of its pipes as one more candidate.
   *
   * @param first relay of all pipes
   * @param last relay of all pipes
   * @param more further notes
   */
  public static Plan ofPipes(
      Plan plan, String first, String last, Optional<MultipathPlan> together, List<String> more) {
    List<Candidate> candidates = new ArrayList<>(plan.candidates());
    together.ifPresent(plans ->
        candidates.add(
            candidate(
                plans,
                share -> {
                  List<String> relays = new ArrayList<>(List.of(first));
                  relays.addAll(share.route().relays());
                  relays.add(last);
                  return relays;
                },
                "between " + first + " and " + last)));
    List<String> notes = new ArrayList<>(plan.notes());
    notes.addAll(more);
    return plan.toBuilder().candidates(candidates).notes(notes).build();
  }

  private static boolean better(Candidate one, Candidate other) {
    Double seconds = one.seconds();
    Double rate = one.bitsPerSecond();
    Double otherSeconds = other.seconds();
    Double otherRate = other.bitsPerSecond();
    if (seconds != null) {
      return otherSeconds == null || seconds < otherSeconds;
    }
    // A prediction without a rate is one that is not limited by anything known.
    return otherRate == null ? other.setupSeconds() == null : rate != null && rate > otherRate;
  }

  private static Candidate candidate(
      MultipathPlan plan, Function<Share, List<String>> relays, String basis) {
    double bytes = plan.shares().stream().mapToLong(Share::bytes).sum();
    return Candidate.builder()
        .kind(CandidateKind.MULTIPATH)
        .connections(plan.shares().size())
        .relays(List.of())
        .chosen(false)
        .seconds(plan.seconds().isPresent() ? plan.seconds().getAsDouble() : null)
        .bitsPerSecond(plan.bitsPerSecond())
        .hops(List.of())
        .basis(basis)
        .shares(
            plan.shares().stream()
                .map(share ->
                    RouteShare.builder()
                        .relays(relays.apply(share))
                        .bytes(bytes == 0 ? null : (Long) share.bytes())
                        .share(
                            bytes == 0
                                ? share.bitsPerSecond() / plan.bitsPerSecond()
                                : share.bytes() / bytes)
                        .bitsPerSecond(share.bitsPerSecond())
                        .latencySeconds(share.latencySeconds())
                        .hops(hops(share))
                        .build())
                .toList())
        .evidence(RateEvidence.PREDICTED)
        .build();
  }

  private static List<HopPrediction> hops(Share share) {
    List<HopPrediction> hops = new ArrayList<>();
    for (int i = 0; i < share.hops().size(); i++) {
      SharedHop hop = share.hops().get(i);
      hops.add(
          HopPrediction.builder()
              .from(hop.from())
              .to(hop.to())
              .rttMillis(hop.rttSeconds() * 1e3)
              .congestionControl(share.control().name().toLowerCase(Locale.ROOT))
              .bitsPerSecond(finite(hop.bitsPerSecond()))
              .bottleneck(i == share.bottleneck())
              .basis(
                  hop.routes() > 1
                      ? "one connection's rate, shared by " + hop.routes() + " of the routes"
                      : "one connection's rate")
              .build());
    }
    return hops;
  }

  private static String words(MultipathPlan plan) {
    String routes =
        plan.shares().stream()
            .map(share ->
                (share.route().isDirect()
                        ? "direct"
                        : "via " + String.join(", ", share.route().relays()))
                    + " "
                    + percent(plan, share))
            .collect(Collectors.joining("; "));
    return plan.shares().size()
        + " routes together ("
        + routes
        + ") are shown beside the others and never chosen: "
        + MultipathPlan.caveat()
        + ".";
  }

  private static String percent(MultipathPlan plan, Share share) {
    double all = plan.shares().stream().mapToLong(Share::bytes).sum();
    double part = all == 0 ? share.bitsPerSecond() / plan.bitsPerSecond() : share.bytes() / all;
    return String.format(Locale.ROOT, "%.0f %%", 100 * part);
  }

  private static String none(int paths) {
    return "Up to "
        + paths
        + " routes together are no better than one, or nothing known limits one of them.";
  }

  private static @Nullable Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }
}
