package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.Json;
import io.cascade.api.client.ProblemException;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.RouteLimits;
import io.cascade.api.orchestrator.Source;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** A chain knows what it was the answer to, so that the same can be asked again. */
@NullUnmarked
class AskedAgainTest extends RigTest {
  @Test
  void whatOpeningAskedIsTheChainsQuestion() {
    rig.live("r1", "r2", "r3");
    Source source = Rig.beside("r2");

    Chain chain =
        rig.client()
            .open(
                request(
                    Map.of(
                        "destination",
                        Rig.DESTINATION,
                        "bytes",
                        1L << 30,
                        "source",
                        source,
                        "avoid",
                        List.of("r3"),
                        "maxRelays",
                        2,
                        "options",
                        Map.of("congestionControl", "bbr"))),
                null);

    PlanRequest question = chain.question();
    assertThat(question.destination()).isEqualTo(Rig.DESTINATION);
    assertThat(question.bytes()).isEqualTo(1L << 30);
    assertThat(question.source()).isEqualTo(source);
    assertThat(question.avoid()).containsExactly("r3");
    assertThat(question.maxRelays()).isEqualTo(2);
    assertThat(question.congestionControl()).isEqualTo("bbr");
    assertThat(question.via()).isNull();
    assertThat(rig.client().plan(question).relays()).isEqualTo(chain.relays());
  }

  @Test
  void aChainOverNamedRelaysKeepsTheQuestionThatTheyWereTheAnswerTo() {
    rig.live("r1", "r2");
    PlanRequest question =
        constrained(
            RouteLimits.builder().allowedSites(List.of("berlin")).mostPricePerGib(0.5).build());

    Chain chain =
        rig.client()
            .open(
                request(
                    Map.of(
                        "destination",
                        Rig.DESTINATION,
                        "via",
                        List.of("r1", "r2"),
                        "question",
                        question)),
                null);

    PlanRequest asked = question.toBuilder().client("127.0.0.1").build();
    assertThat(chain.relays()).containsExactly("r1", "r2");
    assertThat(chain.question()).isEqualTo(asked);
    rig.stop();
    rig.startAgain();
    assertThat(rig.client().chain(chain.id()).question()).as("stored").isEqualTo(asked);
  }

  @Test
  void wherePlannerChoosesItKeepsToTheQuestionsLimits() {
    rig.live("r1", "r2");
    PlanRequest nowhere =
        constrained(RouteLimits.builder().allowedSites(List.of("atlantis")).build());

    assertThatThrownBy(() ->
            rig.client()
                .open(request(Map.of("destination", Rig.DESTINATION, "question", nowhere)), null))
        .isInstanceOfSatisfying(
            ProblemException.class, problem -> assertThat(problem.type()).endsWith("no-route"));
  }

  @Test
  void aQuestionThatLeadsElsewhereIsRefused() {
    rig.live("r1");
    PlanRequest elsewhere = PlanRequest.builder().destination("elsewhere.example:1").build();

    assertThatThrownBy(() ->
            rig.client()
                .open(request(Map.of("destination", Rig.DESTINATION, "question", elsewhere)), null))
        .isInstanceOfSatisfying(
            ProblemException.class,
            problem -> {
              assertThat(problem.status()).isEqualTo(400);
              assertThat(problem.getMessage()).contains("question.destination");
            });
  }

  private static PlanRequest constrained(RouteLimits limits) {
    return PlanRequest.builder()
        .destination(Rig.DESTINATION)
        .bytes(10L << 30)
        .source(Rig.beside("r1"))
        .maxRelays(3)
        .congestionControl("cubic")
        .capacityBitsPerSecond(1_000_000_000L)
        .limits(limits)
        .build();
  }

  private static ChainRequest request(Map<String, ?> named) {
    return Json.strict().convertValue(named, ChainRequest.class);
  }
}
