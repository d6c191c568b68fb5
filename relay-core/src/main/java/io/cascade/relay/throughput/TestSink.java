package io.cascade.relay.throughput;

import io.cascade.carriage.transport.Connection;
import io.cascade.relay.hop.HopKey;
import io.cascade.relay.hop.TestMessage;
import io.cascade.relay.throughput.SinkState.Event;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The receiving end of a throughput test: accepts, counts and discards what arrives, and reports
 * how much it was. All methods run on the connection's event loop, except {@link #key}, {@link
 * #take} and {@link #stop}.
 */
final class TestSink extends ChannelInboundHandlerAdapter {
  private static final long LOOK_NANOS = Duration.ofMillis(50).toNanos();
  private static final int READ_BYTES = 1 << 20;

  /** Time within which the sender must connect, and at the end receive the report. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  /** Time within which the sender must reset the connection after it was told to stop. */
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(1);

  private final Order order;
  private final StreamActivity streams;
  private final LongSupplier nanoClock;
  private final Consumer<TestSink> over;
  private volatile SinkState state = SinkState.EXPECTING;
  private volatile @Nullable Channel channel;
  private @Nullable ScheduledFuture<?> looking;
  private boolean taken;
  private final AtomicLong receivedBytes = new AtomicLong();
  private long deadlineNanos;

  /** A test that this relay expects. */
  record Order(UUID test, HopKey key, long maxBytes, Duration maxTime) {}

  /**
   * @param over called once, when the test has ended
   */
  TestSink(Order order, StreamActivity streams, LongSupplier nanoClock, Consumer<TestSink> over) {
    this.order = order;
    this.streams = streams;
    this.nanoClock = nanoClock;
    this.over = over;
  }

  UUID test() {
    return order.test;
  }

  HopKey key() {
    return order.key;
  }

  long receivedBytes() {
    return receivedBytes.get();
  }

  /** The outcome, once the test is over. */
  SinkState state() {
    return state;
  }

  /** Claims the test for a connection; false if it already has one. */
  synchronized boolean take() {
    boolean first = !taken && state == SinkState.EXPECTING;
    taken |= first;
    return first;
  }

  /** Ends the test, if it is not over. May be called from any thread. */
  void stop() {
    Channel from = channel;
    if (from == null) {
      expire();
    } else {
      from.eventLoop().execute(this::breakOff);
    }
  }

  /** No sender connected in time. */
  void expire() {
    if (take()) {
      breakOff();
    }
  }

  /** Starts the test on its connection; {@code early} are bytes after its header. */
  void begin(Channel connection, ByteBuf early) {
    channel = connection;
    move(Event.ARRIVED);
    Connection.of(connection).receive().readFor(() -> READ_BYTES);
    connection.pipeline().addLast(this);
    expectWithin(order.maxTime.plus(PATIENCE));
    looking =
        connection
            .eventLoop()
            .scheduleAtFixedRate(this::look, LOOK_NANOS, LOOK_NANOS, TimeUnit.NANOSECONDS);
    say(connection, TestMessage.Kind.ACCEPTED, 0);
    count(early);
    connection.read();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    count((ByteBuf) message);
  }

  private void count(ByteBuf bytes) {
    if (state == SinkState.RECEIVING) {
      receivedBytes.addAndGet(bytes.readableBytes());
    }
    bytes.release();
    if (receivedBytes.get() > order.maxBytes) {
      breakOff();
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    if (state == SinkState.RECEIVING) {
      context.read();
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof ChannelInputShutdownReadComplete) {
      if (state == SinkState.RECEIVING && move(Event.ENDED) == SinkState.COMPLETED) {
        confirm(context.channel());
      } else {
        breakOff();
      }
    }
  }

  /**
   * Sends the answer, which the kernel delivers after the connection is closed. The test ends here
   * before the sender receives the answer, since the orchestrator may request the next test at
   * once.
   */
  private void confirm(Channel to) {
    stopLooking();
    over.accept(this);
    say(to, TestMessage.Kind.RECEIVED, receivedBytes.get());
    Connection.of(to).disarm();
    to.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
  }

  private void look() {
    if (state == SinkState.RECEIVING && streams.movesBulk()) {
      giveWay();
    } else if (nanoClock.getAsLong() - deadlineNanos >= 0) {
      breakOff();
    }
  }

  /** Tells the sender to stop, which then resets; nothing more is read until then. */
  private void giveWay() {
    Channel to = channel;
    if (move(Event.STREAM) == SinkState.GAVE_WAY && to != null) {
      over.accept(this);
      say(to, TestMessage.Kind.STOPPED, receivedBytes.get());
      expectWithin(STOP_PATIENCE);
    }
  }

  private void say(Channel to, TestMessage.Kind kind, long bytes) {
    TestMessage message = new TestMessage(kind, order.test, bytes);
    to.writeAndFlush(Unpooled.wrappedBuffer(message.encode(order.key)));
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    breakOff();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    breakOff();
  }

  /** Closes the connection with a reset, and reports the end of the test unless that was done. */
  private void breakOff() {
    boolean first = !state.isOver();
    move(Event.BROKE);
    stopLooking();
    Channel from = channel;
    if (from != null && state != SinkState.COMPLETED) {
      from.close();
    }
    if (first) {
      over.accept(this);
    }
  }

  private void stopLooking() {
    ScheduledFuture<?> timer = looking;
    if (timer != null) {
      timer.cancel(false);
      looking = null;
    }
  }

  private void expectWithin(Duration patience) {
    deadlineNanos = nanoClock.getAsLong() + patience.toNanos();
  }

  private SinkState move(Event event) {
    state = state.after(event);
    return state;
  }
}
