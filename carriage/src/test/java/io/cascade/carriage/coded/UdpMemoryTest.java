package io.cascade.carriage.coded;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class UdpMemoryTest {
  private static final long SECOND = 1_000_000_000;

  private final UdpMemory memory =
      new UdpMemory(
          new CarrierTimes(
              Duration.ofSeconds(1),
              Duration.ofSeconds(1),
              Duration.ofSeconds(60),
              Duration.ofMinutes(10),
              Duration.ofSeconds(90)));

  @Test
  void udpIsUsedUntilASessionHasLeftIt() {
    assertThat(memory.whyNot(0)).isNull();
    memory.left("no data", 0);
    assertThat(memory.whyNot(60 * SECOND - 1)).isEqualTo("no data");
    assertThat(memory.whyNot(60 * SECOND)).isNull();
  }

  @Test
  void sessionsThatLeaveItTogetherCountOnce() {
    memory.left("no data", 0);
    memory.left("no data", SECOND);
    assertThat(memory.whyNot(60 * SECOND)).isNull();
  }

  @Test
  void itIsRememberedForTwiceAsLongEachTimeUpToTheLongest() {
    long now = 0;
    for (long seconds : new long[] {60, 120, 240, 480, 600, 600}) {
      memory.left("no data", now);
      assertThat(memory.whyNot(now + seconds * SECOND - 1)).isNotNull();
      now += seconds * SECOND;
      assertThat(memory.whyNot(now)).isNull();
    }
    now += 600 * SECOND;
    memory.left("no data", now);
    assertThat(memory.whyNot(now + 60 * SECOND)).as("it was good for long").isNull();
  }
}
