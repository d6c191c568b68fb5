package io.cascade.carriage.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.AbstractChannel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelId;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.DefaultChannelPipeline;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A connection without its own socket: its bytes come from and go to a stream within this process,
 * which other connections or datagrams carry. Reads happen only on request; what the stream has no
 * room for stays in the channel's outbound buffer, and nothing is written after it until there is
 * room.
 *
 * @param <S> the stream
 */
public abstract class VirtualConnection<S> extends AbstractChannel implements Connection {
  private static final ChannelMetadata METADATA = new ChannelMetadata(false);

  private final BudgetedReceive receive = new BudgetedReceive();
  private final ChannelConfig config;
  private volatile boolean open = true;
  private volatile boolean inputEnded;
  private volatile boolean outputEnded;
  private boolean readWanted;
  private boolean roomWanted;
  private boolean delivering;

  @SuppressWarnings("this-escape") // The configuration only keeps it.
  protected VirtualConnection() {
    super(null);
    this.config = new DefaultChannelConfig(this);
    config.setRecvByteBufAllocator(receive);
    config.setAllocator(PooledByteBufAllocator.DEFAULT);
    config.setAutoRead(false);
  }

  /**
   * Passes on some bytes of the stream, or the end of its input.
   *
   * @return false if there is neither
   */
  protected abstract boolean deliverSome(S stream);

  /** Ends the output after the written bytes. Called on the event loop. */
  protected abstract ChannelFuture endOutput(ChannelPromise promise);

  /** Passes on the requested bytes, as far as they are available. */
  protected final void deliver(S stream) {
    if (delivering) {
      return; // A read requested by a handler during another one.
    }
    delivering = true;
    try {
      while (readWanted && !inputEnded && open) {
        if (!deliverSome(stream)) {
          return;
        }
      }
    } finally {
      delivering = false;
    }
  }

  /** Records that a read is requested; false during another read, which continues by itself. */
  protected final boolean wantsRead() {
    readWanted = true;
    return !delivering;
  }

  /** Most bytes that the next read may take. */
  protected final int readRoom() {
    receive.reset(config);
    int room = receive.guess();
    receive.attemptedBytesRead(room);
    return room;
  }

  /** Ends a read that began with {@link #readRoom}. */
  protected final void passOn(ByteBuf bytes) {
    ChannelPipeline pipeline = pipeline();
    receive.lastBytesRead(bytes.readableBytes());
    readWanted = false;
    pipeline.fireChannelRead(bytes);
    receive.readComplete();
    pipeline.fireChannelReadComplete();
  }

  /** All of the input was read. */
  protected final void passOnEnd() {
    inputEnded = true;
    receive.lastBytesRead(-1);
    pipeline().fireUserEventTriggered(ChannelInputShutdownReadComplete.INSTANCE);
  }

  /** Nothing more is read. */
  protected final void endInput() {
    inputEnded = true;
  }

  /** The input failed. */
  protected final void passOnFailure(ConnectionFailure why) {
    inputEnded = true;
    pipeline().fireExceptionCaught(why);
  }

  /** The stream accepted less than was written. Nothing more is written before {@link #writeOn}. */
  protected final void awaitRoom() {
    roomWanted = true;
  }

  protected final boolean awaitsRoom() {
    return roomWanted;
  }

  /** Writes what waits. */
  protected final void writeOn() {
    roomWanted = false;
    ((Writing) unsafe()).writeOn();
  }

  /** The connection is being closed. */
  protected final void closes() {
    open = false;
    inputEnded = true;
  }

  /** The connection's output is ending. */
  protected final void outputEnds() {
    outputEnded = true;
  }

  @Override
  protected final void doDisconnect() throws Exception {
    doClose();
  }

  @Override
  public final ChannelFuture shutdownOutput(ChannelPromise promise) {
    if (!eventLoop().inEventLoop()) {
      eventLoop().execute(() -> shutdownOutput(promise));
      return promise;
    }
    return endOutput(promise);
  }

  @Override
  public final ChannelFuture shutdownInput(ChannelPromise promise) {
    inputEnded = true;
    return promise.setSuccess();
  }

  @Override
  public final ChannelFuture shutdown(ChannelPromise promise) {
    inputEnded = true;
    return shutdownOutput(promise);
  }

  @Override
  public final boolean isInputShutdown() {
    return inputEnded;
  }

  @Override
  public final boolean isOutputShutdown() {
    return outputEnded;
  }

  @Override
  public final BudgetedReceive receive() {
    return receive;
  }

  @Override
  public final ChannelConfig config() {
    return config;
  }

  @Override
  public final boolean isOpen() {
    return open;
  }

  @Override
  public final boolean isActive() {
    return open;
  }

  @Override
  protected final DefaultChannelPipeline newChannelPipeline() {
    return new ConnectionPipeline(this);
  }

  @Override
  protected final ChannelId newId() {
    return ConnectionId.next();
  }

  @Override
  public final ChannelMetadata metadata() {
    return METADATA;
  }

  @Override
  protected final boolean isCompatible(EventLoop loop) {
    return true;
  }

  @Override
  protected final void doRegister(ChannelPromise promise) {
    promise.setSuccess();
  }

  @Override
  protected final void doBind(SocketAddress at) {
    throw new UnsupportedOperationException();
  }

  @Override
  protected final AbstractUnsafe newUnsafe() {
    return new VirtualUnsafe();
  }

  private interface Writing {
    void writeOn();
  }

  private final class VirtualUnsafe extends AbstractUnsafe implements Writing {
    @Override
    public void connect(SocketAddress to, @Nullable SocketAddress from, ChannelPromise promise) {
      promise.setFailure(new UnsupportedOperationException());
    }

    /** Writes nothing after bytes that found no room. */
    @Override
    protected void flush0() {
      if (!roomWanted) {
        super.flush0();
      }
    }

    @Override
    public void writeOn() {
      super.flush0();
    }
  }
}
