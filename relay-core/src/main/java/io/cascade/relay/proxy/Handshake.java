package io.cascade.relay.proxy;

import io.cascade.api.HostPort;
import io.cascade.relay.destination.DestinationRules;
import io.cascade.relay.socket.LingeringClose;
import io.cascade.relay.stream.Answer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a client says before its stream: one connection, on its event loop. A decoder of the
 * protocol stands before this handler; when the client has said where it wants to go, both leave
 * the pipeline, and bytes that came behind are the stream's first.
 */
abstract class Handshake extends ChannelInboundHandlerAdapter {
  private final Reception reception;
  private State state = State.NEW;
  private ByteBuf early = Unpooled.EMPTY_BUFFER;
  private @Nullable ChannelHandler decoder;
  private @Nullable ScheduledFuture<?> timeout;
  private boolean inputEnded;

  private enum State {
    NEW,
    READING,
    /** A password is being looked at; nothing is read meanwhile. */
    VERIFYING,
    DONE
  }

  Handshake(Reception reception) {
    this.reception = reception;
  }

  /** The decoder of the client's first message. */
  abstract ChannelHandler firstDecoder();

  /** One message of the protocol. */
  abstract void received(ChannelHandlerContext context, Object message);

  final Reception reception() {
    return reception;
  }

  @Override
  public final void channelActive(ChannelHandlerContext context) {
    Channel channel = context.channel();
    if (!(channel.remoteAddress() instanceof InetSocketAddress client)) {
      channel.close(); // reset before we could look
      return;
    }
    HandshakeOutcome refusal = reception.enter(client.getAddress());
    if (refusal != null) {
      state = State.DONE;
      reception.count(refusal);
      channel.close();
      return;
    }
    state = State.READING;
    timeout =
        context
            .executor()
            .schedule(
                () -> refuse(context, HandshakeOutcome.TIMED_OUT, null),
                reception.patience().toNanos(),
                TimeUnit.NANOSECONDS);
    ChannelHandler first = firstDecoder();
    decoder = first;
    context.pipeline().addBefore(context.name(), null, first);
    context.read();
  }

  @Override
  public final void channelRead(ChannelHandlerContext context, Object message) {
    if (state == State.DONE || state == State.NEW) {
      ReferenceCountUtil.release(message);
    } else if (message instanceof ByteBuf bytes) {
      keep(bytes);
    } else {
      received(context, message);
    }
  }

  private void keep(ByteBuf bytes) {
    if (early.isReadable()) {
      early = Unpooled.wrappedBuffer(early, bytes);
    } else {
      early.release();
      early = bytes;
    }
  }

  @Override
  public final void channelReadComplete(ChannelHandlerContext context) {
    if (state == State.READING) {
      context.read();
    } else if (state == State.DONE) {
      context.fireChannelReadComplete(); // the stream has taken over within this read
    }
  }

  @Override
  public final void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof ChannelInputShutdownReadComplete) {
      inputEnded = true;
      if (state == State.READING) {
        refuse(context, HandshakeOutcome.GONE, null);
      }
    }
  }

  @Override
  public final void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    refuse(context, HandshakeOutcome.GONE, null);
  }

  @Override
  public final void channelInactive(ChannelHandlerContext context) {
    refuse(context, HandshakeOutcome.GONE, null);
  }

  /** The next message needs another decoder; bytes that the last one did not use go there. */
  final void decodeWith(ChannelHandlerContext context, ChannelHandler next) {
    ChannelHandler last = decoder;
    decoder = next;
    if (last != null) {
      context.pipeline().replace(last, null, next);
    }
  }

  /** What comes from now on is the stream's. */
  final void decodeNoMore(ChannelHandlerContext context) {
    ChannelHandler last = decoder;
    decoder = null;
    if (last != null) {
      context.pipeline().remove(last);
    }
  }

  /** Off the event loop where that takes time; {@code then} is called on it. */
  final void verify(
      ChannelHandlerContext context,
      Credentials credentials,
      String user,
      String password,
      Consumer<Boolean> then) {
    if (credentials.knows(user, password)) {
      then.accept(true);
      return;
    }
    state = State.VERIFYING;
    reception.work(() -> {
      boolean right = credentials.verify(user, password);
      context
          .executor()
          .execute(() -> {
            if (state == State.VERIFYING) {
              state = State.READING;
              then.accept(right);
              if (state == State.READING) {
                context.read();
              }
            }
          });
    });
  }

  /** Whether a password is being looked at. */
  final boolean verifying() {
    return state == State.VERIFYING;
  }

  /** There will be no stream. {@code words}, if any, are the last that the client gets. */
  final void refuse(
      ChannelHandlerContext context, HandshakeOutcome outcome, @Nullable Object words) {
    if (state == State.DONE || state == State.NEW) {
      ReferenceCountUtil.release(words);
      return;
    }
    finish();
    reception.count(outcome);
    early.release();
    early = Unpooled.EMPTY_BUFFER;
    if (words == null) {
      context.channel().close();
    } else {
      LingeringClose.send(context.channel(), words);
    }
  }

  /** The client has said where it wants to go, and may. */
  final void leave(
      ChannelHandlerContext context,
      HostPort destination,
      DestinationRules.Look look,
      Answer answer) {
    decodeNoMore(context);
    finish();
    ByteBuf first = early;
    early = Unpooled.EMPTY_BUFFER;
    reception.depart(context.channel(), destination, look, first, answer);
    if (inputEnded) {
      context.fireUserEventTriggered(ChannelInputShutdownReadComplete.INSTANCE);
    }
    context.pipeline().remove(this);
  }

  private void finish() {
    state = State.DONE;
    reception.leave();
    if (timeout != null) {
      timeout.cancel(false);
      timeout = null;
    }
  }
}
