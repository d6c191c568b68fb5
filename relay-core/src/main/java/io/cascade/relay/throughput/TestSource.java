package io.cascade.relay.throughput;

import io.cascade.api.relay.ThroughputEnd;
import io.cascade.api.relay.ThroughputReport;
import io.cascade.carriage.preamble.PreambleHandler;
import io.cascade.carriage.transport.Connection;
import io.cascade.carriage.transport.TcpInfo;
import io.cascade.carriage.transport.UnsentLimit;
import io.cascade.relay.hop.HopKey;
import io.cascade.relay.hop.TestMessage;
import io.cascade.relay.throughput.SourceState.Event;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The sending end of a throughput test: asks, sends until bytes or time are used up, and has the
 * receiver confirm what arrived. All methods run on the connection's event loop, except {@link
 * #stop}.
 *
 * <p>Closing the connection resets it, unless the test was completed: data in the kernel's buffer
 * is dropped when a stream begins, instead of being sent beside it.
 */
final class TestSource extends PreambleHandler {
  private static final long LOOK_NANOS = Duration.ofMillis(20).toNanos();
  private static final long STREAM_LOOK_NANOS = Duration.ofMillis(50).toNanos();

  /** Longer than any message. */
  private static final int MOST_ANSWER_BYTES = 1_024;

  /** Writes at once; then other work of the event loop runs. */
  private static final int WRITES_A_TURN = 16;

  private final Order order;
  private final StreamActivity streams;
  private final LongSupplier nanoClock;
  private final CompletableFuture<ThroughputReport> result = new CompletableFuture<>();
  private SourceState state = SourceState.CONNECTING;
  private volatile @Nullable Channel channel;
  private @Nullable Measurement measurement;
  private @Nullable ScheduledFuture<?> looking;
  private String congestionControl = "";
  private final AtomicLong writtenBytes = new AtomicLong();
  private long startNanos;
  private long deadlineNanos;
  private long ackedBytes;
  private long ackedNanos;
  private long lookedForStreamsNanos;

  /**
   * A test to run.
   *
   * @param peer the receiver, for messages
   */
  record Order(UUID test, HopKey key, String peer, long maxBytes, Duration maxTime) {}

  /**
   * Time within which the receiver must accept, and acknowledge some data; after the test also to
   * confirm.
   */
  static final Duration PATIENCE = Duration.ofMillis(2_500);

  TestSource(Order order, StreamActivity streams, LongSupplier nanoClock) {
    super(MOST_ANSWER_BYTES);
    this.order = order;
    this.streams = streams;
    this.nanoClock = nanoClock;
  }

  /**
   * Completes exceptionally with {@link TestFailed} or {@link TestRefused} if there is nothing to
   * report.
   */
  CompletableFuture<ThroughputReport> result() {
    return result;
  }

  /** Bytes written to the kernel so far. */
  long writtenBytes() {
    return writtenBytes.get();
  }

  /** The connection could not be opened. */
  void notConnected(Throwable why) {
    fail("cannot connect to " + order.peer + ": " + why.getMessage());
  }

  /** Ends the test. May be called from any thread. */
  void stop(String why) {
    Channel to = channel;
    if (to == null) {
      result.completeExceptionally(new TestFailed(why));
    } else {
      to.eventLoop().execute(() -> fail(why));
    }
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    super.handlerAdded(context);
    channel = context.channel();
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    if (result.isDone()) {
      context.close();
      return;
    }
    move(Event.CONNECTED);
    UnsentLimit.testing(context.channel());
    TestMessage ask = new TestMessage(TestMessage.Kind.TEST, order.test, 0);
    context.writeAndFlush(Unpooled.wrappedBuffer(ask.encode(order.key)));
    expectWithin(PATIENCE);
    looking =
        context
            .executor()
            .scheduleAtFixedRate(this::look, LOOK_NANOS, LOOK_NANOS, TimeUnit.NANOSECONDS);
    expect();
  }

  @Override
  protected void parse(ByteBuf bytes) {
    try {
      TestMessage answer = TestMessage.decode(bytes, order.test, order.key);
      if (answer != null) {
        answered(context(), answer);
      }
    } catch (TestMessage.Unexpected e) {
      fail(order.peer + " answered with " + e.getMessage());
    }
  }

  private void answered(ChannelHandlerContext context, TestMessage answer) {
    switch (answer.kind()) {
      case ACCEPTED -> accepted(context);
      case RECEIVED -> confirmed(context, answer.bytes());
      case STOPPED -> {
        if (move(Event.STOPPED) == SourceState.GAVE_WAY) {
          gaveWay(order.peer);
        } else {
          outOfTurn();
        }
      }
      case TEST -> outOfTurn();
    }
  }

  private void outOfTurn() {
    fail(order.peer + " sent an unexpected answer");
  }

  private void accepted(ChannelHandlerContext context) {
    TcpInfo before = Connection.of(context.channel()).tcpInfo();
    if (before == null || move(Event.ACCEPTED) != SourceState.SENDING) {
      outOfTurn();
      return;
    }
    String used = Connection.of(context.channel()).congestionControl();
    congestionControl = used == null ? "" : used;
    startNanos = nanoClock.getAsLong();
    ackedNanos = startNanos;
    ackedBytes = before.ackedBytes();
    measurement = new Measurement(startNanos, before);
    deadlineNanos = startNanos + order.maxTime.toNanos();
    write(context.channel());
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    write(context.channel());
  }

  /** Writes until the kernel accepts no more, or all was written. */
  private void write(Channel to) {
    for (int turn = 0; state == SourceState.SENDING && to.isWritable(); turn++) {
      long left = order.maxBytes - writtenBytes.get();
      if (left == 0) {
        sent(to);
      } else if (turn == WRITES_A_TURN) {
        to.eventLoop().execute(() -> write(to));
        return;
      } else {
        ByteBuf next = RandomBlock.first((int) Math.min(left, RandomBlock.BYTES));
        writtenBytes.addAndGet(next.readableBytes());
        to.writeAndFlush(next);
      }
    }
  }

  private void sent(Channel to) {
    sample();
    if (move(Event.SENT) == SourceState.CONFIRMING) {
      expectWithin(leftOfTheTest().plus(PATIENCE));
      Connection.of(to).finishOutput();
    }
  }

  /** Through a chain, sent data may still wait in relays when the last byte has left this one. */
  private Duration leftOfTheTest() {
    long nanos = startNanos + order.maxTime.toNanos() - nanoClock.getAsLong();
    return Duration.ofNanos(Math.max(0, nanos));
  }

  private void confirmed(ChannelHandlerContext context, long bytes) {
    TcpInfo now = Connection.of(context.channel()).tcpInfo();
    Measurement measured = measurement;
    if (move(Event.CONFIRMED) != SourceState.COMPLETED || measured == null || now == null) {
      outOfTurn();
    } else if (bytes != writtenBytes.get() || measured.ackedBytes(now) < bytes) {
      fail(
          order.peer
              + " says that "
              + bytes
              + " bytes arrived, of "
              + writtenBytes.get()
              + " that were sent and "
              + Math.min(writtenBytes.get(), measured.ackedBytes(now))
              + " that TCP delivered");
    } else {
      boolean all = bytes == order.maxBytes;
      ThroughputEnd endedBy = all ? ThroughputEnd.BYTES : ThroughputEnd.SECONDS;
      Connection.of(context.channel()).disarm();
      end();
      result.complete(
          measured.report(nanoClock.getAsLong(), bytes, now, congestionControl, endedBy));
    }
  }

  /** Takes a reading, and ends the test if it must not continue. Called periodically. */
  private void look() {
    if (state.isOver()) {
      return;
    }
    long now = nanoClock.getAsLong();
    if (now - lookedForStreamsNanos >= STREAM_LOOK_NANOS) {
      lookedForStreamsNanos = now;
      if (streams.movesBulk() && move(Event.STREAM) == SourceState.GAVE_WAY) {
        gaveWay("this relay");
        return;
      }
    }
    if (state == SourceState.SENDING) {
      sample();
    }
    if (state == SourceState.SENDING && now - ackedNanos >= PATIENCE.toNanos()) {
      fail("stalled: " + order.peer + " acknowledged nothing for " + PATIENCE.toMillis() + " ms");
    } else if (now - deadlineNanos >= 0) {
      timeIsUp();
    }
  }

  private void timeIsUp() {
    Channel to = channel;
    if (state == SourceState.SENDING && to != null) {
      sent(to);
    } else {
      String what =
          state == SourceState.CONFIRMING
              ? "confirm in time what arrived"
              : "accept the test within " + PATIENCE.toMillis() + " ms";
      fail("stalled: " + order.peer + " did not " + what);
    }
  }

  private void sample() {
    Channel to = channel;
    Measurement measured = measurement;
    TcpInfo info = to == null ? null : Connection.of(to).tcpInfo();
    if (measured == null || info == null) {
      return;
    }
    long now = nanoClock.getAsLong();
    measured.add(now, info);
    if (info.ackedBytes() > ackedBytes) {
      ackedBytes = info.ackedBytes();
      ackedNanos = now;
    }
  }

  /** Ends a test that gives way to streams; what was delivered so far counts, if anything was. */
  private void gaveWay(String where) {
    Channel to = channel;
    Measurement measured = measurement;
    TcpInfo now = to == null ? null : Connection.of(to).tcpInfo();
    long nanos = nanoClock.getAsLong();
    end();
    long bytes =
        measured == null || now == null
            ? 0
            : Math.min(writtenBytes.get(), measured.ackedBytes(now));
    if (measured == null || now == null || bytes <= 0) {
      result.completeExceptionally(
          new TestRefused(
              TestRefused.Reason.STREAMS,
              "a stream began to move bulk data through "
                  + where
                  + " before anything was delivered"));
    } else {
      result.complete(measured.report(nanos, bytes, now, congestionControl, ThroughputEnd.STREAM));
    }
  }

  /** Null: {@link #look} enforces the deadlines, which apply to the whole test. */
  @Override
  protected @Nullable Duration patience() {
    return null;
  }

  @Override
  protected void late() {
    throw new IllegalStateException("there is no deadline for one message");
  }

  @Override
  protected void broken(@Nullable Throwable cause) {
    vanished();
  }

  private void vanished() {
    if (state == SourceState.CONNECTING) {
      return; // the connection attempt reports its own failure
    }
    if (state == SourceState.ASKING) {
      fail(order.peer + " refused the connection: it expects no such test, or has another key");
    } else if (!state.isOver()) {
      fail("vanished: " + order.peer + " closed the connection before it confirmed what arrived");
    }
  }

  private void fail(String why) {
    if (!result.isDone()) {
      move(Event.BROKE);
      end();
      result.completeExceptionally(new TestFailed(why));
    }
  }

  private SourceState move(Event event) {
    state = state.after(event);
    return state;
  }

  /** Closes the connection, with a reset unless the option was cleared. */
  private void end() {
    ScheduledFuture<?> timer = looking;
    if (timer != null) {
      timer.cancel(false);
      looking = null;
    }
    giveUp();
    Channel to = channel;
    if (to != null) {
      to.close();
    }
  }

  private void expectWithin(Duration patience) {
    deadlineNanos = nanoClock.getAsLong() + patience.toNanos();
  }
}
