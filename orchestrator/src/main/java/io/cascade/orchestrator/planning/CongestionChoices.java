package io.cascade.orchestrator.planning;

import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.Source;
import io.cascade.contract.PlanQuestion;
import io.cascade.model.planning.CodedHops;
import io.cascade.model.planning.RouteQuestion;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.relays.RegisteredRelay;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Congestion controls of relays in a plan: the usual one of each, and those that it may be told to
 * use.
 */
final class CongestionChoices {
  private final @Nullable String asked;
  private final Map<String, RegisteredRelay> relays;
  private final Map<String, CongestionControl> usual = new LinkedHashMap<>();
  private final Map<String, Set<CongestionControl>> offers = new LinkedHashMap<>();
  private final CodedHops coded;

  private CongestionChoices(
      @Nullable String asked, Map<String, RegisteredRelay> relays, CodedHops coded) {
    this.coded = coded;
    this.asked = asked;
    this.relays = relays;
  }

  /**
   * @param notes receives a line for each control without a model
   * @throws Refusal if the request allows an unknown control
   */
  static CongestionChoices of(
      PlanRequest request, Map<String, RegisteredRelay> relays, List<String> notes) {
    String asked = request.congestionControl();
    Set<String> coded =
        relays.entrySet().stream()
            .filter(entry -> entry.getValue().offersCoded())
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet());
    CongestionChoices controls =
        new CongestionChoices(asked, relays, PlanQuestion.coded(request, coded));
    relays.forEach((name, relay) -> {
      String said = asked == null ? relay.registration().congestionControl() : asked;
      controls.usual.put(name, said == null ? CongestionControl.CUBIC : named(said, notes));
      controls.offers.put(name, offers(request, relay));
    });
    return controls;
  }

  /**
   * Congestion control of the source: as the request says, otherwise that of the relay at its site,
   * otherwise CUBIC.
   *
   * @param notes receives a line for a control without a model
   */
  static CongestionControl ofSource(
      @Nullable Source source, @Nullable RegisteredRelay site, List<String> notes) {
    String said = source == null ? null : source.congestionControl();
    if (said == null && site != null) {
      said = site.registration().congestionControl();
    }
    return said == null ? CongestionControl.CUBIC : named(said, notes);
  }

  private static Set<CongestionControl> offers(PlanRequest request, RegisteredRelay relay) {
    try {
      return PlanQuestion.controls(request, relay.offers());
    } catch (IllegalArgumentException e) {
      throw new Refusal(ProblemKind.INVALID_REQUEST, String.valueOf(e.getMessage()));
    }
  }

  /** The control with this name, or CUBIC in its place. */
  static CongestionControl named(String name, List<String> notes) {
    return CongestionControl.named(name)
        .orElseGet(() -> {
          String note = "There is no model of " + name + ": the model of cubic is used instead.";
          if (!notes.contains(note)) {
            notes.add(note);
          }
          return CongestionControl.CUBIC;
        });
  }

  /** Adds the controls to the model's question. */
  void addTo(RouteQuestion.Builder question) {
    usual.forEach(question::senderControl);
    offers.forEach(question::offer);
    question.coded(coded);
  }

  /**
   * Name by which a relay is told to use a control; null for its usual one, which is also used if
   * it does not offer the control.
   */
  @Nullable String name(String relay, CongestionControl control) {
    RegisteredRelay known = relays.get(relay);
    return known == null || usual.get(relay) == control
        ? usualName(relay)
        : known.offered(control).orElseGet(() -> usualName(relay));
  }

  /**
   * Name of the control that a relay usually uses; null if the relay is unknown. The request may
   * prescribe it.
   */
  @Nullable String usualName(String relay) {
    RegisteredRelay known = relays.get(relay);
    return asked != null || known == null ? asked : known.registration().congestionControl();
  }
}
