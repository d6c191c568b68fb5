package io.cascade.carriage.tls;

import static io.cascade.carriage.tls.PartialRecords.wholeRecords;

import io.cascade.carriage.tls.TlsState.Event;
import io.cascade.carriage.transport.BudgetedReceive;
import io.cascade.carriage.transport.Connection;
import io.cascade.carriage.transport.FinishOutput;
import io.cascade.carriage.transport.Protection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Seals bytes written to a connection and opens bytes read from it; the first handler of its
 * pipeline, at either end. All methods run on the connection's event loop, except the handshake's
 * computations, which have their own threads.
 *
 * <p><b>Ends.</b> The two directions end separately (RFC 8446 section 6.1). The peer's close_notify
 * is the clean end of the input and is passed on as the event that a FIN causes on a connection
 * without TLS. A FIN without it is a truncation and is passed on as a {@link TlsFailure}, never as
 * an end. {@link #finishOutput()} sends close_notify and then FIN.
 *
 * <p><b>Memory.</b> After the handshake, at most one record (16 KiB) of received bytes cannot be
 * opened yet; {@link BudgetedReceive#carried()} reports them to the reader, which counts them.
 * Written bytes are sealed at once into one buffer, whose promise completes when the kernel has
 * accepted it.
 */
public final class TlsRecords extends ChannelDuplexHandler implements Protection {
  private final TlsEngine engine;
  private final HopTls tls;
  private final @Nullable Fingerprint expected;
  private final PartialRecords partial = new PartialRecords();
  private TlsState state = TlsState.NEW;
  private @Nullable ChannelHandlerContext handled;
  private @Nullable Promise<Void> established;
  private @Nullable Fingerprint peer;
  private boolean computing;
  private boolean readHeldBack;
  private boolean toFlush;
  private boolean endToTell;
  private boolean outputEnded;

  /**
   * @param expected the certificate that the peer must present; null if that is decided later, see
   *     {@link #peer()}
   */
  TlsRecords(TlsEngine engine, HopTls tls, @Nullable Fingerprint expected) {
    this.engine = engine;
    this.tls = tls;
    this.expected = expected;
  }

  /** Completes after the handshake, if the peer is the expected one. Used on the event loop. */
  public Future<Void> established() {
    Promise<Void> promise = established;
    if (promise == null) {
      throw new IllegalStateException("not in a pipeline");
    }
    return promise;
  }

  private boolean isDialled() {
    return expected != null;
  }

  /** Fingerprint of the peer's certificate; null before the handshake has completed. */
  public @Nullable Fingerprint peer() {
    return peer;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    handled = context;
    Connection.of(context.channel()).protectBy(this);
    established = context.executor().newPromise();
    if (context.channel().isActive()) {
      begin(context);
    }
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    begin(context);
    context.fireChannelActive();
  }

  private void begin(ChannelHandlerContext context) {
    if (state != TlsState.NEW) {
      return;
    }
    move(Event.BEGIN);
    try {
      engine.begin();
    } catch (SSLException e) {
      fail(context, "the TLS handshake cannot begin", e);
      return;
    }
    advanceOrFail(context, Unpooled.EMPTY_BUFFER);
    read(context);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    try {
      if (state.isReceiving()) {
        advanceOrFail(context, bytes);
      }
    } finally {
      bytes.release();
    }
  }

  /** Reads nothing while the handshake computes: later bytes can wait in the kernel. */
  @Override
  public void read(ChannelHandlerContext context) {
    if (computing) {
      readHeldBack = true;
    } else {
      context.read();
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    readComplete(context);
    if (state.isBeforeOpen()) {
      read(context);
    }
  }

  private void readComplete(ChannelHandlerContext context) {
    context.fireChannelReadComplete();
    if (endToTell) {
      endToTell = false;
      context.fireUserEventTriggered(ChannelInputShutdownReadComplete.INSTANCE);
      context.read(); // the FIN after it, without which a later reset would go unnoticed
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof ChannelInputShutdownReadComplete) {
      if (state.isBeforeOpen() || state == TlsState.OPEN) {
        fail(context, "truncated: the connection ended without TLS's close_notify", null);
      }
    } else if (!(event instanceof ChannelInputShutdownEvent)) {
      context.fireUserEventTriggered(event);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (!failHandshake(cause)) {
      context.fireExceptionCaught(cause);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    failHandshake(new TlsFailure("closed during the TLS handshake"));
    drop();
    context.fireChannelInactive();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    drop();
    if (state.isBeforeOpen()) {
      tls.failed(isDialled());
    }
    move(Event.FAIL);
    engine.free();
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    ByteBuf plain = (ByteBuf) message;
    ByteBuf sealed = null;
    try {
      if (state.isBeforeOpen() || state == TlsState.FAILED || outputEnded) {
        throw new SSLException("written before the handshake or after the end");
      }
      sealed = engine.seal(context.alloc(), plain);
      context.write(sealed, promise);
      sealed = null;
    } catch (TlsKeyLimit e) {
      promise.setFailure(e);
    } catch (SSLException e) {
      promise.setFailure(new TlsFailure("cannot be sealed: " + e.getMessage(), e));
    } finally {
      plain.release();
      if (sealed != null) {
        sealed.release();
      }
    }
  }

  @Override
  public ChannelFuture finishOutput() {
    ChannelHandlerContext context = handled;
    if (context == null) {
      throw new IllegalStateException("not in a pipeline");
    }
    outputEnded = true;
    try {
      engine.endOutput();
      send(context);
    } catch (SSLException e) {
      return context.newFailedFuture(new TlsFailure("close_notify cannot be sealed", e));
    }
    toFlush = false;
    return FinishOutput.behind(context.writeAndFlush(Unpooled.EMPTY_BUFFER));
  }

  /** Fails on any error, including lack of memory: nothing after a lost record is opened. */
  private void advanceOrFail(ChannelHandlerContext context, ByteBuf bytes) {
    try {
      advance(context, bytes);
    } catch (SSLException e) {
      fail(context, state == TlsState.OPEN ? "a TLS record is not genuine" : "no TLS handshake", e);
    } catch (RuntimeException | OutOfMemoryError e) {
      fail(context, "a TLS record is lost", e);
    }
  }

  /** Opens what can be opened of the held bytes and of {@code bytes}, and passes it on. */
  private void advance(ChannelHandlerContext context, ByteBuf bytes) throws SSLException {
    partial.complete(bytes, computing || state == TlsState.HANDSHAKING);
    ByteBuf before = partial.bytes();
    int whole = (before == null ? 0 : wholeRecords(before)) + wholeRecords(bytes);
    ByteBuf plain = whole == 0 ? Unpooled.EMPTY_BUFFER : context.alloc().directBuffer(whole);
    try {
      if (before != null) {
        open(context, before, plain);
        if (!before.isReadable()) {
          partial.drop();
        }
      }
      open(context, bytes, plain);
      if (state == TlsState.INPUT_ENDED) {
        partial.drop();
      } else if (bytes.isReadable()) {
        partial.hold(context.alloc(), bytes);
      }
      tellCarried(context);
      if (toFlush) {
        toFlush = false;
        context.flush();
      }
      if (plain.isReadable()) {
        context.fireChannelRead(plain.retain());
      }
    } finally {
      plain.release();
    }
  }

  /** Consumes complete records until there is none, or the engine must compute first. */
  private void open(ChannelHandlerContext context, ByteBuf from, ByteBuf plain)
      throws SSLException {
    int whole = wholeRecords(from);
    while (!computing && state.isReceiving()) {
      switch (engine.need()) {
        case COMPUTATION -> compute(context);
        case SENDING -> send(context);
        case RECORDS -> {
          settle(context);
          if (whole == 0 || state == TlsState.INPUT_ENDED) {
            return;
          }
          int before = from.readableBytes();
          engine.open(from, whole, plain);
          whole -= before - from.readableBytes();
        }
      }
    }
  }

  /** Writes the engine's own messages: handshake, tickets, key updates, alerts. */
  private void send(ChannelHandlerContext context) throws SSLException {
    do {
      ByteBuf message = engine.message(context.alloc());
      toFlush |= message.isReadable();
      context.write(message);
    } while (engine.need() == TlsEngine.Need.SENDING);
  }

  /** Runs the handshake's signatures and key exchanges, which take too long for an event loop. */
  private void compute(ChannelHandlerContext context) {
    computing = true;
    tls.computations()
        .execute(() -> {
          engine.compute();
          try {
            context.executor().execute(() -> computed(context));
          } catch (RejectedExecutionException e) {
            // The relay has stopped.
          }
        });
  }

  private void computed(ChannelHandlerContext context) {
    computing = false;
    if (state == TlsState.FAILED) {
      engine.free(); // again, for memory that the computation allocated
    }
    if (!state.isReceiving()) {
      return;
    }
    advanceOrFail(context, Unpooled.EMPTY_BUFFER);
    readComplete(context);
    if (readHeldBack && !computing) {
      readHeldBack = false;
      context.read();
    }
  }

  /** Handles the end of the handshake, and of the input. */
  private void settle(ChannelHandlerContext context) throws SSLException {
    if (state == TlsState.HANDSHAKING && engine.established()) {
      establish(context);
    }
    if (engine.inputEnded()) {
      if (state == TlsState.HANDSHAKING) {
        throw new SSLException("ended during the handshake");
      }
      move(Event.CLOSE_NOTIFY);
      endToTell = true;
    }
  }

  private void establish(ChannelHandlerContext context) throws SSLException {
    Fingerprint shown = engine.peer();
    if (expected != null && !expected.equals(shown)) {
      throw new SSLException("the next relay's certificate is not the one that it registered");
    }
    peer = shown;
    move(Event.ESTABLISH);
    tls.finished(isDialled(), engine.resumed());
    Promise<Void> promise = established;
    if (promise != null) {
      // Later, since listeners write, and the handshake's last message must precede that.
      context.executor().execute(() -> promise.trySuccess(null));
    }
  }

  private void fail(ChannelHandlerContext context, String what, @Nullable Throwable cause) {
    String why = cause == null ? what : what + ": " + cause.getMessage();
    TlsFailure failure = cause == null ? new TlsFailure(why) : new TlsFailure(why, cause);
    if (!failHandshake(failure)) {
      move(Event.FAIL);
      drop();
      context.fireExceptionCaught(failure);
    }
  }

  /**
   * @return whether a listener waited for the handshake, so that the pipeline need not be told
   */
  private boolean failHandshake(Throwable cause) {
    if (!state.isBeforeOpen()) {
      return false;
    }
    move(Event.FAIL);
    drop();
    tls.failed(isDialled());
    Promise<Void> promise = established;
    boolean heard = promise != null && promise.tryFailure(cause);
    return heard && isDialled();
  }

  private void move(Event event) {
    state = state.after(event);
  }

  private void drop() {
    partial.drop();
    ChannelHandlerContext context = handled;
    if (context != null) {
      tellCarried(context);
    }
  }

  private void tellCarried(ChannelHandlerContext context) {
    Connection.of(context.channel()).receive().carry(partial.memoryBytes());
  }
}
