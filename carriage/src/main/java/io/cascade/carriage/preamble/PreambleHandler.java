package io.cascade.carriage.preamble;

import io.cascade.carriage.preamble.PreambleState.Event;
import io.cascade.carriage.transport.Connection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the preamble of a connection: collects a bounded number of bytes, has a subclass parse
 * them, and in the end hands the connection on with the bytes that came behind the preamble and
 * with the end of the input, where that has come already.
 *
 * <p>A message that is expected has a deadline, which bytes do not extend. Everything runs on the
 * connection's event loop. Bytes that were not handed on are released when the preamble fails.
 */
public abstract class PreambleHandler extends ChannelInboundHandlerAdapter {
  private final int mostBytes;
  private ByteBuf received;
  private PreambleState state = PreambleState.NEW;
  private boolean inputEnded;
  private @Nullable ChannelHandlerContext added;
  private @Nullable ScheduledFuture<?> deadline;

  /**
   * @param mostBytes most bytes that are held; more are left in the kernel
   */
  protected PreambleHandler(int mostBytes) {
    this(mostBytes, Unpooled.EMPTY_BUFFER);
  }

  /**
   * @param received bytes that have come already; owned by this handler from now on
   */
  protected PreambleHandler(int mostBytes, ByteBuf received) {
    this.mostBytes = mostBytes;
    this.received = received;
  }

  /**
   * Parses the bytes that are there. Consumes nothing when a message is not whole, and afterwards
   * calls nothing when it has consumed one and expects another.
   */
  protected abstract void parse(ByteBuf bytes);

  /**
   * Ends the preamble: the connection broke, or its input ended.
   *
   * @param cause null where the peer closed the connection in order
   */
  protected abstract void broken(@Nullable Throwable cause);

  /** Ends the preamble: an expected message did not come, or was not answered, in time. */
  protected abstract void late();

  /** The time that an expected message may take, its answer included; null for any time. */
  protected abstract @Nullable Duration patience();

  /** Notes that the state has changed. */
  protected void moved(PreambleState from, PreambleState to) {}

  /** The current state. */
  protected final PreambleState state() {
    return state;
  }

  /** The place in the pipeline. */
  protected final ChannelHandlerContext context() {
    ChannelHandlerContext context = added;
    if (context == null) {
      throw new IllegalStateException("not in a pipeline");
    }
    return context;
  }

  /** Expects a message and starts its deadline. */
  protected final void expect() {
    move(Event.EXPECT);
    startDeadline();
    if (received.isReadable()) {
      parse(received);
    }
    readOn();
  }

  /** Reads nothing more until {@link #resume()}; the deadline goes on. */
  protected final void suspend() {
    move(Event.SUSPEND);
  }

  /** Takes {@link #suspend()} back. The message that was read can be answered now. */
  protected final void resume() {
    move(Event.RESUME);
  }

  /** Waits without a deadline until the peer begins another message. */
  protected final void rest() {
    move(Event.REST);
    if (inputEnded) {
      broken(null);
    } else if (received.isReadable()) {
      arrived();
    } else {
      keep(Unpooled.EMPTY_BUFFER); // a connection may rest for long, and need hold nothing
      readOn();
    }
  }

  /** Reads on, where a message is expected; an end of the input that came meanwhile is told. */
  protected final void readOn() {
    if (state != PreambleState.READING && state != PreambleState.RESTING) {
      return;
    }
    if (inputEnded) {
      broken(null);
    } else {
      context().read();
    }
  }

  /**
   * Hands the connection on and leaves the pipeline.
   *
   * @param next adds its own handlers to the pipeline, and owns the bytes behind the preamble
   */
  protected final void handOver(Consumer<ByteBuf> next) {
    if (move(Event.HAND_OVER) != PreambleState.HANDED_OVER) {
      return;
    }
    ByteBuf behind = received;
    received = Unpooled.EMPTY_BUFFER;
    next.accept(behind);
    if (inputEnded) {
      context().fireUserEventTriggered(ChannelInputShutdownReadComplete.INSTANCE);
    }
    context().pipeline().remove(this);
  }

  /** Gives the preamble up and releases what was read. Closing the connection is the caller's. */
  protected final void giveUp() {
    move(Event.CLOSE);
    keep(Unpooled.EMPTY_BUFFER);
  }

  private PreambleState move(Event event) {
    PreambleState from = state;
    state = from.after(event);
    if (state != from) {
      if (!state.isPending()) {
        cancelDeadline();
      }
      moved(from, state);
    }
    return state;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    added = context;
    Connection.of(context.channel()).receive().readFor(() -> mostBytes - received.readableBytes());
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    if (state.isOver()) {
      bytes.release(); // of a read that was under way
      return;
    }
    if (received.isReadable()) {
      received = Unpooled.wrappedBuffer(received, bytes);
    } else {
      keep(bytes);
    }
    arrived();
  }

  private void arrived() {
    boolean silent = !state.isPending();
    if (move(Event.BYTES) == PreambleState.READING) {
      if (silent) {
        startDeadline();
      }
      parse(received);
    }
  }

  private void keep(ByteBuf bytes) {
    received.release();
    received = bytes;
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    if (state == PreambleState.HANDED_OVER) {
      context.fireChannelReadComplete(); // the next handler has taken over within this read
    } else if (state == PreambleState.READING || state == PreambleState.RESTING) {
      context.read(); // also while it rests: that is how the end of the connection is noticed
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof ChannelInputShutdownReadComplete) {
      inputEnded = true;
      if (!state.isOver() && state != PreambleState.SUSPENDED) {
        broken(null);
      }
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (!state.isOver()) {
      broken(cause);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (!state.isOver()) {
      broken(null);
    }
  }

  private void startDeadline() {
    cancelDeadline();
    Duration patience = patience();
    if (patience != null && state.isPending()) {
      deadline =
          context()
              .executor()
              .schedule(
                  () -> {
                    if (state.isPending()) {
                      late();
                    }
                  },
                  patience.toNanos(),
                  TimeUnit.NANOSECONDS);
    }
  }

  private void cancelDeadline() {
    if (deadline != null) {
      deadline.cancel(false);
      deadline = null;
    }
  }
}
