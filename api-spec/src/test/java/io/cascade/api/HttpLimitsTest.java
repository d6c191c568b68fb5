package io.cascade.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HttpLimitsTest {
  @Test
  void aRequestHasFifteenSecondsAndThereAre512Connections() {
    assertThat(HttpLimits.PROPERTIES)
        .containsEntry("sun.net.httpserver.maxReqTime", "15")
        .containsEntry("sun.net.httpserver.timerMillis", "5000")
        .containsEntry("jdk.httpserver.maxConnections", "512");
  }

  @Test
  void theyHoldOnceTheyAreApplied() {
    HttpLimits.apply();

    assertThat(HttpLimits.PROPERTIES.keySet()).allMatch(name -> System.getProperty(name) != null);
  }
}
