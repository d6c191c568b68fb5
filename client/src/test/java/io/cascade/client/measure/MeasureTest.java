package io.cascade.client.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.HostPort;
import io.cascade.api.orchestrator.Observation;
import io.cascade.testing.ReservedPort;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What this host finds out by itself. */
@Timeout(60)
class MeasureTest {
  private static final PathProbe PROBE =
      new PathProbe(4, Duration.ofMillis(1), Duration.ofMillis(200));

  @Test
  void aConnectionIsOneRoundTrip() throws Exception {
    try (ServerSocket target = new ServerSocket(0)) {
      Observation seen = only(new HostPort("127.0.0.1", target.getLocalPort()));

      assertThat(seen.sent()).isEqualTo(4);
      assertThat(seen.lost()).isZero();
      assertThat(seen.rttMillis()).isGreaterThan(0).isLessThan(1_000);
    }
  }

  @Test
  void aRefusalIsAnAnswer() throws Exception {
    int unused = ReservedPort.untilTheEnd();
    Observation seen = only(new HostPort("127.0.0.1", unused));

    assertThat(seen.lost()).isZero();
    assertThat(seen.rttMillis()).isNotNull();
  }

  @Test
  void silenceIsALoss() throws Exception {
    // A listener whose queue is full answers no SYN.
    try (ServerSocket full = new ServerSocket(0, 1)) {
      HostPort target = new HostPort("127.0.0.1", full.getLocalPort());
      new PathProbe(8, Duration.ofMillis(1), Duration.ofMillis(200))
          .measure(Map.of("filling", target));
      Observation seen = only(target);

      assertThat(seen.lost()).isPositive();
      assertThat(seen.sent()).isEqualTo(4);
    }
  }

  @Test
  void whatIsNotWaitedForIsNotCounted() throws Exception {
    try (ServerSocket target = new ServerSocket(0)) {
      PathProbe hurried = new PathProbe(6, Duration.ofMillis(1), Duration.ofMillis(200), 2);
      Observation seen =
          hurried
              .measure(Map.of("destination", new HostPort("127.0.0.1", target.getLocalPort())))
              .getFirst();

      assertThat(seen.sent()).isEqualTo(2);
      assertThat(seen.lost()).isZero();
    }
  }

  @Test
  void anUnknownHostIsNotReachedAtAll() throws Exception {
    Observation seen = only(new HostPort("no.such.invalid", 1));

    assertThat(seen.sent()).isPositive();
    assertThat(seen.lost()).isEqualTo(seen.sent());
    assertThat(seen.rttMillis()).isNull();
  }

  private static Observation only(HostPort target) throws InterruptedException {
    List<Observation> seen = PROBE.measure(Map.of("destination", target));
    assertThat(seen).hasSize(1);
    assertThat(seen.getFirst().to()).isEqualTo("destination");
    return seen.getFirst();
  }
}
