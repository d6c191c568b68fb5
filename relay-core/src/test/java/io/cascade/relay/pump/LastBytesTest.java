package io.cascade.relay.pump;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.relay.SpliceNeeded;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.unix.IntegerUnixChannelOption;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The last bytes of a direction leave in one segment with its end, where both are there. */
@Timeout(60)
class LastBytesTest {
  private static final IntegerUnixChannelOption CORK =
      new IntegerUnixChannelOption("TCP_CORK_ASKED", 6, 3);

  /** Whether the kernel was told to wait for the end, for each flush. */
  private final List<Boolean> flushes = new CopyOnWriteArrayList<>();

  private LivePump live;

  @BeforeEach
  void open() throws Exception {
    SpliceNeeded.check();
    live =
        new LivePump(
            PumpMode.COPY,
            new ChannelOutboundHandlerAdapter() {
              @Override
              public void flush(ChannelHandlerContext context) {
                var pending = context.channel().unsafe().outboundBuffer();
                if (pending != null && pending.totalPendingWriteBytes() > 0) {
                  flushes.add(context.channel().config().getOption(CORK) == 1);
                }
                context.flush();
              }
            });
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    if (live != null) {
      live.close();
    }
  }

  @Test
  void bytesThatCameWithTheEndLeaveWithIt() throws Exception {
    byte[] bytes = LivePump.random(100, 1);
    whileTheLoopIsHeld(() -> {
      live.client.getOutputStream().write(bytes);
      live.client.shutdownOutput();
    });
    assertThat(live.server.getInputStream().readAllBytes()).isEqualTo(bytes);
    assertThat(flushes).containsExactly(true);
  }

  @Test
  void bytesWhoseEndIsNotThereYetLeaveAtOnce() throws Exception {
    byte[] bytes = LivePump.random(100, 2);
    live.client.getOutputStream().write(bytes);
    assertThat(live.server.getInputStream().readNBytes(bytes.length)).isEqualTo(bytes);
    live.client.shutdownOutput();
    assertThat(live.server.getInputStream().read()).isEqualTo(-1);
    assertThat(flushes).containsExactly(false);
  }

  /**
   * @param length of which more than may be held cannot be read together with the end
   */
  @ParameterizedTest
  @ValueSource(ints = {8_192, 30_000, LivePump.LIMIT, 2_000_000})
  void howeverManyComeWithTheEndAllArriveBeforeIt(int length) throws Exception {
    byte[] bytes = LivePump.random(length, 3);
    live.writing(bytes)
        .thenRun(() -> {
          try {
            live.client.shutdownOutput();
          } catch (IOException e) {
            live.failure.complete(e);
          }
        });
    assertThat(live.server.getInputStream().readAllBytes()).isEqualTo(bytes);
    assertThat(live.failure).isNotDone();
  }

  private interface Actions {
    void run() throws Exception;
  }

  /** Holds the loop, so that it sees all of what is done meanwhile at once. */
  private void whileTheLoopIsHeld(Actions actions) throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(1);
    live.loop.execute(() -> {
      held.countDown();
      try {
        done.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });
    held.await();
    try {
      actions.run();
    } finally {
      done.countDown();
    }
  }
}
