package io.cascade.carriage.junction;

import io.cascade.carriage.socket.LingeringClose;
import io.cascade.carriage.transport.Connection;
import io.cascade.carriage.transport.ConnectionError;
import io.cascade.carriage.transport.ConnectionFailure;
import io.cascade.carriage.transport.ConnectionLosses;
import io.cascade.carriage.transport.OnLoop;
import io.cascade.segments.Frame;
import io.cascade.segments.FrameCodec;
import io.cascade.segments.FrameReader;
import io.cascade.segments.PipeReport;
import io.cascade.segments.PipeState;
import io.cascade.segments.Reason;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connection of one pipe at a junction. It runs on its own event loop, which may differ from
 * its junction's: received bytes are passed to the junction's loop, and bytes to be written to the
 * connection's, one batch at a time in each direction.
 */
public final class PipeEnd extends ChannelInboundHandlerAdapter {
  /** Most bytes of one read. */
  private static final int MOST_READ = 256 << 10;

  /**
   * Bytes that a pipe must have written between two checks of its losses, and the least time
   * between them.
   */
  private static final int LEAST_WRITTEN_BYTES = 16 << 10;

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final Junction junction;
  private final int number;
  private final Connection connection;
  private final EventLoop loop;
  private final PipeAccounting accounting;

  /** The bytes of the read in progress. Used on the connection's loop. */
  private List<ByteBuf> arrived = new ArrayList<>(2);

  private boolean broken;
  private boolean inputOver;
  private final ConnectionLosses losses;
  private long writtenBytes;
  private long nextLookNanos;

  /** State used on the junction's loop. */
  private final FrameReader frames = new FrameReader();

  private final long joinedNanos;
  private Frame.@Nullable PipeStart start;
  private boolean writing;
  private boolean finished;
  private boolean inputEnded;
  private boolean accepted;
  private @Nullable PipeReport measured;
  private PipeState trusted = PipeState.ACTIVE;

  /**
   * @param accounting receives its counts
   * @param start the first frame to write; null where the peer begins the pipe
   * @param respondsToLoss whether the connection may change its congestion control in response to
   *     losses
   */
  public PipeEnd(
      Junction junction,
      int number,
      Connection connection,
      PipeAccounting accounting,
      Frame.@Nullable PipeStart start,
      boolean respondsToLoss) {
    this.junction = junction;
    this.number = number;
    this.connection = connection;
    this.loop = connection.eventLoop();
    this.start = start;
    this.losses = new ConnectionLosses(connection, respondsToLoss);
    this.nextLookNanos = junction.now();
    this.accounting = accounting;
    this.joinedNanos = junction.now();
  }

  @Override
  public boolean isSharable() {
    return false; // Netty would look for an annotation for each
  }

  public int number() {
    return number;
  }

  // On the junction's loop.

  FrameReader frames() {
    return frames;
  }

  Frame.@Nullable PipeStart takeStart() {
    Frame.PipeStart first = start;
    start = null;
    return first;
  }

  boolean mayWrite() {
    return !writing && !finished;
  }

  boolean isFinished() {
    return finished;
  }

  boolean isInputEnded() {
    return inputEnded;
  }

  void noteInputEnded() {
    inputEnded = true;
  }

  /** The pipe now carries the stream. */
  void noteJoined() {
    accounting.begins(connection);
  }

  /** The pipe no longer carries the stream, which no longer needs it. */
  void noteLeft() {
    accounting.ends(connection);
    noteMeasured(null);
  }

  /**
   * The pipe no longer carries the stream, which still needed it. A pipe that the other junction
   * never accepted does not count as lost: while a chain is being installed on all its relays at
   * once, a pipe may be dialled before each of them knows the chain, and is dialled again.
   */
  void noteLost(String why) {
    noteLeft();
    if (accepted) {
      accounting.lost(why);
    }
  }

  /** The stream no longer uses it. */
  void noteWithdrawn(String why) {
    accounting.withdrawn(why);
  }

  /** Records the state that the stream gives it. */
  void noteState(PipeState now) {
    if (now != trusted) {
      trusted = now;
      accounting.is(now);
    }
  }

  /**
   * Reports a measurement of it.
   *
   * @param now null if it has ended
   */
  void noteMeasured(@Nullable PipeReport now) {
    accounting.measured(measured, now);
    measured = now;
  }

  void noteReceived(int bytes) {
    accounting.received(bytes);
  }

  /** Records that the peer has sent a frame; returns whether it was the first. */
  boolean noteAccepted() {
    boolean first = !accepted;
    accepted = true;
    return first;
  }

  /** Time since it was offered, in nanoseconds. */
  public long ageNanos() {
    return junction.now() - joinedNanos;
  }

  /** Writes a batch, and notifies the junction when the kernel has accepted it. */
  void write(ByteBuf batch) {
    writing = true;
    int memory = batch.capacity();
    int length = batch.readableBytes();
    accounting.sent(length);
    onItsLoop(() -> {
      lookAtLosses(length);
      connection
          .writeAndFlush(batch)
          .addListener(written -> {
            Throwable failure = written.cause();
            junction.execute(() -> {
              writing = false;
              junction.written(this, memory, failure);
            });
          });
    });
  }

  private void lookAtLosses(int written) {
    writtenBytes += written;
    long now = junction.now();
    if (writtenBytes >= LEAST_WRITTEN_BYTES && now - nextLookNanos >= 0) {
      writtenBytes = 0;
      nextLookNanos = now + LOOK_NANOS;
      losses.look(now);
    }
  }

  /** Ends the output after the written bytes. */
  void finish() {
    finished = true;
    onItsLoop(connection::finishOutput);
  }

  void readOn() {
    onItsLoop(connection::read);
  }

  public void close(boolean inOrder) {
    onItsLoop(() -> {
      broken = true; // its events are no longer needed
      if (inOrder) {
        connection.closeInOrder();
      } else {
        connection.abort();
      }
    });
  }

  /** Tells the peer why the pipe cannot join, and closes the connection. */
  public void refuse(Reason reason) {
    onItsLoop(() -> {
      broken = true;
      refuse(connection, reason, "");
    });
  }

  /**
   * Tells the peer why its pipe is refused, and closes the connection. Called on its event loop.
   */
  public static void refuse(Channel channel, Reason reason, String detail) {
    LingeringClose.send(
        channel, Unpooled.wrappedBuffer(FrameCodec.head(new Frame.Refusal(reason, detail))));
  }

  private void onItsLoop(Runnable task) {
    OnLoop.run(loop, task);
  }

  // On the connection's loop.

  /**
   * Takes the connection over.
   *
   * @param early bytes that have already arrived; handed over
   */
  public void attach(ByteBuf early) {
    connection.receive().readFor(() -> MOST_READ);
    connection.pipeline().addLast("pipe", this);
    if (early.isReadable()) {
      arrived.add(early);
      passOn();
    } else {
      early.release();
      connection.read();
    }
  }

  private void passOn() {
    List<ByteBuf> batch = arrived;
    arrived = new ArrayList<>(2);
    junction.execute(() -> junction.arrived(this, batch));
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    arrived.add((ByteBuf) message);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    if (!arrived.isEmpty()) {
      passOn();
    } else if (!inputOver && !broken) {
      connection.read(); // half a record of an encrypted hop
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof ChannelInputShutdownReadComplete) {
      inputOver = true;
      if (!broken) {
        junction.execute(() -> junction.ended(this));
      }
    } else if (!(event instanceof ChannelInputShutdownEvent)) {
      context.fireUserEventTriggered(event);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    lost(cause);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    lost(new ConnectionFailure(ConnectionError.BROKEN, "connection closed"));
  }

  private void lost(Throwable cause) {
    if (!broken) {
      broken = true;
      junction.execute(() -> junction.broken(this, cause));
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    arrived.forEach(ByteBuf::release);
    arrived.clear();
  }
}
