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
 * Reads the preamble of a connection: collects a bounded number of bytes and has a subclass parse
 * them. Finally it hands over the connection, with the bytes after the preamble and with the end of
 * the input if that has already arrived.
 *
 * <p>An expected message has a deadline, which arriving bytes do not extend. All methods run on the
 * connection's event loop. Bytes that were not handed over are released when the preamble fails.
 */
public abstract class PreambleHandler extends ChannelInboundHandlerAdapter {
  private final int mostBytes;
  private ByteBuf received;
  private PreambleState state = PreambleState.NEW;
  private boolean inputEnded;
  private @Nullable ChannelHandlerContext added;
  private @Nullable ScheduledFuture<?> deadline;

  /**
   * @param mostBytes most bytes that are held; more stay in the kernel
   */
  protected PreambleHandler(int mostBytes) {
    this(mostBytes, Unpooled.EMPTY_BUFFER);
  }

  /**
   * @param received bytes that have already arrived; handed over
   */
  protected PreambleHandler(int mostBytes, ByteBuf received) {
    this.mostBytes = mostBytes;
    this.received = received;
  }

  /**
   * Parses the available bytes. Must consume nothing while a message is incomplete, and must call
   * nothing more after it has consumed one and expects another.
   */
  protected abstract void parse(ByteBuf bytes);

  /**
   * Ends the preamble: the connection failed, or its input ended.
   *
   * @param cause null if the peer closed the connection cleanly
   */
  protected abstract void broken(@Nullable Throwable cause);

  /** Ends the preamble: an expected message did not arrive, or was not answered, in time. */
  protected abstract void late();

  /** Time for an expected message, including its answer; null for no limit. */
  protected abstract @Nullable Duration patience();

  /** Called when the state has changed. */
  protected void moved(PreambleState from, PreambleState to) {}

  /** The current state. */
  protected final PreambleState state() {
    return state;
  }

  /** The position in the pipeline. */
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

  /** Reads nothing more until {@link #resume()}; the deadline keeps running. */
  protected final void suspend() {
    move(Event.SUSPEND);
  }

  /** Undoes {@link #suspend()}: the message that was read can now be answered. */
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
      keep(Unpooled.EMPTY_BUFFER); // a connection may rest for long, and then holds no memory
      readOn();
    }
  }

  /**
   * Continues reading if a message is expected; reports an end of the input that arrived meanwhile.
   */
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
   * Hands the connection over and leaves the pipeline.
   *
   * @param next adds its own handlers to the pipeline, and owns the bytes after the preamble
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

  /** Ends the preamble and releases what was read. The caller closes the connection. */
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
      bytes.release(); // of a read in progress
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
      context.fireChannelReadComplete(); // the next handler took over during this read
    } else if (state == PreambleState.READING || state == PreambleState.RESTING) {
      context.read(); // also while it rests: so the end of the connection is noticed
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
