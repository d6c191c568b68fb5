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
 * A junction as its stream sees it: a connection like any other. What is written to it goes over
 * the segment's pipes, and what came over them is read from it. So a stream needs to know nothing
 * of segments.
 *
 * <p>The end of its output has been passed on once the far junction has everything. Closing it
 * resets the stream at the far junction, behind what was written before, unless the stream is
 * complete.
 */
public final class JunctionConnection extends VirtualConnection<SegmentStream> {
  /** Chunks of which one read has octets, at the most. */
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

  /** Writes on what found no room, and reads what has come. */
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

  /** Takes the next octets, which are there, without copying more than a few. */
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

  /** Tells the end of the input, once all before it was read. */
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

  /** The stream cannot go on. */
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
      pending.removeBytes(taken); // also what is empty
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
    return Delivery.DELIVERED; // a reset follows what was written, and does not overtake it
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
    return null; // the pipes' hops are encrypted, where they are
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
