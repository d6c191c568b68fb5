package io.cascade.carriage.preamble;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.carriage.LeakWatch;
import io.cascade.carriage.transport.EmbeddedConnection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A preamble of messages of two bytes: GO, NEXT (rest until another), WAIT (cannot answer yet). */
class PreambleHandlerTest {
  private static final int PATIENCE_MILLIS = 1_000;

  private final List<String> told = new ArrayList<>();
  private final Letters handler = new Letters();
  private final EmbeddedConnection channel = new EmbeddedConnection();

  @BeforeEach
  void begin() {
    LeakWatch.start();
    channel.freezeTime();
    channel.pipeline().addLast(handler);
    handler.expect();
  }

  @AfterEach
  void end() {
    channel.finishAndReleaseAll();
    LeakWatch.assertNothingLeaks();
  }

  @Test
  void handsOnTheBytesBehindAPreambleThatComesInPieces() {
    write("g");
    assertThat(told).isEmpty();
    write("o, bytes");
    assertThat(told).containsExactly("handed over: , bytes");
    assertThat(channel.pipeline().get(Letters.class)).isNull();
  }

  @Test
  void handsOnTheEndOfTheInputThatCameWhileItWasSuspended() {
    write("wa");
    endInput();
    assertThat(told).isEmpty();
    handler.resume();
    handler.finish();
    assertThat(told).containsExactly("handed over: ", "the next handler sees the end");
  }

  @Test
  void readsNothingWhileItIsSuspendedAndKeepsWhatWasUnderWay() {
    write("wa");
    write("more");
    assertThat(told).isEmpty();
    handler.resume();
    handler.finish();
    assertThat(told).containsExactly("handed over: more");
  }

  @Test
  void tellsAnEndOfTheInputThatCameMeanwhileWhenItReadsOn() {
    write("wa");
    endInput();
    handler.resume();
    handler.readOn();
    assertThat(told).containsExactly("broken: null");
  }

  @Test
  void bytesDoNotExtendTheDeadline() {
    passMillis(PATIENCE_MILLIS - 1);
    write("g");
    passMillis(1);
    assertThat(told).containsExactly("late");
  }

  @Test
  void aSuspendedMessageIsLateToo() {
    write("wa");
    passMillis(PATIENCE_MILLIS);
    assertThat(told).containsExactly("late");
  }

  @Test
  void mayRestForAsLongAsItLikesUntilAnotherMessageBegins() {
    write("ne");
    passMillis(100 * PATIENCE_MILLIS);
    assertThat(told).isEmpty();
    write("g");
    passMillis(PATIENCE_MILLIS);
    assertThat(told).containsExactly("late");
  }

  @Test
  void parsesTheNextMessageThatCameBehindTheLast() {
    write("nego!");
    assertThat(told).containsExactly("handed over: !");
  }

  @Test
  void anEndOfTheInputBreaksThePreamble() {
    write("g");
    endInput();
    assertThat(told).containsExactly("broken: null");
  }

  @Test
  void anErrorBreaksThePreamble() {
    channel.pipeline().fireExceptionCaught(new IOException("reset"));
    assertThat(told).containsExactly("broken: reset");
  }

  @Test
  void dropsBytesThatComeAfterItWasGivenUp() {
    write("g");
    handler.giveUp();
    write("o");
    endInput();
    channel.close();
    passMillis(PATIENCE_MILLIS);
    assertThat(told).isEmpty();
  }

  private void write(String text) {
    channel.writeInbound(ByteBufUtil.writeAscii(channel.alloc(), text));
  }

  private void endInput() {
    channel.pipeline().fireUserEventTriggered(ChannelInputShutdownReadComplete.INSTANCE);
  }

  private void passMillis(long millis) {
    channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
  }

  private final class Letters extends PreambleHandler {
    Letters() {
      super(1_024);
    }

    @Override
    protected void parse(ByteBuf bytes) {
      if (bytes.readableBytes() < 2) {
        return;
      }
      switch (bytes.readCharSequence(2, java.nio.charset.StandardCharsets.US_ASCII).toString()) {
        case "go" -> finish();
        case "ne" -> rest();
        default -> suspend();
      }
    }

    void finish() {
      handOver(behind -> {
        told.add("handed over: " + behind.toString(java.nio.charset.StandardCharsets.US_ASCII));
        behind.release();
        channel.pipeline().addLast(new Next());
      });
    }

    @Override
    protected void broken(@Nullable Throwable cause) {
      told.add("broken: " + (cause == null ? null : cause.getMessage()));
      giveUp();
    }

    @Override
    protected void late() {
      told.add("late");
      giveUp();
    }

    @Override
    protected Duration patience() {
      return Duration.ofMillis(PATIENCE_MILLIS);
    }
  }

  private final class Next extends ChannelInboundHandlerAdapter {
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      told.add("the next handler sees the end");
    }
  }
}
