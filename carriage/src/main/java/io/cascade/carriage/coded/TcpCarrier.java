package io.cascade.carriage.coded;

import io.cascade.carriage.transport.Connection;
import io.cascade.carriage.transport.DatagramCarrier;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import java.nio.ByteBuffer;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Carries a session's datagrams inside a TCP connection, each after its length:
 *
 * <pre>
 *  length u16, below 2,048 | datagram, sealed as over UDP
 * </pre>
 *
 * So the first byte of such a connection is below 8, unlike that of a hop header or a TLS record.
 * Received bytes are passed to the session's event loop, one read at a time: no more is read until
 * the session has taken them. Up to 64 KiB to be sent wait here, and 128 KiB in the connection.
 */
final class TcpCarrier extends ChannelInboundHandlerAdapter implements DatagramCarrier {
  /** The first byte of a length is always below this. */
  static final int FIRST_BYTES = 8;

  private static final int LENGTH_BYTES = Short.BYTES;
  private static final int MOST_BYTES = FIRST_BYTES << Byte.SIZE;
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int READ_BYTES = 1 << 16;
  private static final WriteBufferWaterMark WATER =
      new WriteBufferWaterMark(BUFFER_BYTES, 2 * BUFFER_BYTES);

  private final EventLoop loop;
  private User user;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
  private ByteBuf received = Unpooled.EMPTY_BUFFER;
  private @Nullable Channel channel;
  private int end;
  private boolean isClosed;

  /** The user whose datagrams it carries. Called on the session's event loop. */
  interface User {
    /**
     * A datagram has arrived.
     *
     * @return false if the connection is of no use and must be closed
     */
    boolean carried(TcpCarrier by, ByteBuffer datagram);

    /** Everything that had arrived was passed on, or there is room again. */
    void carrierReady(TcpCarrier by);

    /** The carrier is closed. */
    void carrierClosed(TcpCarrier by);
  }

  /**
   * @param loop the session's event loop
   */
  TcpCarrier(EventLoop loop, User user) {
    this.loop = loop;
    this.user = user;
  }

  /** Changes the user, to the session that a handshake on the connection began. */
  void become(User next) {
    user = next;
  }

  /**
   * Starts, on the session's event loop.
   *
   * @param connection an open connection, with this handler or about to get it
   * @param early bytes read from it before; handed over
   */
  void begin(Channel connection, ByteBuf early) {
    channel = connection;
    connection.config().setWriteBufferWaterMark(WATER);
    take(early);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    Connection.of(context.channel()).receive().readFor(() -> READ_BYTES);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    if (!onLoop(() -> take(bytes))) {
      bytes.release();
    }
  }

  /** Whether the task will run; false once the session's event loop has ended. */
  private boolean onLoop(Runnable task) {
    if (loop.inEventLoop()) {
      task.run();
      return true;
    }
    try {
      loop.execute(task);
      return true;
    } catch (RejectedExecutionException ended) {
      forget();
      return false;
    }
  }

  private void forget() {
    received.release();
    received = Unpooled.EMPTY_BUFFER;
  }

  private void take(ByteBuf bytes) {
    Channel from = channel;
    if (isClosed || from == null) {
      bytes.release();
      return;
    }
    if (received.isReadable()) {
      received = Unpooled.wrappedBuffer(received, bytes);
    } else {
      forget();
      received = bytes;
    }
    boolean isGood = true;
    while (isGood && !isClosed && received.readableBytes() >= LENGTH_BYTES) {
      int length = received.getUnsignedShort(received.readerIndex());
      if (length == 0 || length >= MOST_BYTES) {
        isGood = false;
      } else if (received.readableBytes() < LENGTH_BYTES + length) {
        break;
      } else {
        received.skipBytes(LENGTH_BYTES);
        ByteBuffer datagram = received.nioBuffer(received.readerIndex(), length);
        received.skipBytes(length);
        isGood = user.carried(this, datagram);
      }
    }
    if (!received.isReadable()) {
      forget();
    }
    if (!isGood) {
      close();
    } else if (!isClosed) {
      user.carrierReady(this);
      if (!from.eventLoop().isShuttingDown()) {
        from.read();
      }
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (context.channel().isWritable()) {
      onLoop(() -> {
        if (!isClosed) {
          user.carrierReady(this);
        }
      });
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof ChannelInputShutdownReadComplete) {
      onLoop(this::close);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    onLoop(this::close);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    onLoop(this::close);
  }

  /** Closes the connection after delivering what was sent. Called on the session's event loop. */
  void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    forget();
    Channel of = channel;
    if (of != null && !of.eventLoop().isShuttingDown()) { // Closes the connection.
      of.eventLoop()
          .execute(() -> {
            Connection.of(of).disarm();
            of.close();
          });
    }
    user.carrierClosed(this);
  }

  boolean isClosed() {
    return isClosed;
  }

  @Override
  public boolean hasRoom(int bytes) {
    Channel to = channel;
    return to != null && to.isWritable() && BUFFER_BYTES - end >= LENGTH_BYTES + bytes;
  }

  @Override
  public ByteBuffer buffer() {
    return buffer.position(end + LENGTH_BYTES);
  }

  @Override
  public void add(int length) {
    buffer.putShort(end, (short) length);
    end += LENGTH_BYTES + length;
  }

  @Override
  public boolean flush() {
    Channel to = channel;
    if (to == null || isClosed) {
      end = 0; // Lost with the connection; the session retransmits it.
      return true;
    }
    if (end > 0) {
      ByteBuf bytes = to.alloc().directBuffer(end).writeBytes(buffer.array(), 0, end);
      end = 0;
      to.writeAndFlush(bytes, to.voidPromise());
    }
    return to.isWritable();
  }
}
