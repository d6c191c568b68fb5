package io.cascade.relay.hop;

import io.cascade.carriage.coded.CodedAcceptor;
import io.cascade.carriage.preamble.PreambleHandler;
import io.cascade.carriage.preamble.PreambleState;
import io.cascade.carriage.tls.Fingerprint;
import io.cascade.carriage.tls.TlsFailure;
import io.cascade.carriage.tls.TlsRecords;
import io.cascade.relay.admission.SourcePlaces;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the headers of one connection to the hop port, answers valid ones, and hands the connection
 * over to a stream or to a throughput test. Runs on the connection's event loop.
 *
 * <p>All parts of a chain are installed at the same time, so a greeting may arrive before its chain
 * is installed here. Such a connection is parked without an answer until then, at most for the
 * header's time-out.
 */
final class HopAcceptor extends PreambleHandler {
  private static final int MOST_EARLY_BYTES = 16 * 1_024;

  /** Type of a TLS handshake record (RFC 8446 section 5.1). A PROXY header begins with 0x0D. */
  private static final byte TLS_HANDSHAKE = 0x16;

  private final HopServer server;
  private AcceptorState stage = AcceptorState.SILENT;

  /** The header that waits for its chain while this connection is parked. */
  private HopHeader.@Nullable Unverified parked;

  /** Keeps the connection for a stream while it is warm. */
  private @Nullable HopReceiver keeper;

  private @Nullable TlsRecords tls;

  /** The peer's address while it holds a place for unknown peers; otherwise null. */
  private @Nullable InetAddress stranger;

  private final boolean proved;

  /**
   * @param proved whether the connection is a stream of a session whose key the peer has proved to
   *     hold
   */
  HopAcceptor(HopServer server, boolean proved) {
    super(MOST_EARLY_BYTES);
    this.server = server;
    this.proved = proved;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    if (server.descriptorsAreScarce() || !enter(context.channel())) {
      refuse(HopRefusal.LIMIT);
    } else {
      expect();
    }
  }

  /** Takes a place if the peer is unknown; false if none is free. */
  private boolean enter(Channel channel) {
    if (proved
        || !(channel.remoteAddress() instanceof InetSocketAddress peer)
        || server.peers().knows(peer.getAddress())) {
      return true;
    }
    if (server.strangers().enter(peer.getAddress()) != SourcePlaces.Taking.TAKEN) {
      return false;
    }
    stranger = peer.getAddress();
    return true;
  }

  /**
   * Keeps an unknown peer's place until its connection ends, so that handshakes of such peers stay
   * bounded.
   */
  private void keepPlace() {
    InetAddress place = stranger;
    stranger = null;
    if (place != null) {
      context().channel().closeFuture().addListener(_ -> server.strangers().leave(place));
    }
  }

  private void leavePlace() {
    InetAddress place = stranger;
    stranger = null;
    if (place != null) {
      server.strangers().leave(place);
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    boolean first = stage == AcceptorState.SILENT;
    if (first && bytes.isReadable()) {
      move(AcceptorState.Event.BYTES);
      if (bytes.getByte(bytes.readerIndex()) == TLS_HANDSHAKE && startTls(context, bytes)) {
        return;
      }
    }
    super.channelRead(context, message);
  }

  /** Adds TLS before this handler and passes it the first bytes. */
  private boolean startTls(ChannelHandlerContext context, ByteBuf bytes) {
    TlsRecords records = server.acceptTls();
    if (records == null) {
      return false;
    }
    tls = records;
    context.pipeline().addFirst(records);
    records.channelRead(context.pipeline().context(records), bytes);
    return true;
  }

  @Override
  protected void parse(ByteBuf bytes) {
    CodedAcceptor coded = server.coded();
    if (coded != null
        && !stage.isWarm()
        && CodedAcceptor.isCarrier(bytes.getByte(bytes.readerIndex()))) {
      carry(coded, bytes);
      return;
    }
    try {
      HopHeader.Unverified header = HopHeader.decode(bytes);
      if (header != null) {
        decide(header);
      }
    } catch (HopHeader.Malformed e) {
      refuse(HopRefusal.MALFORMED);
    }
  }

  /**
   * Hands over a connection that carries a coded session, once it has named or begun the session.
   */
  private void carry(CodedAcceptor coded, ByteBuf bytes) {
    if (tls != null) {
      refuse(HopRefusal.MALFORMED);
    } else if (bytes.readableBytes() >= CodedAcceptor.carrierHeadBytes(bytes)) {
      keepPlace();
      leave(early -> {
        Channel channel = context().channel();
        if (!coded.carry(channel, early)) {
          early.release();
          server.refusals().add(HopRefusal.MALFORMED);
          channel.close();
        }
      });
    }
  }

  @Override
  protected void broken(@Nullable Throwable cause) {
    refuse(cause instanceof TlsFailure ? HopRefusal.TLS_FAILED : HopRefusal.GONE);
  }

  @Override
  protected void late() {
    refuse(stage.isParked() ? HopRefusal.UNKNOWN_CHAIN : HopRefusal.TIMED_OUT);
  }

  @Override
  protected Duration patience() {
    return server.headerTimeout();
  }

  @Override
  protected void moved(PreambleState from, PreambleState to) {
    if (from.isPending() != to.isPending()) {
      server.owes(to.isPending() ? 1 : -1);
    }
    if (!to.isPending()) {
      leavePlace();
    }
  }

  /** Looks up again the chain that this connection waits for. Called on the event loop. */
  void chainInstalled() {
    HopHeader.Unverified header = parked;
    HopReceiver receiver = header == null ? null : server.receiver(header.header());
    if (header != null && receiver != null) {
      move(AcceptorState.Event.INSTALLED);
      unpark(header);
      resume();
      answer(receiver, header);
    }
  }

  private void decide(HopHeader.Unverified header) {
    if (header.header().kind() == HopHeader.Kind.TEST) {
      testArrives(header);
      return;
    }
    HopReceiver receiver = server.receiver(header.header());
    if (receiver == null) {
      park(header);
    } else {
      answer(receiver, header);
    }
  }

  private void answer(HopReceiver receiver, HopHeader.Unverified header) {
    Fingerprint peer = tls == null ? null : tls.peer();
    HopRefusal refusal = receiver.refuses(header, peer, proved);
    if (refusal != null) {
      refuse(refusal);
      return;
    }
    if (context().channel().remoteAddress() instanceof InetSocketAddress address) {
      server.peers().proved(address.getAddress());
    }
    if (header.header().start() == null) {
      greeted(receiver, header.header());
    } else {
      streamStarts(receiver, header.header());
    }
  }

  /**
   * Hands a test over. Does not park: a relay sends only after the receiver was told of the test.
   */
  private void testArrives(HopHeader.Unverified header) {
    UUID test = header.header().chain();
    TestArrivals tests = server.tests();
    HopKey key = tests.key(test);
    if (key == null) {
      refuse(HopRefusal.UNKNOWN_TEST);
    } else if (!header.verifiedBy(key)) {
      refuse(HopRefusal.WRONG_KEY);
    } else if (!tests.claim(test)) {
      refuse(HopRefusal.REPLAYED);
    } else {
      leave(early -> tests.arrived(context().channel(), test, early));
    }
  }

  private void park(HopHeader.Unverified header) {
    suspend();
    move(AcceptorState.Event.PARK);
    parked = header;
    if (!server.park(header.header().chain(), context())) {
      refuse(HopRefusal.LIMIT);
    } else {
      chainInstalled(); // it may have been installed since the first look-up
    }
  }

  private void unpark(HopHeader.Unverified header) {
    parked = null;
    server.unpark(header.header().chain(), context());
  }

  private void greeted(HopReceiver receiver, HopHeader header) {
    if (stage.isWarm()) { // a warm connection must not greet again
      refuse(HopRefusal.MALFORMED);
    } else if (server.isPaused()) {
      close(); // not counted as a refusal
    } else if (!receiver.keepWaiting(context().channel())) {
      refuse(HopRefusal.LIMIT);
    } else {
      move(AcceptorState.Event.GREET);
      keeper = receiver;
      write(receiver, header.answer());
      rest();
    }
  }

  private void streamStarts(HopReceiver receiver, HopHeader header) {
    var start = header.start();
    if (start == null) {
      throw new IllegalStateException("a STREAM header without its addresses");
    }
    write(receiver, header.answer());
    Channel channel = context().channel();
    leave(early -> receiver.arrived(channel, start, early));
  }

  private void write(HopReceiver receiver, HopHeader header) {
    context().writeAndFlush(Unpooled.wrappedBuffer(header.encode(receiver.key())));
  }

  private void refuse(HopRefusal reason) {
    if (state().isOver()) {
      return;
    }
    // A warm connection that ends unused does not count as a refusal.
    if (!stage.isWarm() || reason != HopRefusal.GONE) {
      server.refusals().add(reason);
    }
    HopHeader.Unverified waitingFor = parked;
    if (waitingFor != null) {
      unpark(waitingFor);
    }
    close();
  }

  private void close() {
    move(AcceptorState.Event.LEAVE);
    giveUp();
    context().channel().close();
  }

  private void leave(Consumer<ByteBuf> next) {
    move(AcceptorState.Event.LEAVE);
    handOver(next);
  }

  private void move(AcceptorState.Event event) {
    stage = stage.after(event);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    leavePlace();
    HopReceiver by = keeper;
    if (by != null) {
      by.stopsWaiting(context.channel());
    }
  }
}
