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
    "IDLE, REPLACE, OVER",
    "IDLE, STOP, OVER",
    "DIALLING, DIAL, -",
    "DIALLING, OFFER, OFFERED",
    "DIALLING, WITHDRAW, -",
    "DIALLING, CONFIRM, CARRYING",
    "DIALLING, FAIL, PAUSED",
    "DIALLING, REPLACE, OVER",
    "DIALLING, STOP, OVER",
    "OFFERED, DIAL, -",
    "OFFERED, OFFER, -",
    "OFFERED, WITHDRAW, DIALLING",
    "OFFERED, CONFIRM, CARRYING",
    "OFFERED, FAIL, PAUSED",
    "OFFERED, REPLACE, OVER",
    "OFFERED, STOP, OVER",
    "CARRYING, DIAL, -",
    "CARRYING, OFFER, -",
    "CARRYING, WITHDRAW, -",
    "CARRYING, CONFIRM, -",
    "CARRYING, FAIL, PAUSED",
    "CARRYING, REPLACE, REPLACED",
    "CARRYING, STOP, OVER",
    "REPLACED, DIAL, -",
    "REPLACED, OFFER, -",
    "REPLACED, WITHDRAW, -",
    "REPLACED, CONFIRM, -",
    "REPLACED, FAIL, OVER",
    "REPLACED, REPLACE, REPLACED",
    "REPLACED, STOP, OVER",
    "PAUSED, DIAL, DIALLING",
    "PAUSED, OFFER, -",
    "PAUSED, WITHDRAW, -",
    "PAUSED, CONFIRM, -",
    "PAUSED, FAIL, -",
    "PAUSED, REPLACE, OVER",
    "PAUSED, STOP, OVER",
    "OVER, DIAL, OVER",
    "OVER, OFFER, OVER",
    "OVER, WITHDRAW, OVER",
    "OVER, CONFIRM, OVER",
    "OVER, FAIL, OVER",
    "OVER, REPLACE, OVER",
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
