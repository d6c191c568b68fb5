package io.cascade.relay.hop;

import io.cascade.relay.tls.Fingerprint;
import io.cascade.relay.tls.TlsFailure;
import io.cascade.relay.tls.TlsRecords;
import io.cascade.relay.transport.Connection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads the headers of one connection to the hop port, answers valid ones, and hands the connection
 * over to a stream. Leaves the pipeline then. Everything runs on the connection's event loop.
 *
 * <p>Parts of a chain are installed everywhere at the same moment, so a greeting may be here before
 * its chain: such a connection is parked, unanswered and within the header's time-out, until the
 * chain comes.
 */
final class HopAcceptor extends ChannelInboundHandlerAdapter {
  private static final long MOST_EARLY_BYTES = 16 * 1_024;

  /** RFC 8446 section 5.1: the type of a handshake record. A PROXY header begins with 0x0D. */
  private static final byte TLS_HANDSHAKE = 0x16;

  private final HopServer server;
  private ByteBuf read = Unpooled.EMPTY_BUFFER;
  private State state = State.READING;
  private boolean begun;
  private boolean inputEnded;
  private HopHeader.@Nullable Unverified parked;
  private @Nullable HopInlet greetedBy;
  private @Nullable ScheduledFuture<?> timeout;

  private enum State {
    /** A header is expected, or half read. */
    READING,
    /** A header was read whose chain is not known yet. */
    PARKED,
    /** The greeting was answered; silence is allowed until a stream's header begins. */
    WAITING,
    DONE
  }

  HopAcceptor(HopServer server) {
    this.server = server;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    Connection.of(context.channel())
        .receive()
        .readFor(() -> MOST_EARLY_BYTES - read.readableBytes());
    if (server.descriptorsAreScarce()) {
      refuse(context.channel(), HopRefusal.LIMIT);
      return;
    }
    startTimeout(context);
    context.read();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    if (state == State.DONE) {
      bytes.release(); // of a read that was under way
      return;
    }
    if (!begun && bytes.isReadable()) {
      begun = true;
      if (bytes.getByte(bytes.readerIndex()) == TLS_HANDSHAKE && startTls(context, bytes)) {
        return;
      }
    }
    if (read.isReadable()) {
      read = Unpooled.wrappedBuffer(read, bytes);
    } else {
      replace(bytes);
    }
    if (state == State.WAITING) {
      state = State.READING;
      startTimeout(context);
    }
    if (state == State.READING) {
      readHeader(context);
    }
  }

  /** From here on TLS comes before this handler, and gets the first bytes, too. */
  private boolean startTls(ChannelHandlerContext context, ByteBuf bytes) {
    TlsRecords tls = server.acceptTls();
    if (tls == null) {
      return false;
    }
    context.pipeline().addFirst(tls);
    tls.channelRead(context.pipeline().context(tls), bytes);
    return true;
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    if (state == State.READING || state == State.WAITING) {
      context.read();
    } else if (state == State.DONE) {
      context.fireChannelReadComplete(); // the stream has taken over within this read
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof ChannelInputShutdownReadComplete) {
      inputEnded = true;
      if (state == State.READING || state == State.WAITING) {
        refuse(context.channel(), HopRefusal.GONE);
      }
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    refuse(
        context.channel(), cause instanceof TlsFailure ? HopRefusal.TLS_FAILED : HopRefusal.GONE);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    refuse(context.channel(), HopRefusal.GONE);
  }

  /** The chain that this connection waited for may have come. On the event loop. */
  void chainInstalled(ChannelHandlerContext context) {
    HopHeader.Unverified header = parked;
    if (state == State.PARKED && header != null) {
      decide(context, header);
    }
  }

  private void replace(ByteBuf bytes) {
    read.release();
    read = bytes;
  }

  private void readHeader(ChannelHandlerContext context) {
    try {
      HopHeader.Unverified header = HopHeader.decode(read);
      if (header != null) {
        decide(context, header);
      }
    } catch (HopHeader.Malformed e) {
      refuse(context.channel(), HopRefusal.MALFORMED);
    }
  }

  private void decide(ChannelHandlerContext context, HopHeader.Unverified header) {
    if (header.header().kind() == HopHeader.Kind.TEST) {
      testArrives(context, header);
      return;
    }
    UUID chain = header.header().chain();
    HopInlet inlet = server.inlet(chain);
    if (inlet == null) {
      if (state != State.PARKED) {
        park(context, header, chain);
      }
      return;
    }
    server.unpark(chain, context);
    parked = null;
    TlsRecords tls = context.pipeline().get(TlsRecords.class);
    Fingerprint peer = tls == null ? null : tls.peer();
    HopRefusal refusal = inlet.refuses(header, peer);
    if (refusal != null) {
      refuse(context.channel(), refusal);
    } else if (header.header().start() == null) {
      greeted(context, inlet, header.header());
    } else {
      streamStarts(context, inlet, header.header());
    }
  }

  /** Never parked: a relay sends when the other one was told to receive. */
  private void testArrives(ChannelHandlerContext context, HopHeader.Unverified header) {
    UUID test = header.header().chain();
    TestArrivals tests = server.tests();
    HopKey key = tests.key(test);
    if (key == null) {
      refuse(context.channel(), HopRefusal.UNKNOWN_TEST);
    } else if (!header.verifiedBy(key)) {
      refuse(context.channel(), HopRefusal.WRONG_KEY);
    } else if (tests.arrived(context.channel(), test, read)) {
      finish();
      read = Unpooled.EMPTY_BUFFER;
      if (inputEnded) {
        context.fireUserEventTriggered(ChannelInputShutdownReadComplete.INSTANCE);
      }
      context.pipeline().remove(this);
    } else {
      refuse(context.channel(), HopRefusal.REPLAYED);
    }
  }

  private void park(ChannelHandlerContext context, HopHeader.Unverified header, UUID chain) {
    state = State.PARKED;
    parked = header;
    if (!server.park(chain, context)) {
      refuse(context.channel(), HopRefusal.LIMIT);
    } else if (server.inlet(chain) != null) {
      decide(context, header); // it came between the two looks
    }
  }

  private void greeted(ChannelHandlerContext context, HopInlet inlet, HopHeader header) {
    if (server.isPaused()) {
      greetedBy = inlet; // which makes its end no refusal
      refuse(context.channel(), HopRefusal.GONE);
      return;
    }
    if (!inlet.keepWaiting(context.channel())) {
      refuse(context.channel(), HopRefusal.LIMIT);
      return;
    }
    greetedBy = inlet;
    state = State.WAITING;
    cancelTimeout();
    answer(context, inlet, header);
    if (inputEnded) {
      refuse(context.channel(), HopRefusal.GONE);
    } else if (read.isReadable()) {
      state = State.READING;
      startTimeout(context);
      readHeader(context);
    } else {
      replace(Unpooled.EMPTY_BUFFER); // a connection may wait for long, and need hold nothing
      context.read();
    }
  }

  private void streamStarts(ChannelHandlerContext context, HopInlet inlet, HopHeader header) {
    var start = header.start();
    if (start == null) {
      throw new IllegalStateException("a STREAM header without its addresses");
    }
    finish();
    answer(context, inlet, header);
    ByteBuf early = read;
    read = Unpooled.EMPTY_BUFFER;
    ChannelHandlerContext self = context;
    inlet.arrived(context.channel(), start, early);
    if (inputEnded) {
      self.fireUserEventTriggered(ChannelInputShutdownReadComplete.INSTANCE);
    }
    context.pipeline().remove(this);
  }

  private static void answer(ChannelHandlerContext context, HopInlet inlet, HopHeader header) {
    context.writeAndFlush(Unpooled.wrappedBuffer(header.answer().encode(inlet.key())));
  }

  private void refuse(Channel channel, HopRefusal reason) {
    if (state == State.DONE) {
      return;
    }
    // A connection that was kept warm and goes unused is no refusal.
    if (greetedBy == null || reason != HopRefusal.GONE) {
      server.refusals().add(reason);
    }
    HopHeader.Unverified waitingFor = parked;
    if (waitingFor != null) {
      server.unpark(waitingFor.header().chain(), channel.pipeline().context(this));
      parked = null;
    }
    finish();
    read.release();
    read = Unpooled.EMPTY_BUFFER;
    channel.close();
  }

  private void finish() {
    state = State.DONE;
    cancelTimeout();
  }

  private void startTimeout(ChannelHandlerContext context) {
    cancelTimeout();
    server.owes(1);
    timeout =
        context
            .executor()
            .schedule(
                () ->
                    refuse(
                        context.channel(),
                        state == State.PARKED ? HopRefusal.UNKNOWN_CHAIN : HopRefusal.TIMED_OUT),
                server.headerTimeout().toNanos(),
                TimeUnit.NANOSECONDS);
  }

  private void cancelTimeout() {
    if (timeout != null) {
      timeout.cancel(false);
      timeout = null;
      server.owes(-1);
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    HopInlet by = greetedBy;
    if (by != null) {
      by.stopsWaiting(context.channel());
    }
  }
}
