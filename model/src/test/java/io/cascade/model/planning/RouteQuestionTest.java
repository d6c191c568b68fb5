package io.cascade.model.planning;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cascade.model.uncertainty.LossEstimate;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a caller may not ask for or describe. */
class RouteQuestionTest {

  @Test
  void sourceAndDestinationDiffer() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RouteQuestion.between("s", "s").build())
        .withMessage("destination: s (expected: another node than the source)");
  }

  @Test
  void requiredRelaysAreNotToBeAvoided() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> RouteQuestion.between("s", "d").via(List.of("a")).avoid(Set.of("a")).build())
        .withMessage("via: [a] (expected: none of those to avoid: [a])");
  }

  @Test
  void requiredRelaysAreNoEndsAndNotRepeated() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RouteQuestion.between("s", "d").via(List.of("a", "d")).build());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RouteQuestion.between("s", "d").via(List.of("a", "a")).build());
  }

  @Test
  void numbersStayInTheirRanges() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RouteQuestion.between("s", "d").maxRelays(17).build())
        .withMessage("maxRelays: 17 (expected: 0..16)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RouteQuestion.between("s", "d").bytes(0).build());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RouteQuestion.between("s", "d").confidence(0.5).build());
  }

  @Test
  void linksJoinTwoNodesOnceAndTakeTime() {
    LinkEstimate link = LinkEstimate.of(Duration.ofMillis(1), new LossEstimate(0, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Topology.builder().link("a", "a", link))
        .withMessage("link: a→a (expected: two different nodes)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Topology.builder().link("a", "b", link).link("a", "b", link))
        .withMessage("link: a→b (expected: one estimate per ordered pair)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LinkEstimate.of(Duration.ZERO, new LossEstimate(0, 1)))
        .withMessage("rtt: PT0S (expected: > 0)");
  }

  @Test
  void routesPassNoNodeTwice() {
    assertThatIllegalArgumentException().isThrownBy(() -> new NodePath(List.of("a", "b", "a")));
    assertThatIllegalArgumentException().isThrownBy(() -> new NodePath(List.of("a")));
  }
}
