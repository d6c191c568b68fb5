package io.cascade.relay.junction;

import io.cascade.api.relay.PipeTotals;
import io.cascade.relay.stream.PipedConnection;
import io.cascade.relay.transport.BudgetedReceive;
import io.cascade.relay.transport.Connection;
import io.cascade.relay.transport.ConnectionError;
import io.cascade.relay.transport.ConnectionFailure;
import io.cascade.relay.transport.Protection;
import io.cascade.segments.Reason;
import io.cascade.segments.SegmentStream;
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
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A junction as its stream sees it: a connection like any other. What is written to it goes over
 * the segment's pipes, and what came over them is read from it. So a stream needs to know nothing
 * of segments.
 *
 * <p>The end of its output has been passed on once the far junction has everything. Closing it
 * resets the stream at the far junction, behind what was written before, unless the stream is
 * complete.
 */
final class JunctionConnection extends AbstractChannel implements Connection, PipedConnection {
  private static final ChannelMetadata METADATA = new ChannelMetadata(false);

  private final Junction junction;
  private final InetSocketAddress local;
  private final InetSocketAddress remote;
  private final BudgetedReceive receive = new BudgetedReceive();
  private final ChannelConfig config;
  private volatile boolean open = true;
  private volatile boolean inputEnded;
  private volatile boolean outputEnded;
  private @Nullable ChannelPromise ending;
  private boolean disarmed;
  private boolean readWanted;
  private boolean roomWanted;
  private boolean delivering;

  JunctionConnection(Junction junction, InetSocketAddress local, InetSocketAddress remote) {
    super(null);
    this.junction = junction;
    this.local = local;
    this.remote = remote;
    this.config = new DefaultChannelConfig(this);
    config.setRecvByteBufAllocator(receive);
    config.setAllocator(PooledByteBufAllocator.DEFAULT);
    config.setAutoRead(false);
  }

  /** Writes on what found no room, and reads what has come. */
  void carryOn(SegmentStream stream) {
    if (roomWanted && stream.room() > 0) {
      roomWanted = false;
      ((JunctionUnsafe) unsafe()).writeOn();
    }
    deliver(stream);
    ChannelPromise promise = ending;
    if (promise != null && stream.endAcknowledged()) {
      ending = null;
      promise.trySuccess();
    }
  }

  private void deliver(SegmentStream stream) {
    if (delivering) {
      return; // a read that a handler asks for, from within one
    }
    delivering = true;
    try {
      while (readWanted && !inputEnded && open) {
        ByteBuffer next = stream.readable();
        if (next != null) {
          read(stream, next);
        } else if (!end(stream)) {
          return;
        }
      }
    } finally {
      delivering = false;
    }
  }

  private void read(SegmentStream stream, ByteBuffer next) {
    ChannelPipeline pipeline = pipeline();
    receive.reset(config);
    int room = receive.guess();
    receive.attemptedBytesRead(room);
    int length = Math.min(room, next.remaining());
    ByteBuf bytes = alloc().directBuffer(length).writeBytes(next.limit(next.position() + length));
    receive.lastBytesRead(length);
    readWanted = false;
    stream.delivered(length, junction.now());
    pipeline.fireChannelRead(bytes);
    receive.readComplete();
    pipeline.fireChannelReadComplete();
  }

  /** Tells the end of the input, once all before it was read. */
  private boolean end(SegmentStream stream) {
    Reason how = stream.endReached();
    if (how == null) {
      return false;
    }
    inputEnded = true;
    if (how == Reason.FINISHED) {
      receive.lastBytesRead(-1);
      pipeline().fireUserEventTriggered(ChannelInputShutdownReadComplete.INSTANCE);
    } else {
      stream.reset(how, "");
      pipeline().fireExceptionCaught(broken(how.words()));
    }
    return true;
  }

  /** The stream cannot go on. */
  void fail(String why) {
    ChannelPromise promise = ending;
    ending = null;
    if (promise != null) {
      promise.tryFailure(broken(why));
    }
    if (open && !disarmed) {
      inputEnded = true;
      pipeline().fireExceptionCaught(broken(why));
    }
  }

  private static ConnectionFailure broken(String why) {
    return new ConnectionFailure(ConnectionError.BROKEN, "segment: " + why);
  }

  @Override
  protected void doWrite(ChannelOutboundBuffer pending) {
    while (!pending.isEmpty()) {
      ByteBuf bytes = (ByteBuf) pending.current();
      int length = bytes.readableBytes();
      int taken = length == 0 ? 0 : junction.offer(bytes);
      pending.removeBytes(taken); // also what is empty
      if (taken < length) {
        roomWanted = true;
        break;
      }
    }
    junction.carryOn();
  }

  @Override
  protected void doBeginRead() {
    readWanted = true;
    if (!delivering) {
      junction.carryOn();
    }
  }

  @Override
  protected void doClose() {
    open = false;
    inputEnded = true;
    ChannelPromise promise = ending;
    ending = null;
    if (promise != null) {
      promise.tryFailure(broken("closed"));
    }
    junction.localClosed();
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
    return Delivery.DELIVERED; // a reset follows what was written, and does not overtake it
  }

  @Override
  public boolean isFinishedByClose() {
    return false;
  }

  @Override
  public ChannelFuture shutdownOutput(ChannelPromise promise) {
    if (!eventLoop().inEventLoop()) {
      eventLoop().execute(() -> shutdownOutput(promise));
      return promise;
    }
    outputEnded = true;
    ending = promise;
    junction.localEnded();
    return promise;
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
  public BudgetedReceive receive() {
    return receive;
  }

  @Override
  public @Nullable Protection protection() {
    return null; // the pipes' hops are encrypted, where they are
  }

  @Override
  public void protectBy(Protection protection) {
    throw new UnsupportedOperationException("the pipes are protected");
  }

  @Override
  public List<PipeTotals> pipes() {
    return junction.pipeTotals();
  }

  @Override
  public long heldBytes() {
    return junction.heldBytes();
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
    return local;
  }

  @Override
  protected SocketAddress remoteAddress0() {
    return remote;
  }

  @Override
  protected void doBind(SocketAddress at) {
    throw new UnsupportedOperationException();
  }

  @Override
  protected AbstractUnsafe newUnsafe() {
    return new JunctionUnsafe();
  }

  private final class JunctionUnsafe extends AbstractUnsafe {
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
