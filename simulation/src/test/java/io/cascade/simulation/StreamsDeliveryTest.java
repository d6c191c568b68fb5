package io.cascade.simulation;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.coding.control.FixedRate;
import io.cascade.coding.redundancy.SlidingDeficit;
import io.cascade.coding.session.CloseReason;
import io.cascade.coding.session.CodedSession;
import io.cascade.coding.session.ReceivingState;
import io.cascade.coding.session.SessionSettings;
import io.cascade.coding.stream.CodedStream;
import io.cascade.coding.stream.CodedStreamLimits;
import io.cascade.coding.stream.StreamMemory;
import io.cascade.coding.stream.Streams;
import io.cascade.links.LinkShape;
import io.cascade.links.Loss;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many streams of one session over modelled links in virtual time. */
class StreamsDeliveryTest {
  private static final long SECOND = 1_000_000_000;
  private static final LinkShape TEN_MEGABIT =
      LinkShape.of(Duration.ofMillis(25), 10_000_000).withQueueBytes(125_000);

  @ParameterizedTest
  @ValueSource(strings = {"0%", "1%", "10%", "30%", "20% burst 3"})
  void everyStreamArrivesByteForByteAndTheSessionEndsCleanly(String loss) {
    Run run = new Run(20, 20_000, Loss.parse(loss));
    run.network.runUntil(90 * SECOND);

    assertThat(run.far.read).hasSize(20);
    assertThat(run.far.read.values()).allMatch(bytes -> bytes == 20_000);
    assertThat(run.near.streams.count()).isZero();
    assertThat(run.far.streams.count()).isZero();
    assertThat(run.near.session.reason()).isEqualTo(CloseReason.COMPLETED);
    assertThat(run.far.session.reason()).isEqualTo(CloseReason.COMPLETED);
  }

  @Test
  void aStreamThatNobodyReadsHoldsUpNoOther() {
    Run run = new Run(4, 100_000, Loss.parse("5%"));
    run.far.stalled = 2;
    run.network.runUntil(30 * SECOND);

    assertThat(run.far.read.values()).filteredOn(bytes -> bytes == 100_000).hasSize(3);
    assertThat(run.far.held()).isBetween(1L, (long) Ends.LIMITS.mostCreditBytes());

    run.far.stalled = -1;
    run.network.runUntil(60 * SECOND);
    assertThat(run.far.read.values()).allMatch(bytes -> bytes == 100_000);
  }

  private static final class Run {
    private final Ends near;
    private final Ends far;
    private final VirtualNetwork network;

    Run(int streams, int bytes, Loss loss) {
      near = new Ends(true, streams, bytes);
      far = new Ends(false, 0, bytes);
      network = new VirtualNetwork(TEN_MEGABIT, TEN_MEGABIT, 7);
      network.add(near, far, loss, 0);
    }
  }

  /** One end: opens streams and writes to all of them, or takes streams and reads them. */
  private static final class Ends implements Endpoint {
    static final CodedStreamLimits LIMITS =
        new CodedStreamLimits(
            5_000, 40_000, 10_000, 64, new StreamMemory(1 << 30, () -> Long.MAX_VALUE));

    private final Streams streams;
    private final CodedSession session;
    private final Map<CodedStream, Integer> written = new LinkedHashMap<>();
    private final Map<CodedStream, Integer> read = new LinkedHashMap<>();
    private final int bytes;
    private final boolean opens;
    private final ByteBuffer out;
    private final ByteBuffer arrived = ByteBuffer.allocate(100_000);
    private long stalled = -1;
    private boolean ended;

    Ends(boolean opens, int count, int bytes) {
      SessionSettings settings =
          new SessionSettings(1, 1, 100, 4_096, SessionSettings.USUAL_SILENCE_NANOS, 1);
      this.opens = opens;
      this.bytes = bytes;
      streams = new Streams(opens, LIMITS, 4_096L * 100);
      session =
          new CodedSession(settings, new FixedRate(2_000, 400), new SlidingDeficit(0), streams, 0);
      out = ByteBuffer.allocate(settings.datagramBytes());
      for (int i = 0; i < count; i++) {
        written.put(requireNonNull(streams.open()), 0);
      }
    }

    long held() {
      return read.keySet().stream().mapToLong(CodedStream::heldBytes).sum();
    }

    @Override
    public void onPacket(Object content, long nowNanos) {
      session.onDatagram(ByteBuffer.wrap((byte[]) content), nowNanos);
    }

    private void work(long nowNanos) {
      written.replaceAll(this::write);
      CodedStream taken = streams.accept();
      while (taken != null) {
        read.put(taken, 0);
        taken.end();
        taken = streams.accept();
      }
      read.replaceAll(
          (stream, count) -> stream.id() == stalled ? count : read(stream, count, nowNanos));
      written.keySet().forEach(stream -> stream.read(ByteBuffer.allocate(1), nowNanos));
      boolean isDone = opens ? streams.count() == 0 : session.receiving() == ReceivingState.ENDED;
      session.read(ByteBuffer.allocate(1), nowNanos);
      if (isDone && !ended) {
        ended = true;
        session.end();
      }
    }

    private int write(CodedStream stream, int count) {
      ByteBuffer data = ByteBuffer.allocate(Math.min(3_000, bytes - count));
      Pattern.fill(data, count);
      int taken = stream.offer(data.flip());
      if (count + taken == bytes) {
        stream.end();
      }
      return count + taken;
    }

    private int read(CodedStream stream, int count, long nowNanos) {
      int copied = stream.read(arrived.clear(), nowNanos);
      Pattern.check(arrived.flip(), count);
      return count + copied;
    }

    @Override
    public @Nullable Packet poll(long nowNanos) {
      work(nowNanos);
      out.clear();
      int length = session.poll(nowNanos, out);
      if (length == 0) {
        return null;
      }
      byte[] datagram = new byte[length];
      out.flip().get(datagram);
      return new Packet(datagram, length + CodedEndpoint.OVERHEAD_BYTES);
    }

    @Override
    public long nextNanos() {
      return session.nextNanos();
    }
  }
}
