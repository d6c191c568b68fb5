package io.cascade.carriage.blocking;

import io.cascade.carriage.transport.Connection;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Connection} as a channel whose reads and writes block, for threads that do one thing at
 * a time. Its handler is the last of the connection's pipeline. One thread may read while another
 * one writes; {@link #close} wakes both.
 *
 * <p>Holds at most {@value #MOST_HELD_BYTES} bytes and one read in each direction.
 */
public final class BlockingConnection implements ByteChannel {
  private static final int MOST_HELD_BYTES = 1 << 20;
  private static final int READ_BYTES = 256 << 10;
  private static final int WRITE_BYTES = 64 << 10;

  private final Consumer<BlockingConnection> arrived;
  private final ChannelInboundHandlerAdapter handler = new Handler();

  /** Bytes that were not read yet. The lock guards this field and those below. */
  private final ArrayDeque<ByteBuf> received = new ArrayDeque<>();

  private @Nullable Connection connection;
  private int receivedBytes;
  private int writtenBytes;
  private boolean readIsAsked;
  private boolean hasEnded;
  private boolean outputHasEnded;
  private boolean isClosed;
  private boolean isHandedOver;
  private @Nullable Throwable failure;

  /** Used on the event loop only. */
  private @Nullable ChannelFuture finishing;

  /**
   * Makes one for a connection that is not open yet.
   *
   * @param arrived called once the connection is open, on its event loop
   */
  public BlockingConnection(Consumer<BlockingConnection> arrived) {
    this.arrived = arrived;
  }

  /** Makes one over an open connection of which nothing was read. May be called from any thread. */
  public static BlockingConnection of(Connection stands) {
    BlockingConnection made = new BlockingConnection(_ -> {});
    stands.pipeline().addLast(made.handler);
    made.begin(stands);
    return made;
  }

  private synchronized void begin(Connection stands) {
    stands.receive().readFor(() -> READ_BYTES);
    connection = stands;
    readOn();
  }

  /** Returns its handler, for the connection's pipeline. */
  public ChannelInboundHandlerAdapter handler() {
    return handler;
  }

  /**
   * Reads some bytes; blocks until there is one.
   *
   * @return -1 at the end of the input
   * @throws IOException if the connection failed before its end
   */
  @Override
  public int read(ByteBuffer into) throws IOException {
    synchronized (this) {
      awaitThat(() -> isClosed || hasEnded || failure != null || !received.isEmpty());
      requireOpen();
      if (received.isEmpty()) {
        if (hasEnded) {
          return -1;
        }
        requireWhole();
      }
      int taken = 0;
      while (into.hasRemaining() && !received.isEmpty()) {
        ByteBuf first = received.getFirst();
        int some = Math.min(into.remaining(), first.readableBytes());
        int limit = into.limit();
        first.readBytes(into.limit(into.position() + some));
        into.limit(limit);
        taken += some;
        if (!first.isReadable()) {
          received.removeFirst().release();
        }
      }
      receivedBytes -= taken;
      readOn();
      return taken;
    }
  }

  /**
   * Writes all bytes unless it fails; blocks while the connection accepts none.
   *
   * @throws IOException if the connection failed
   */
  @Override
  public int write(ByteBuffer from) throws IOException {
    int length = from.remaining();
    while (from.hasRemaining()) {
      int some = Math.min(from.remaining(), WRITE_BYTES);
      synchronized (this) {
        awaitThat(
            () -> isClosed || failure != null || writtenBytes <= MOST_HELD_BYTES - WRITE_BYTES);
        requireOpen();
        requireWhole();
        Connection to = standing();
        ByteBuf bytes = to.alloc().directBuffer(some);
        int limit = from.limit();
        bytes.writeBytes(from.limit(from.position() + some));
        from.limit(limit);
        writtenBytes += some;
        // Under the lock: the event loop may end as soon as this connection was closed.
        to.writeAndFlush(bytes).addListener(written -> written(some, written.cause()));
      }
    }
    return length;
  }

  private synchronized void written(int bytes, @Nullable Throwable why) {
    writtenBytes -= bytes;
    if (why != null) {
      fail(why);
    }
    notifyAll();
  }

  /** Ends the output after the written bytes. After that {@link #close} does not reset. */
  public void shutdownOutput() throws IOException {
    Connection of;
    synchronized (this) {
      requireOpen();
      requireWhole();
      outputHasEnded = true;
      of = standing();
    }
    of.eventLoop()
        .execute(() -> {
          ChannelFuture finished = of.finishOutput();
          finishing = finished;
          finished.addListener(ended -> written(0, ended.cause()));
        });
  }

  /**
   * Hands the connection over to handlers of its pipeline, and leaves the pipeline. Written bytes
   * are sent first; nothing is read, written or closed through this object afterwards.
   *
   * @param next adds its handlers, on the connection's event loop, and owns the unread bytes; it is
   *     notified of an end or failure even if that was before
   */
  public void handOver(BiConsumer<Connection, ByteBuf> next) throws IOException {
    Connection of;
    synchronized (this) {
      requireOpen();
      of = standing();
      isHandedOver = true;
    }
    of.eventLoop().execute(() -> leave(of, next));
  }

  private void leave(Connection of, BiConsumer<Connection, ByteBuf> next) {
    ByteBuf behind;
    boolean ended;
    Throwable why;
    synchronized (this) {
      isClosed = true;
      behind = Unpooled.wrappedBuffer(received.toArray(ByteBuf[]::new));
      received.clear();
      ended = hasEnded;
      why = failure;
    }
    next.accept(of, behind);
    ChannelHandlerContext context = of.pipeline().context(handler);
    if (context == null) {
      return; // closed: the pipeline is gone
    }
    if (why != null) {
      context.fireExceptionCaught(why);
    } else if (ended) {
      context.fireUserEventTriggered(ChannelInputShutdownReadComplete.INSTANCE);
    }
    of.pipeline().remove(handler);
  }

  /**
   * Waits until the peer has acknowledged everything that was written, at most for {@code
   * patience}.
   *
   * @return whether it has
   */
  public boolean awaitDelivery(Duration patience) {
    long end = System.nanoTime() + patience.toNanos();
    Connection of;
    synchronized (this) {
      of = connection;
    }
    if (of == null) {
      return false;
    }
    while (true) {
      Connection.Delivery state =
          of.eventLoop().submit(of::delivery).syncUninterruptibly().getNow();
      if (state != Connection.Delivery.PENDING) {
        return state == Connection.Delivery.DELIVERED;
      }
      if (System.nanoTime() - end > 0 || !pause()) {
        return false;
      }
    }
  }

  private static boolean pause() {
    try {
      Thread.sleep(5);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  public synchronized @Nullable SocketAddress remoteAddress() {
    return connection == null ? null : connection.remoteAddress();
  }

  @Override
  public synchronized boolean isOpen() {
    return !isClosed;
  }

  /** Closes the connection, discarding what it has not delivered unless its output has ended. */
  @Override
  public void close() {
    close(false);
  }

  /** Closes the connection and discards what it has not delivered. */
  public void reset() {
    close(true);
  }

  private void close(boolean resets) {
    Connection of;
    boolean inOrder;
    synchronized (this) {
      if (isClosed || isHandedOver) {
        return;
      }
      isClosed = true;
      of = connection;
      inOrder = outputHasEnded && !resets && failure == null;
      release();
      notifyAll();
    }
    if (of != null && !of.eventLoop().isShuttingDown()) {
      of.eventLoop()
          .execute(() -> {
            ChannelFuture finished = finishing;
            if (inOrder && finished != null) {
              finished.addListener(_ -> of.closeInOrder());
            } else {
              of.close();
            }
          });
    }
  }

  private void release() {
    received.forEach(ByteBuf::release);
    received.clear();
    receivedBytes = 0;
  }

  private Connection standing() throws IOException {
    Connection of = connection;
    if (of == null) {
      throw new IOException("not connected");
    }
    return of;
  }

  private void requireOpen() throws ClosedChannelException {
    if (isClosed || isHandedOver) {
      throw new AsynchronousCloseException();
    }
  }

  private void requireWhole() throws IOException {
    Throwable why = failure;
    if (why != null) {
      throw new IOException(why.getMessage(), why);
    }
  }

  private void awaitThat(BooleanSupplier condition) throws InterruptedIOException {
    try {
      while (!condition.getAsBoolean()) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }

  /** Requests another read if there is room. */
  private void readOn() {
    Connection of = connection;
    if (of != null && !readIsAsked && !hasEnded && receivedBytes < MOST_HELD_BYTES) {
      readIsAsked = true;
      of.eventLoop().execute(of::read);
    }
  }

  private synchronized void fail(Throwable why) {
    if (failure == null) {
      failure = why;
    }
    notifyAll();
  }

  private final class Handler extends ChannelInboundHandlerAdapter {
    @Override
    public void channelActive(ChannelHandlerContext context) {
      begin(Connection.of(context.channel()));
      arrived.accept(BlockingConnection.this);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      synchronized (BlockingConnection.this) {
        if (isClosed || !(message instanceof ByteBuf bytes)) {
          ReferenceCountUtil.release(message);
          return;
        }
        receivedBytes += bytes.readableBytes();
        received.add(bytes);
        BlockingConnection.this.notifyAll();
      }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      synchronized (BlockingConnection.this) {
        readIsAsked = false;
        readOn();
      }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      if (event instanceof ChannelInputShutdownReadComplete) {
        synchronized (BlockingConnection.this) {
          hasEnded = true;
          BlockingConnection.this.notifyAll();
        }
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      fail(cause);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      synchronized (BlockingConnection.this) {
        if (!hasEnded) {
          fail(new ClosedChannelException());
        }
      }
    }
  }
}
