package io.cascade.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.SetupMode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The builders that are generated with every record of a contract. */
class RecordBuildersTest {
  private static final ChainRequest WHOLE =
      ChainRequest.builder()
          .destination("a.example:1")
          .name("mine")
          .via(List.of("r1", "r2"))
          .setup(SetupMode.PARALLEL)
          .bytes(7L)
          .question(PlanRequest.builder().destination("a.example:1").build())
          .build();

  @Test
  void whatIsNotSetIsAbsent() {
    ChainRequest request = ChainRequest.builder().destination("a.example:1").build();
    assertThat(request.destination()).isEqualTo("a.example:1");
    assertThat(request.name()).isNull();
    assertThat(request.via()).isNull();
    assertThat(Json.strict().writeValueAsString(request))
        .isEqualTo("{\"destination\":\"a.example:1\"}");
  }

  @Test
  void aCopyIsEqualAndDiffersInWhatIsSetAnew() {
    assertThat(WHOLE.toBuilder().build()).isEqualTo(WHOLE);
    ChainRequest other = WHOLE.toBuilder().name("yours").via(null).build();
    assertThat(other.name()).isEqualTo("yours");
    assertThat(other.via()).isNull();
    assertThat(other.bytes()).isEqualTo(7L);
  }

  @Test
  void whatTheContractRequiresMustBeSet() {
    assertThatThrownBy(() -> ChainRequest.builder().name("mine").build())
        .isInstanceOf(NullPointerException.class)
        .hasMessage("destination");
  }
}
