package io.cascade.relay.throughput;

import io.cascade.api.relay.PacketTrain;
import io.cascade.api.relay.PacketTrainReflection;
import io.cascade.api.relay.PacketTrainReport;
import io.cascade.api.relay.ThroughputEnd;
import io.cascade.api.relay.ThroughputLimit;
import io.cascade.api.relay.ThroughputReport;
import io.cascade.api.relay.ThroughputSink;
import io.cascade.api.relay.ThroughputTest;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What comes of a test is told by the other relay's name. */
public final class FakeTests implements ThroughputTesting {
  private volatile @Nullable UUID expected;

  public @Nullable UUID expected() {
    return expected;
  }

  @Override
  public ThroughputReport run(ThroughputTest test) throws TestRefused, TestFailed {
    return switch (test.peer()) {
      case "busy" -> throw new TestRefused(TestRefused.Reason.BUSY, "busy");
      case "spent" ->
          throw new TestRefused(TestRefused.Reason.BUDGET, "spent", Duration.ofSeconds(41));
      case "gone" -> throw new TestFailed("vanished");
      default ->
          ThroughputReport.builder()
              .bytes(test.maxBytes())
              .seconds(1.0)
              .bitsPerSecond(test.maxBytes() * 8.0)
              .sentSegments(700L)
              .retransmittedSegments(2L)
              .minRttMillis(20.0)
              .congestionControl("cubic")
              .limitedBy(ThroughputLimit.NETWORK)
              .endedBy(ThroughputEnd.BYTES)
              .build();
    };
  }

  @Override
  public void expect(UUID test, ThroughputSink sink) {
    expected = test;
  }

  @Override
  public PacketTrainReport runTrain(PacketTrain train) throws TestFailed {
    throw new TestFailed("no trains here");
  }

  @Override
  public void expectTrain(UUID test, PacketTrainReflection train) throws TestRefused {
    throw new TestRefused(TestRefused.Reason.BUSY, "no trains here");
  }
}
