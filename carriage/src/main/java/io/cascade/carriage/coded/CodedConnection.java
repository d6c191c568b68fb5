package io.cascade.carriage.coded;

import io.cascade.carriage.transport.ConnectionError;
import io.cascade.carriage.transport.ConnectionFailure;
import io.cascade.carriage.transport.Protection;
import io.cascade.carriage.transport.VirtualConnection;
import io.cascade.coding.session.ReceivingState;
import io.cascade.coding.session.SendingState;
import io.cascade.coding.stream.CodedStream;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A stream of a coded session, presented as a connection like any other. Written bytes are passed
 * to the stream, which accepts little more than the peer's credit and the network allow. Unread
 * bytes stay in the stream and give the peer no credit.
 *
 * <p>Closing the connection resets the stream, unless reset on close was cleared. Then closing it
 * ends the output after the written bytes, and the session goes on delivering them.
 */
final class CodedConnection extends VirtualConnection<CodedStream> {
  /** Code of the reset that closing a connection sends. */
  static final long CLOSED = 1;

  private final CodedLink link;
  private final CodedStream stream;
  private volatile long held;
  private @Nullable ConnectionFailure broken;
  private @Nullable Protection protection;
  private boolean disarmed;

  CodedConnection(CodedLink link, CodedStream stream) {
    this.link = link;
    this.stream = stream;
  }

  /** The stream's state has changed. */
  void carryOn() {
    if (!isOpen()) {
      finishQuietly();
      return;
    }
    if (stream.sending() == SendingState.RESET && broken == null) {
      broken = new ConnectionFailure(ConnectionError.BROKEN, "reset by the peer");
      writeOn(); // Fails the pending writes.
    } else if (awaitsRoom() && stream.room() > 0) {
      writeOn();
    }
    deliver(stream);
    held = stream.heldBytes();
  }

  /**
   * Called after a clean close: written bytes are still delivered, and incoming bytes are no longer
   * needed.
   */
  private void finishQuietly() {
    if (!stream.isOver() && stream.sending() == SendingState.FINISHED) {
      stream.reset(CLOSED);
    }
  }

  @Override
  protected boolean deliverSome(CodedStream from) {
    if (from.readable() == 0) {
      return end();
    }
    int length = (int) Math.min(readRoom(), from.readable());
    ByteBuf bytes = alloc().directBuffer(length);
    bytes.writerIndex(from.read(bytes.internalNioBuffer(0, length), link.now()));
    passOn(bytes);
    link.wake(); // There may be credit to send.
    return true;
  }

  /** Passes on the end of the input, once all bytes before it were read. */
  private boolean end() {
    ReceivingState how = stream.receiving();
    if (how == ReceivingState.ENDED) {
      passOnEnd();
      return true;
    }
    if (how == ReceivingState.RESET) {
      ConnectionFailure why = broken;
      passOnFailure(
          why == null ? new ConnectionFailure(ConnectionError.BROKEN, "reset by the peer") : why);
      return true;
    }
    return false;
  }

  /** The session has ended. */
  void fail(ConnectionFailure why) {
    broken = why;
    if (isOpen()) {
      endInput();
      writeOn();
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
      pending.removeBytes(taken); // Also removes empty buffers.
      if (!isAll) {
        awaitRoom();
        break;
      }
    }
    held = stream.heldBytes();
    link.wake();
  }

  @Override
  protected void doBeginRead() {
    if (wantsRead() && (stream.readable() > 0 || isEndTold())) {
      eventLoop().execute(() -> deliver(stream));
    }
  }

  private boolean isEndTold() {
    return stream.receiving() == ReceivingState.ENDED || stream.receiving() == ReceivingState.RESET;
  }

  @Override
  protected void doClose() {
    closes();
    if (disarmed) {
      stream.end();
      finishQuietly();
    } else {
      stream.reset(CLOSED);
    }
    link.wake();
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
  protected ChannelFuture endOutput(ChannelPromise promise) {
    ConnectionFailure why = broken;
    if (why != null || !isOpen()) {
      return promise.setFailure(why == null ? new ClosedChannelException() : why);
    }
    outputEnds();
    stream.end();
    link.wake();
    return promise.setSuccess();
  }

  @Override
  public boolean hasEnded() {
    return stream.receiving() == ReceivingState.COMPLETE
        || stream.receiving() == ReceivingState.ENDED;
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
  protected SocketAddress localAddress0() {
    return link.local();
  }

  @Override
  protected SocketAddress remoteAddress0() {
    return link.remote();
  }
}
