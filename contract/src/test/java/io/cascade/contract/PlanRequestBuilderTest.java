package io.cascade.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.PlanObjective;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.RouteLimits;
import io.cascade.api.orchestrator.Source;
import io.cascade.api.orchestrator.TransportChoice;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanRequestBuilderTest {
  private static final PlanRequest FULL =
      new PlanRequest(
          "h:1",
          5L,
          new Source("r1", null, null),
          List.of("r2"),
          List.of("r3"),
          4,
          "cubic",
          6L,
          PlanObjective.PRICE,
          new RouteLimits(null, null, 0.5, null, null),
          2,
          1.5,
          List.of("bbr"),
          TransportChoice.AUTO,
          "192.0.2.7",
          true,
          true);

  @Test
  void everyPropertyIsWhereItBelongs() {
    assertThat(PlanRequestBuilder.like(FULL).build()).isEqualTo(FULL);
  }

  @Test
  void whatIsNotSetIsLeftOut() {
    assertThat(PlanRequestBuilder.to("h:1").build())
        .hasAllNullFieldsOrPropertiesExcept("destination");
  }
}
