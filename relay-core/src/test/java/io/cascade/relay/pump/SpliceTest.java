package io.cascade.relay.pump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.carriage.transport.UnsentLimit;
import io.cascade.relay.SpliceNeeded;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What Netty reads while the kernel moves a direction's bytes: where the peer's end comes with
 * bytes, Netty reads twice, the second time though reading was taken over meanwhile.
 */
@Timeout(60)
class SpliceTest {
  private LivePump live;
  private Pump pump;

  @BeforeEach
  void open() throws Exception {
    SpliceNeeded.check();
    live = new LivePump(PumpMode.SPLICE, new ChannelInboundHandlerAdapter());
    pump = live.pump;
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    if (live != null) {
      live.close();
    }
  }

  /**
   * @param bytes as much as may be held, so that there is room for no more, or less
   */
  @ParameterizedTest
  @ValueSource(ints = {LivePump.LIMIT, 20_000})
  void itKeepsItsPlaceAndHoldsNothingUp(int bytes) throws Exception {
    byte[] beside = LivePump.random(bytes, 1);
    byte[] sent = LivePump.random(1 << 20, 2);
    for (int i = 0; i < 20; i++) {
      long before = pump.account().splicedBytes();
      do { // until the kernel has taken over, or again
        exchange(Arrays.copyOf(sent, 50_000));
      } while (pump.account().splicedBytes() == before);
      live.onLoop(() -> read(beside));
      assertThat(Arrays.equals(live.server.getInputStream().readNBytes(bytes), beside)).isTrue();
      exchange(sent);
    }
    live.client.shutdownOutput();
    assertThat(live.server.getInputStream().read()).isEqualTo(-1);
  }

  @Test
  void itComesBehindWhatIsInThePipe() throws Exception {
    byte[] first = LivePump.random(64 << 20, 3); // more than all the kernel's buffers take
    byte[] beside = LivePump.random(30_000, 4);
    do {
      exchange(Arrays.copyOf(first, 50_000));
    } while (pump.account().splicedBytes() == 0);
    CompletableFuture<Void> writing = live.writing(first);
    holdsAtRest(); // nobody reads at the other end
    long[] at = new long[1];
    live.onLoop(() -> {
      at[0] = pump.account().bytesIn();
      assertThat(pump.account().heldBytes()).isPositive();
      read(beside);
    });
    byte[] came = live.server.getInputStream().readNBytes(first.length + beside.length);
    writing.get();
    int place = came.length - (int) (pump.account().bytesIn() - at[0]);
    assertThat(Arrays.copyOfRange(came, place, place + beside.length)).isEqualTo(beside);
    assertThat(Arrays.copyOf(came, place)).isEqualTo(Arrays.copyOf(first, place));
    assertThat(Arrays.copyOfRange(came, place + beside.length, came.length))
        .isEqualTo(Arrays.copyOfRange(first, place, first.length));
  }

  /** Its bytes are the kernel's wherever they wait: it bounds them as the direction is bounded. */
  @ParameterizedTest
  @ValueSource(longs = {4 << 20, LivePump.LIMIT})
  void theKernelTakesNoMoreThanTheDirectionMayHold(long limit) throws Exception {
    live.close();
    live = new LivePump(PumpMode.SPLICE, new ChannelInboundHandlerAdapter(), limit);
    pump = live.pump;
    byte[] little = LivePump.random(5_000, 5);
    do {
      exchange(little);
    } while (pump.account().splicedBytes() == 0);
    assertThat(unsentLimit()).as("taken whole").isEqualTo(Math.min(limit, UnsentLimit.BYTES));

    byte[] bytes = LivePump.random(64 << 20, 6); // more than all the kernel's buffers take
    CompletableFuture<Void> writing = live.writing(bytes);
    holdsAtRest(); // nobody reads at the other end
    assertThat(unsentLimit()).isEqualTo(limit);

    assertThat(live.server.getInputStream().readNBytes(bytes.length)).isEqualTo(bytes);
    writing.get();
    live.client.shutdownOutput();
    assertThat(live.server.getInputStream().read()).isEqualTo(-1);
    assertThat(unsentLimit()).isEqualTo(Math.min(limit, UnsentLimit.BYTES));
  }

  private long unsentLimit() {
    return live.sink.config().getOption(UnsentLimit.OPTION);
  }

  private void holdsAtRest() {
    long[] before = {0};
    await()
        .pollInterval(Duration.ofMillis(300))
        .until(() -> {
          long held = pump.account().heldBytes();
          boolean rests = held > 0 && held == before[0];
          before[0] = held;
          return rests;
        });
  }

  private void exchange(byte[] bytes) throws Exception {
    CompletableFuture<Void> writing = live.writing(bytes);
    byte[] came = live.server.getInputStream().readNBytes(bytes.length);
    assertThat(Arrays.equals(came, bytes)).isTrue();
    writing.get();
    assertThat(live.failure).isNotDone();
  }

  /** Hands bytes over as Netty does what a read of its own has brought. */
  private void read(byte[] bytes) {
    ByteBuf buffer = live.sink.alloc().directBuffer(LivePump.LIMIT);
    buffer.writeBytes(bytes);
    pump.received(buffer);
    pump.readComplete();
  }
}
