package io.cascade.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.SetupMode;
import io.cascade.api.orchestrator.Source;
import java.lang.reflect.RecordComponent;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChainRequestBuilderTest {
  @Test
  void whatIsNotSetIsLeftOut() throws Exception {
    ChainRequest request = ChainRequestBuilder.to("a.example:1").build();

    assertThat(request.destination()).isEqualTo("a.example:1");
    for (RecordComponent part : ChainRequest.class.getRecordComponents()) {
      if (!part.getName().equals("destination")) {
        assertThat(part.getAccessor().invoke(request)).as(part.getName()).isNull();
      }
    }
  }

  @Test
  void everythingOfAnotherRequestIsTaken() throws Exception {
    ChainRequest whole =
        ChainRequestBuilder.to("a.example:1")
            .name("n")
            .via(List.of("r1"))
            .avoid(List.of("r2"))
            .maxRelays(3)
            .bytes(4L)
            .source(new Source("r1", null, null))
            .setup(SetupMode.SEQUENTIAL)
            .ingressPort(5)
            .onlyIfBetter(true)
            .leaseSeconds(6)
            .options(
                new ChainOptions(
                    null, null, null, null, null, null, null, null, null, null, null, null, null,
                    null, null, null, null, null, null, null, null, null))
            .question(PlanRequestBuilder.to("a.example:1").build())
            .timeToLiveSeconds(30)
            .pipes(List.of(List.of("r1", "r2")))
            .parallel(2)
            .routes(2)
            .junctions(List.of("r2"))
            .codedIngress(true)
            .build();
    for (RecordComponent part : ChainRequest.class.getRecordComponents()) {
      assertThat(part.getAccessor().invoke(whole)).as(part.getName()).isNotNull();
    }

    assertThat(ChainRequestBuilder.like(whole).build()).isEqualTo(whole);
  }
}
