package io.cascade.client.transfer.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ForecastTest {
  @Test
  void bytesQueueBehindWhatIsUnderWayAndTakeTheDelayAtLeast() {
    assertThat(new Forecast(900_000, 8e6, 0.1).secondsUntil(100_000)).isEqualTo(1);
    assertThat(new Forecast(0, 8e6, 0.1).secondsUntil(1_000)).isEqualTo(0.1);
  }

  @Test
  void nothingArrivesWhereNothingHasArrivedOfLate() {
    assertThat(new Forecast(0, 0, 0.1).secondsUntil(1)).isInfinite();
  }

  @Test
  void aSlowConnectionTakesABlockOnlyWhileTheOthersAreBusyForLonger() {
    Forecast slow = new Forecast(0, 1e6, 0.5);
    Forecast quick = new Forecast(0, 10e6, 0.05);

    assertThat(slow.finishesBefore(quick, 125_000, 2_000_000)).isTrue();
    assertThat(slow.finishesBefore(quick, 125_000, 1_000_000)).isFalse();
  }

  @Test
  void connectionsTogetherCarryTheSum() {
    assertThat(new Forecast(1_000, 1e6, 0.5).with(new Forecast(2_000, 3e6, 0.1)))
        .isEqualTo(new Forecast(3_000, 4e6, 0.1));
  }
}
