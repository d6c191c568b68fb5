package io.cascade.relay.coded;

import io.cascade.coding.session.ReceivingState;
import io.cascade.coding.session.SendingState;
import io.cascade.coding.stream.CodedStream;
import io.cascade.relay.transport.BudgetedReceive;
import io.cascade.relay.transport.Connection;
import io.cascade.relay.transport.ConnectionError;
import io.cascade.relay.transport.ConnectionFailure;
import io.cascade.relay.transport.Protection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.AbstractChannel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A stream of a coded session as everything above sees it: a connection like any other. What is
 * written to it is taken into the stream, which takes little beyond what the peer's credit and the
 * network allow; what is not read stays in the stream and gives the peer no credit.
 *
 * <p>Closing it resets the stream. Once it was disarmed, closing it ends the output behind what was
 * written, and the session goes on delivering that.
 */
final class CodedConnection extends AbstractChannel implements Connection {
  /** Code of a reset because a connection was closed. */
  static final long CLOSED = 1;

  private static final ChannelMetadata METADATA = new ChannelMetadata(false);

  private final CodedLink link;
  private final CodedStream stream;
  private final BudgetedReceive receive = new BudgetedReceive();
  private final ChannelConfig config;
  private volatile boolean open = true;
  private volatile boolean inputEnded;
  private volatile boolean outputEnded;
  private volatile long held;
  private @Nullable ConnectionFailure broken;
  private @Nullable Protection protection;
  private boolean disarmed;
  private boolean readWanted;
  private boolean roomWanted;
  private boolean delivering;

  CodedConnection(CodedLink link, CodedStream stream) {
    super(null);
    this.link = link;
    this.stream = stream;
    this.config = new DefaultChannelConfig(this);
    config.setRecvByteBufAllocator(receive);
    config.setAllocator(PooledByteBufAllocator.DEFAULT);
    config.setAutoRead(false);
  }

  /** Something of the stream has changed. */
  void carryOn() {
    if (!open) {
      finishQuietly();
      return;
    }
    if (stream.sending() == SendingState.RESET && broken == null) {
      broken = new ConnectionFailure(ConnectionError.BROKEN, "reset by the peer");
      roomWanted = false;
      ((CodedUnsafe) unsafe()).writeOn(); // Which fails what waits.
    } else if (roomWanted && stream.room() > 0) {
      roomWanted = false;
      ((CodedUnsafe) unsafe()).writeOn();
    }
    deliver();
    held = stream.heldBytes();
  }

  /** A closed one that was disarmed: what was written arrives, what comes still is not wanted. */
  private void finishQuietly() {
    if (!stream.isOver() && stream.sending() == SendingState.FINISHED) {
      stream.reset(CLOSED);
    }
  }

  private void deliver() {
    if (delivering) {
      return; // A read that a handler asks for, from within one.
    }
    delivering = true;
    try {
      while (readWanted && !inputEnded && open) {
        if (stream.readable() > 0) {
          readSome();
        } else if (!end()) {
          return;
        }
      }
    } finally {
      delivering = false;
    }
  }

  private void readSome() {
    ChannelPipeline pipeline = pipeline();
    receive.reset(config);
    int room = receive.guess();
    receive.attemptedBytesRead(room);
    int length = (int) Math.min(room, stream.readable());
    ByteBuf bytes = alloc().directBuffer(length);
    int copied = stream.read(bytes.internalNioBuffer(0, length), link.now());
    bytes.writerIndex(copied);
    receive.lastBytesRead(copied);
    readWanted = false;
    pipeline.fireChannelRead(bytes);
    receive.readComplete();
    pipeline.fireChannelReadComplete();
    link.wake(); // There may be credit to tell.
  }

  /** Tells the end of the input, once all before it was read. */
  private boolean end() {
    ReceivingState how = stream.receiving();
    if (how == ReceivingState.ENDED) {
      inputEnded = true;
      receive.lastBytesRead(-1);
      pipeline().fireUserEventTriggered(ChannelInputShutdownReadComplete.INSTANCE);
      return true;
    }
    if (how == ReceivingState.RESET) {
      inputEnded = true;
      ConnectionFailure why = broken;
      pipeline()
          .fireExceptionCaught(
              why == null
                  ? new ConnectionFailure(ConnectionError.BROKEN, "reset by the peer")
                  : why);
      return true;
    }
    return false;
  }

  /** The session is no more. */
  void fail(ConnectionFailure why) {
    broken = why;
    roomWanted = false;
    if (open) {
      inputEnded = true;
      ((CodedUnsafe) unsafe()).writeOn();
      pipeline().fireExceptionCaught(why);
    }
  }

  @Override
  protected void doWrite(ChannelOutboundBuffer pending) throws Exception {
    ConnectionFailure why = broken;
    if (why != null) {
      throw why;
    }
    while (!pending.isEmpty()) {
      ByteBuf bytes = (ByteBuf) pending.current();
      int taken = 0;
      for (ByteBuffer part : bytes.nioBuffers()) {
        int some = stream.offer(part);
        taken += some;
        if (part.hasRemaining()) {
          break;
        }
      }
      boolean isAll = taken == bytes.readableBytes();
      pending.removeBytes(taken); // Also what is empty.
      if (!isAll) {
        roomWanted = true;
        break;
      }
    }
    held = stream.heldBytes();
    link.wake();
  }

  @Override
  protected void doBeginRead() {
    readWanted = true;
    if (!delivering && (stream.readable() > 0 || isEndTold())) {
      eventLoop().execute(this::deliver);
    }
  }

  private boolean isEndTold() {
    return stream.receiving() == ReceivingState.ENDED || stream.receiving() == ReceivingState.RESET;
  }

  @Override
  protected void doClose() {
    open = false;
    inputEnded = true;
    if (disarmed) {
      stream.end();
      finishQuietly();
    } else {
      stream.reset(CLOSED);
    }
    link.wake();
  }

  @Override
  protected void doDisconnect() {
    doClose();
  }

  @Override
  public void disarm() {
    disarmed = true;
  }

  @Override
  public Delivery delivery() {
    if (broken != null) {
      return Delivery.LOST;
    }
    return stream.isDelivered() ? Delivery.DELIVERED : Delivery.PENDING;
  }

  @Override
  public boolean isSilentFor(Duration limit) {
    return link.isSilentFor(limit);
  }

  @Override
  public ChannelFuture shutdownOutput(ChannelPromise promise) {
    if (!eventLoop().inEventLoop()) {
      eventLoop().execute(() -> shutdownOutput(promise));
      return promise;
    }
    ConnectionFailure why = broken;
    if (why != null || !open) {
      return promise.setFailure(why == null ? new ClosedChannelException() : why);
    }
    outputEnded = true;
    stream.end();
    link.wake();
    return promise.setSuccess();
  }

  @Override
  public ChannelFuture shutdownInput(ChannelPromise promise) {
    inputEnded = true;
    return promise.setSuccess();
  }

  @Override
  public ChannelFuture shutdown(ChannelPromise promise) {
    inputEnded = true;
    return shutdownOutput(promise);
  }

  @Override
  public boolean isInputShutdown() {
    return inputEnded;
  }

  @Override
  public boolean isOutputShutdown() {
    return outputEnded;
  }

  @Override
  public boolean hasEnded() {
    return stream.receiving() == ReceivingState.COMPLETE
        || stream.receiving() == ReceivingState.ENDED;
  }

  @Override
  public BudgetedReceive receive() {
    return receive;
  }

  @Override
  public @Nullable Protection protection() {
    return protection;
  }

  @Override
  public void protectBy(Protection newProtection) {
    protection = newProtection;
  }

  @Override
  public boolean hasSocketOptions() {
    return false;
  }

  @Override
  public String congestionControl() {
    return "coded";
  }

  @Override
  public long heldBytes() {
    return held;
  }

  @Override
  public ChannelConfig config() {
    return config;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public boolean isActive() {
    return open;
  }

  @Override
  public ChannelMetadata metadata() {
    return METADATA;
  }

  @Override
  protected boolean isCompatible(EventLoop loop) {
    return true;
  }

  @Override
  protected void doRegister(ChannelPromise promise) {
    promise.setSuccess();
  }

  @Override
  protected SocketAddress localAddress0() {
    return link.local();
  }

  @Override
  protected SocketAddress remoteAddress0() {
    return link.remote();
  }

  @Override
  protected void doBind(SocketAddress at) {
    throw new UnsupportedOperationException();
  }

  @Override
  protected AbstractUnsafe newUnsafe() {
    return new CodedUnsafe();
  }

  private final class CodedUnsafe extends AbstractUnsafe {
    @Override
    public void connect(SocketAddress to, @Nullable SocketAddress from, ChannelPromise promise) {
      promise.setFailure(new UnsupportedOperationException());
    }

    /** Writes nothing behind what found no room. */
    @Override
    protected void flush0() {
      if (!roomWanted) {
        super.flush0();
      }
    }

    void writeOn() {
      super.flush0();
    }
  }
}
