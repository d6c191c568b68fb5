package io.cascade.relay.pump;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.carriage.transport.EmbeddedConnection;
import io.netty.buffer.ByteBuf;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The times at which the first byte and the ones after it leave, by the model's definitions. */
class StartGateTest {
  private static final long LIMIT = 2 << 20;
  private static final Duration ROUND_TRIP = Duration.ofMillis(100);

  private final List<String> told = new ArrayList<>();
  private EmbeddedConnection source;
  private EmbeddedConnection sink;
  private MemoryBudget budget;

  @BeforeEach
  void open() {
    source = new EmbeddedConnection();
    source.freezeTime();
    sink = new EmbeddedConnection();
    budget = new MemoryBudget(64 << 20);
  }

  @AfterEach
  void nothingIsHeld() {
    sink.takeWritten();
    assertThat(budget.heldBytes()).isZero();
  }

  @Test
  void atOnceEveryByteLeavesAsItComes() {
    Pump pump = pump(new StartGate.Open());
    arrive(pump, 1);
    assertThat(sink.takeWritten()).isEqualTo(1);
    arrive(pump, 10_000);
    assertThat(sink.takeWritten()).isEqualTo(10_000);
    end(pump);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 1_000, 5_000})
  void afterBytesNothingLeavesBeforeTheThreshold(int pieces) {
    Pump pump = pump(new StartGate.AfterBytes(35_000));
    for (int came = 0; came + pieces < 35_000; came += pieces) {
      arrive(pump, pieces);
      assertThat(sink.takeWritten()).isZero();
    }
    arrive(pump, pieces);
    assertThat(sink.takeWritten())
        .isEqualTo((int) pump.account().bytesIn())
        .isGreaterThanOrEqualTo(35_000);
    arrive(pump, 1);
    assertThat(sink.takeWritten()).isEqualTo(1);
    end(pump);
  }

  @Test
  void afterBytesTheEndIsWaitedForNoLonger() {
    Pump pump = pump(new StartGate.AfterBytes(35_000));
    arrive(pump, 34_999);
    assertThat(sink.takeWritten()).isZero();
    end(pump);
    assertThat(sink.takeWritten()).isEqualTo(34_999);
  }

  /** A server that speaks first waits for an answer, which may not come before it is heard. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aSourceThatSaysNoMoreIsHeard(boolean chunks) {
    Pump pump = pump(chunks ? new StartGate.Chunks(35_000) : new StartGate.AfterBytes(35_000));
    arrive(pump, 20);
    pass(49);
    arrive(pump, 20);
    pass(49);
    assertThat(sink.takeWritten()).as("it spoke meanwhile").isZero();
    pass(1);
    assertThat(sink.takeWritten()).isEqualTo(40);
    end(pump);
  }

  @Test
  void aThresholdOfAQuarterOfTheBufferIsMetByBytesHoweverSmallTheReads() {
    int quarter = (int) LIMIT / 2;
    Pump pump = pump(new StartGate.AfterBytes(quarter));
    for (int came = 0; came < quarter - 100; came += 100) {
      arrive(pump, 100); // each in a buffer of 2 KiB
      assertThat(sink.takeWritten()).isZero();
    }
    arrive(pump, 100);
    assertThat(sink.takeWritten()).isGreaterThanOrEqualTo(quarter);
    end(pump);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3_000, 16_384, 40_000, 1 << 20})
  void aChunkLeavesWhenAllOfItHasCome(int chunk) {
    Pump pump = pump(new StartGate.Chunks(chunk));
    for (int i = 0; i < 3; i++) {
      arrive(pump, chunk - 1);
      assertThat(sink.takeWritten()).isZero();
      arrive(pump, 1);
      assertThat(sink.takeWritten()).isEqualTo(chunk);
    }
    end(pump);
  }

  @Test
  void whatIsMoreThanAChunkWaitsForTheNextOne() {
    Pump pump = pump(new StartGate.Chunks(3_000));
    arrive(pump, 7_500);
    assertThat(sink.takeWritten()).isEqualTo(6_000);
    arrive(pump, 1_499);
    assertThat(sink.takeWritten()).isZero();
    arrive(pump, 2);
    assertThat(sink.takeWritten()).isEqualTo(3_000);
    end(pump);
    assertThat(sink.takeWritten()).isEqualTo(1);
  }

  @Test
  void afterWindowsTheFirstByteLeavesAfterSoManyRoundTrips() {
    Pump pump = pump(new StartGate.AfterWindows(16, ROUND_TRIP));
    source.advanceTimeBy(1, TimeUnit.HOURS); // nothing has come, and so no time counts
    source.runScheduledPendingTasks();
    arrive(pump, 10);
    pass(16 * 100 - 1);
    arrive(pump, 10_000);
    assertThat(sink.takeWritten()).isZero();
    pass(1);
    assertThat(sink.takeWritten()).isEqualTo(10_010);
    arrive(pump, 5);
    assertThat(sink.takeWritten()).isEqualTo(5);
    end(pump);
  }

  @Test
  void afterWindowsARelayThatHasEverythingStopsWaiting() {
    Pump pump = pump(new StartGate.AfterWindows(16, ROUND_TRIP));
    arrive(pump, 10);
    pass(50);
    end(pump);
    assertThat(sink.takeWritten()).isEqualTo(10);
    assertThat(sink.isOutputShutdown()).isTrue();
  }

  @Test
  void whatIsMoreThanMayBeHeldOpensTheGate() {
    Pump pump = pump(new StartGate.AfterBytes(10 * LIMIT));
    long came = 0;
    while (pump.account().bytesOut() == 0 && came < 2 * LIMIT) {
      arrive(pump, 64 * 1_024);
      came += 64 * 1_024;
    }
    assertThat(pump.account().bytesOut()).isEqualTo(came).isLessThanOrEqualTo(LIMIT);
    end(pump);
  }

  @Test
  void aChunkOnItsWayOutIsNoReasonToLetAnIncompleteOneGo() {
    Pump pump = pumpWithoutSink(new StartGate.Chunks(LIMIT / 2));
    arrive(pump, (int) LIMIT / 2);
    arrive(pump, (int) LIMIT / 2 - 100_000);
    pump.sinkReady(sink, true);
    assertThat(sink.takeWritten()).isEqualTo((int) LIMIT / 2);
    arrive(pump, 100_000);
    assertThat(sink.takeWritten()).isEqualTo((int) LIMIT / 2);
    end(pump);
  }

  @Test
  void aSourceThatBreaksLeavesWhatItHadSent() {
    Pump pump = pump(new StartGate.AfterBytes(35_000));
    arrive(pump, 1_000);
    pump.drain(() -> told.add("drained"));
    assertThat(sink.takeWritten()).isEqualTo(1_000);
    assertThat(told).contains("drained");
  }

  @Test
  void whatIsDiscardedIsGivenBack() {
    Pump pump = pump(new StartGate.Chunks(35_000));
    arrive(pump, 34_000);
    assertThat(budget.heldBytes()).isBetween(34_000L, 36_000L);
    pump.discard();
  }

  private Pump pump(StartGate gate) {
    Pump pump = pumpWithoutSink(gate);
    pump.sinkReady(sink, true);
    return pump;
  }

  private Pump pumpWithoutSink(StartGate gate) {
    Pump pump =
        new Pump(
            Direction.FORWARD,
            source,
            budget.newLedger(),
            LIMIT,
            gate,
            PumpMode.AUTO,
            Path.of("not-used"),
            new Told());
    pump.start();
    return pump;
  }

  /** A read loop that delivers so many bytes, in a buffer that is seldom full. */
  private void arrive(Pump pump, int bytes) {
    ByteBuf read = source.alloc().directBuffer(Math.max(2_048, bytes));
    read.writeZero(bytes);
    pump.intake().received(read);
    pump.intake().readComplete();
  }

  private void end(Pump pump) {
    pump.intake().sourceEnded();
    assertThat(sink.isOutputShutdown()).isTrue();
    assertThat(told).contains("finished").doesNotContain("failed");
  }

  private void pass(long millis) {
    source.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
    source.runScheduledPendingTasks();
  }

  private final class Told implements PumpOwner {
    @Override
    public void finished(Pump pump) {
      told.add("finished");
    }

    @Override
    public void sinkFailed(Pump pump, Throwable cause) {
      told.add("failed");
    }

    @Override
    public void pumpFailed(Pump pump, Throwable cause) {
      told.add("failed");
    }

    @Override
    public void sourceFailed(Pump pump, Throwable cause) {
      told.add("failed");
    }

    @Override
    public void firstByte(Pump pump) {
      told.add("first byte");
    }
  }
}
