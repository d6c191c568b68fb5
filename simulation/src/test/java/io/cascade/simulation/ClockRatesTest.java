package io.cascade.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.coding.control.DelayCompete;
import io.cascade.coding.control.FixedRate;
import io.cascade.coding.redundancy.SlidingDeficit;
import io.cascade.coding.session.CodedSession;
import io.cascade.coding.session.SessionSettings;
import io.cascade.links.LinkShape;
import io.cascade.links.Loss;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two ends whose clocks run at different rates, by more than clocks of computers do. */
class ClockRatesTest {
  private static final double BITS_PER_SECOND = 10e6;
  private static final double PACKETS_PER_SECOND = BITS_PER_SECOND / 8 / BulkRun.PACKET_BYTES;
  private static final int CONTENT_BYTES = 32;
  private static final int DATA_BYTES = CONTENT_BYTES - 1;
  private static final long SECOND = 1_000_000_000L;

  private final SessionSettings settings =
      new SessionSettings(1, 1, CONTENT_BYTES, 1 << 14, SessionSettings.USUAL_SILENCE_NANOS, 5);
  private final CodedEndpoint near =
      new CodedEndpoint(
          new CodedSession(settings, new DelayCompete(), new SlidingDeficit(0), 0),
          settings,
          Long.MAX_VALUE);
  private final CodedEndpoint far =
      new CodedEndpoint(
          new CodedSession(settings, new FixedRate(1, 1), new SlidingDeficit(0), 0), settings, 0);
  private final VirtualNetwork network;

  ClockRatesTest() {
    LinkShape shape =
        LinkShape.of(Duration.ofMillis(25), (long) BITS_PER_SECOND).withQueueBytes(62_500);
    network = new VirtualNetwork(shape, shape, 5);
  }

  /** An end whose clock runs faster or slower than the network's. */
  private record OtherClock(Endpoint of, double rate) implements Endpoint {
    @Override
    public void onPacket(Object content, long nowNanos) {
      of.onPacket(content, own(nowNanos));
    }

    @Override
    public @Nullable Packet poll(long nowNanos) {
      return of.poll(own(nowNanos));
    }

    @Override
    public long nextNanos() {
      long next = of.nextNanos();
      return next == NEVER || next < 0 ? next : (long) Math.ceil(next / rate);
    }

    private long own(long nowNanos) {
      return (long) (nowNanos * rate);
    }
  }

  private double delivered(int seconds) {
    long before = far.received();
    network.runUntil(network.nowNanos() + seconds * SECOND);
    return (far.received() - before) / (double) DATA_BYTES / PACKETS_PER_SECOND / seconds;
  }

  @ParameterizedTest
  @ValueSource(doubles = {1 - 1e-4, 1 + 1e-4})
  void theLinkIsFilledAllTheTime(double rate) {
    network.add(near, new OtherClock(far, rate), Loss.NONE, 0);
    delivered(10);
    assertThat(delivered(120)).isGreaterThan(0.9);
    assertThat(near.session().account().mode()).isEqualTo("delay");
  }

  /** An application that sends little is no reason to probe; the clocks drift all the same. */
  @ParameterizedTest
  @ValueSource(doubles = {1 - 1e-4, 1 + 1e-4})
  void theLinkIsFilledAfterMinutesOfLittleData(double rate) {
    network.add(near, new OtherClock(far, rate), Loss.NONE, 0);
    delivered(10);
    long offered = near.offered();
    for (int second = 0; second < 300; second++) {
      offered += 20L * DATA_BYTES;
      near.allow(offered);
      delivered(1);
    }
    near.allow(Long.MAX_VALUE);
    delivered(5);
    assertThat(delivered(20)).isGreaterThan(0.9);
    assertThat(near.session().account().mode()).isEqualTo("delay");
  }
}
