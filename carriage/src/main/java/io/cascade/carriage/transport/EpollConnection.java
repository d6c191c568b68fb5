package io.cascade.carriage.transport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.channel.unix.IovArray;
import io.netty.channel.unix.UnixChannelUtil;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A TCP connection.
 *
 * <p>It reads only on request, once per round, into a buffer of its {@link BudgetedReceive}; other
 * bytes wait in the kernel, as does the peer's end. That end is reported as {@link
 * ChannelInputShutdownReadComplete}, and does not affect the other direction. It counts only while
 * the connection is established: after a reset whose error a write has consumed, the kernel reports
 * an end as well, which is reported as the failure that it is.
 */
final class EpollConnection extends EpollSocket implements Connection {
  private final BudgetedReceive receive;
  private @Nullable Protection protection;
  private @Nullable SocketAddress remote;
  private @Nullable ChannelPromise connecting;
  private volatile boolean connected;
  private volatile boolean inputEnded;
  private boolean roomWanted;

  /**
   * @param remote null if it is not connected yet
   */
  EpollConnection(
      @Nullable EpollListener parent,
      TcpDescriptor descriptor,
      @Nullable InetSocketAddress remote) {
    this(parent, descriptor, remote, new BudgetedReceive());
  }

  private EpollConnection(
      @Nullable EpollListener parent,
      TcpDescriptor descriptor,
      @Nullable InetSocketAddress remote,
      BudgetedReceive receive) {
    super(parent, descriptor, receive);
    this.receive = receive;
    this.remote = remote;
    this.connected = remote != null;
  }

  /** Makes one that is to be connected to {@code to}. */
  static EpollConnection to(SocketAddress to) {
    return new EpollConnection(null, TcpDescriptor.to(to), null);
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
  public void protectBy(Protection by) {
    protection = by;
  }

  @Override
  public boolean hasEnded() {
    return epoll().hasEnded();
  }

  /** Null also if a handler seals the bytes, since the kernel would move unsealed ones. */
  @Override
  public @Nullable EpollRegistration spliceable() {
    return protection == null && isActive() ? epoll() : null;
  }

  @Override
  public boolean isActive() {
    return connected && isOpen();
  }

  @Override
  int interest() {
    if (connecting != null) {
      return EpollRegistration.OUT;
    }
    boolean reads = isReadWanted() && connected && !inputEnded;
    return (reads ? EpollRegistration.IN | EpollRegistration.RDHUP : 0)
        | (roomWanted ? EpollRegistration.OUT : 0);
  }

  /** Writes first, then reads: what is sent makes room for what arrives. */
  @Override
  void handle(int ready) {
    boolean broken = (ready & EpollRegistration.BROKEN) != 0;
    if (connecting != null) {
      if (broken || (ready & EpollRegistration.OUT) != 0) {
        finishConnect(broken);
      }
      return;
    }
    EpollRegistration epoll = epoll();
    if (broken || (ready & EpollRegistration.OUT) != 0) {
      if (epoll.isWritingTaken()) {
        epoll.tellWriter();
      } else if (roomWanted) {
        roomWanted = false;
        ((ConnectionUnsafe) unsafe()).writeOn();
      }
    }
    if (epoll.isReadingTaken()) {
      epoll.tellReader(ready);
    } else if (isReadWanted() && !inputEnded) {
      if (broken || (ready & (EpollRegistration.IN | EpollRegistration.RDHUP)) != 0) {
        boolean all = read(broken);
        if (all && Coalescing.isEndNext(this) && isReadWanted() && isOpen()) {
          read(broken);
        }
      }
    } else if (broken && inputEnded && isOpen() && !isOutputShutdown()) {
      fail(reset());
    }
  }

  /**
   * @param broken whether the connection has failed, which bytes received before do not show
   * @return whether the read found some bytes, and all that were available
   */
  private boolean read(boolean broken) {
    ChannelPipeline pipeline = pipeline();
    receive.reset(config());
    int room;
    int length;
    ByteBuf bytes = null;
    try {
      bytes = receive.allocate(alloc());
      room = bytes.writableBytes();
      receive.attemptedBytesRead(room);
      length = receive(bytes);
      receive.lastBytesRead(length);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      if (bytes != null) {
        bytes.release();
      }
      receive.readComplete();
      pipeline.fireChannelReadComplete();
      fail(e);
      return false;
    }
    if (length > 0) {
      readDone();
      receive.incMessagesRead(1);
      pipeline.fireChannelRead(bytes);
    } else {
      bytes.release();
      inputEnded = length < 0;
    }
    receive.readComplete();
    pipeline.fireChannelReadComplete();
    if (length < 0) {
      if (broken && !isOutputShutdown()) {
        fail(reset());
      } else {
        pipeline.fireUserEventTriggered(ChannelInputShutdownReadComplete.INSTANCE);
      }
    }
    return length > 0 && length < room;
  }

  /** Reads the available bytes, once. */
  int receive(ByteBuf bytes) throws IOException {
    int at = bytes.writerIndex();
    int length;
    if (bytes.hasMemoryAddress()) {
      length = fd().recvAddress(bytes.memoryAddress(), at, bytes.capacity());
    } else {
      ByteBuffer room = bytes.internalNioBuffer(at, bytes.writableBytes());
      length = fd().recv(room, room.position(), room.limit());
    }
    if (length > 0) {
      bytes.writerIndex(at + length);
    }
    return length;
  }

  /** Nothing can be read any longer. */
  private void fail(Throwable cause) {
    inputEnded = true;
    pipeline().fireExceptionCaught(cause);
  }

  private static IOException reset() {
    return new IOException("Connection reset by peer");
  }

  @Override
  protected Object filterOutboundMessage(Object message) {
    ByteBuf bytes = (ByteBuf) message;
    if (!UnixChannelUtil.isBufferCopyNeededForWrite(bytes)) {
      return bytes;
    }
    ByteBuf copy = alloc().directBuffer(bytes.readableBytes()).writeBytes(bytes);
    bytes.release();
    return copy;
  }

  /** A write that was only partly accepted is the last one: the next would be refused. */
  @Override
  protected void doWrite(ChannelOutboundBuffer pending) throws Exception {
    while (!pending.isEmpty()) {
      long offered;
      long taken;
      if (pending.current() instanceof ByteBuf one
          && pending.size() == 1
          && one.nioBufferCount() == 1) {
        offered = one.readableBytes();
        taken = offered == 0 ? 0 : send(one);
      } else {
        IovArray parts = epoll().parts();
        pending.forEachFlushedMessage(parts);
        offered = parts.size();
        taken = offered == 0 ? 0 : fd().writevAddresses(parts.memoryAddress(0), parts.count());
      }
      pending.removeBytes(taken); // also removes empty buffers
      if (taken < offered) {
        roomWanted = true;
        epoll().update();
        return;
      }
    }
  }

  /** Called after a write that failed for a reason other than the connection's. */
  @Override
  protected void doShutdownOutput() throws IOException {
    fd().shutdown(false, true);
  }

  private int send(ByteBuf bytes) throws IOException {
    if (bytes.hasMemoryAddress()) {
      return fd().sendAddress(bytes.memoryAddress(), bytes.readerIndex(), bytes.writerIndex());
    }
    ByteBuffer from = bytes.internalNioBuffer(bytes.readerIndex(), bytes.readableBytes());
    return fd().send(from, from.position(), from.limit());
  }

  private void finishConnect(boolean broken) {
    ChannelPromise promise = connecting;
    if (promise == null) {
      return;
    }
    try {
      if (broken) {
        fd().endConnect(Objects.requireNonNull(remote));
      }
    } catch (IOException | RuntimeException e) {
      connecting = null;
      ((ConnectionUnsafe) unsafe()).refuse(promise, e, remote);
      return;
    }
    connecting = null;
    connected(promise);
  }

  private void connected(ChannelPromise promise) {
    connected = true;
    boolean wanted = promise.trySuccess();
    if (isOpen()) {
      epoll().update();
      pipeline().fireChannelActive();
    }
    if (!wanted) {
      close();
    }
  }

  @Override
  protected void doClose() throws IOException {
    inputEnded = true;
    ChannelPromise promise = connecting;
    if (promise != null) {
      connecting = null;
      promise.tryFailure(new ClosedChannelException());
    }
    super.doClose();
  }

  @Override
  protected @Nullable SocketAddress localAddress0() {
    EpollListener from = (EpollListener) parent();
    InetSocketAddress known = from == null ? null : from.address();
    return known == null ? super.localAddress0() : known;
  }

  @Override
  protected @Nullable SocketAddress remoteAddress0() {
    return connected ? remote : null;
  }

  @Override
  protected void doBind(SocketAddress at) throws IOException {
    fd().bind(at);
  }

  @Override
  public boolean isInputShutdown() {
    return inputEnded;
  }

  @Override
  public boolean isOutputShutdown() {
    return fd().isOutputShutdown();
  }

  @Override
  public ChannelFuture shutdownInput(ChannelPromise promise) {
    return shutDown(true, false, promise);
  }

  @Override
  public ChannelFuture shutdownOutput(ChannelPromise promise) {
    return shutDown(false, true, promise);
  }

  @Override
  public ChannelFuture shutdown(ChannelPromise promise) {
    return shutDown(true, true, promise);
  }

  @Override
  protected AbstractUnsafe newUnsafe() {
    return new ConnectionUnsafe();
  }

  private final class ConnectionUnsafe extends AbstractUnsafe {
    @Override
    public void connect(SocketAddress to, @Nullable SocketAddress from, ChannelPromise promise) {
      if (promise.isDone() || !ensureOpen(promise)) {
        return;
      }
      try {
        if (connecting != null) {
          throw new ConnectionPendingException();
        }
        if (connected) {
          throw new AlreadyConnectedException();
        }
        if (from != null) {
          fd().bind(from);
        }
        remote = to;
        if (fd().beginConnect(to)) {
          connected(promise);
        } else {
          connecting = promise;
          epoll().update();
        }
      } catch (IOException | RuntimeException e) {
        refuse(promise, e, to);
      }
    }

    void refuse(ChannelPromise promise, Throwable why, @Nullable SocketAddress to) {
      promise.tryFailure(to == null ? why : annotateConnectException(why, to));
      close(voidPromise());
    }

    /** After a write that was only partly accepted, writes nothing until there is room. */
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
