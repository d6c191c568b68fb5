package io.cascade.orchestrator.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.Source;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.orchestrator.relays.KnownRelay;
import io.cascade.orchestrator.relays.RegisteredRelay;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CongestionChoicesTest {
  private static final RegisteredRelay SITE = KnownRelay.named("r1").sendsWith("bbr").relay();

  private final List<String> notes = new ArrayList<>();

  @Test
  void sourceSendsWithWhatItSaysItself() {
    assertThat(
            CongestionChoices.ofSource(
                Source.builder().congestionControl("reno").build(), SITE, notes))
        .isEqualTo(CongestionControl.RENO);
    assertThat(notes).isEmpty();
  }

  @Test
  void sourceThatSaysNothingSendsAsTheRelayBesideItDoes() {
    assertThat(CongestionChoices.ofSource(Source.builder().relay("r1").build(), SITE, notes))
        .isEqualTo(CongestionControl.BBR);
  }

  @Test
  void cubicIsWhatNobodySaid() {
    assertThat(CongestionChoices.ofSource(null, null, notes)).isEqualTo(CongestionControl.CUBIC);
    assertThat(CongestionChoices.ofSource(null, KnownRelay.named("r2").relay(), notes))
        .isEqualTo(CongestionControl.CUBIC);
    assertThat(notes).isEmpty();
  }

  @Test
  void controlWithoutAModelIsNotedOnce() {
    Source source = Source.builder().congestionControl("vegas").build();

    assertThat(CongestionChoices.ofSource(source, SITE, notes)).isEqualTo(CongestionControl.CUBIC);
    assertThat(CongestionChoices.ofSource(source, SITE, notes)).isEqualTo(CongestionControl.CUBIC);

    assertThat(notes)
        .containsExactly("There is no model of vegas: the model of cubic is used instead.");
  }
}
