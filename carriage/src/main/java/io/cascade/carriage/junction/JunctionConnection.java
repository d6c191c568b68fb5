package io.cascade.carriage.junction;

import io.cascade.carriage.transport.ConnectionError;
import io.cascade.carriage.transport.ConnectionFailure;
import io.cascade.carriage.transport.Protection;
import io.cascade.carriage.transport.VirtualConnection;
import io.cascade.segments.Reason;
import io.cascade.segments.SegmentStream;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A junction as seen by its stream: a connection like any other. Bytes written to it are sent over
 * the segment's pipes, and bytes that arrived over them are read from it. So a stream need not know
 * about segments.
 *
 * <p>The end of its output counts as passed on once the far junction has everything. Closing it
 * resets the stream at the far junction, after the bytes written before, unless the stream is
 * complete.
 */
public final class JunctionConnection extends VirtualConnection<SegmentStream> {
  /** Most chunks from which one read takes octets. */
  private static final int MOST_CHUNKS = 32;

  private final Junction junction;
  private final InetSocketAddress local;
  private final InetSocketAddress remote;
  private @Nullable ChannelPromise ending;
  private boolean disarmed;

  JunctionConnection(Junction junction, InetSocketAddress local, InetSocketAddress remote) {
    this.junction = junction;
    this.local = local;
    this.remote = remote;
  }

  /** Writes what found no room before, and reads what has arrived. */
  void carryOn(SegmentStream stream) {
    if (awaitsRoom() && stream.room() > 0) {
      writeOn();
    }
    deliver(stream);
    ChannelPromise promise = ending;
    if (promise != null && stream.endAcknowledged()) {
      ending = null;
      promise.trySuccess();
    }
  }

  @Override
  protected boolean deliverSome(SegmentStream stream) {
    if (stream.readable() == null) {
      return end(stream);
    }
    passOn(take(stream, readRoom()));
    return true;
  }

  /** Takes the next octets, which must be available, copying only a few at most. */
  private ByteBuf take(SegmentStream stream, int most) {
    ByteBuf first = takeOfChunk(stream, most);
    if (first.readableBytes() == most || stream.readable() == null) {
      return first;
    }
    CompositeByteBuf taken = alloc().compositeDirectBuffer(MOST_CHUNKS).addComponent(true, first);
    while (taken.readableBytes() < most && stream.readable() != null) {
      taken.addComponent(true, takeOfChunk(stream, most - taken.readableBytes()));
    }
    return taken;
  }

  private ByteBuf takeOfChunk(SegmentStream stream, int most) {
    int length = Math.min(most, Objects.requireNonNull(stream.readable()).remaining());
    ByteBuf taken = PooledChunks.octets(stream.readableChunk(), stream.deliveredOctets(), length);
    stream.delivered(length, junction.now());
    return taken;
  }

  /** Passes on the end of the input, once all bytes before it were read. */
  private boolean end(SegmentStream stream) {
    Reason how = stream.endReached();
    if (how == null) {
      return false;
    }
    if (how == Reason.FINISHED) {
      passOnEnd();
    } else {
      stream.reset(how, "");
      passOnFailure(broken(how.words()));
    }
    return true;
  }

  /** The stream has failed. */
  void fail(String why) {
    ChannelPromise promise = ending;
    ending = null;
    if (promise != null) {
      promise.tryFailure(broken(why));
    }
    if (isOpen() && !disarmed) {
      passOnFailure(broken(why));
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
      pending.removeBytes(taken); // also removes empty buffers
      if (taken < length) {
        awaitRoom();
        break;
      }
    }
    junction.carryOn();
  }

  @Override
  protected void doBeginRead() {
    if (wantsRead()) {
      junction.carryOn();
    }
  }

  @Override
  protected void doClose() {
    closes();
    ChannelPromise promise = ending;
    ending = null;
    if (promise != null) {
      promise.tryFailure(broken("closed"));
    }
    junction.localClosed();
  }

  @Override
  public void disarm() {
    disarmed = true;
  }

  @Override
  public Delivery delivery() {
    return Delivery.DELIVERED; // a reset follows the written bytes, and does not overtake them
  }

  @Override
  public boolean isFinishedByClose() {
    return false;
  }

  @Override
  protected ChannelFuture endOutput(ChannelPromise promise) {
    outputEnds();
    ending = promise;
    junction.localEnded();
    return promise;
  }

  @Override
  public @Nullable Protection protection() {
    return null; // encryption, if any, is that of the pipes' hops
  }

  @Override
  public void protectBy(Protection protection) {
    throw new UnsupportedOperationException("the pipes are protected");
  }

  @Override
  public long heldBytes() {
    return junction.heldBytes();
  }

  @Override
  protected SocketAddress localAddress0() {
    return local;
  }

  @Override
  protected SocketAddress remoteAddress0() {
    return remote;
  }
}
