package io.cascade.relay.junction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.relay.junction.PipeStage.Event;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every stage of a pipe's place with every event. */
class PipeStageTest {
  @ParameterizedTest
  @CsvSource({
    "IDLE, DIAL, DIALLING",
    "IDLE, OFFER, -",
    "IDLE, WITHDRAW, -",
    "IDLE, CONFIRM, -",
    "IDLE, FAIL, -",
    "IDLE, STOP, OVER",
    "DIALLING, DIAL, -",
    "DIALLING, OFFER, OFFERED",
    "DIALLING, WITHDRAW, -",
    "DIALLING, CONFIRM, CARRYING",
    "DIALLING, FAIL, PAUSED",
    "DIALLING, STOP, OVER",
    "OFFERED, DIAL, -",
    "OFFERED, OFFER, -",
    "OFFERED, WITHDRAW, DIALLING",
    "OFFERED, CONFIRM, CARRYING",
    "OFFERED, FAIL, PAUSED",
    "OFFERED, STOP, OVER",
    "CARRYING, DIAL, -",
    "CARRYING, OFFER, -",
    "CARRYING, WITHDRAW, -",
    "CARRYING, CONFIRM, -",
    "CARRYING, FAIL, PAUSED",
    "CARRYING, STOP, OVER",
    "PAUSED, DIAL, DIALLING",
    "PAUSED, OFFER, -",
    "PAUSED, WITHDRAW, -",
    "PAUSED, CONFIRM, -",
    "PAUSED, FAIL, -",
    "PAUSED, STOP, OVER",
    "OVER, DIAL, OVER",
    "OVER, OFFER, OVER",
    "OVER, WITHDRAW, OVER",
    "OVER, CONFIRM, OVER",
    "OVER, FAIL, OVER",
    "OVER, STOP, OVER",
  })
  void everyEventLeadsToOneStageOrMakesNoSense(PipeStage from, Event event, String to) {
    if (to.equals("-")) {
      assertThatThrownBy(() -> from.after(event)).isInstanceOf(IllegalStateException.class);
    } else {
      assertThat(from.after(event)).isEqualTo(PipeStage.valueOf(to));
    }
  }
}
