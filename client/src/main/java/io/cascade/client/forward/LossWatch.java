package io.cascade.client.forward;

import io.cascade.carriage.transport.Connection;
import io.cascade.carriage.transport.LossResponse;
import io.cascade.carriage.transport.SocketTuning;
import io.cascade.carriage.transport.TcpInfo;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * Samples the kernel's counters of a TCP connection while it moves bytes. If the connection loses
 * packets without a queue, it switches to {@link LossResponse#CONTROL}, as a relay's connections
 * do. It begins with the host's default control, since there is one connection for each stream of
 * all clients. Losses in either direction are reported to the path. Its place in the pipeline is
 * before the handlers that read and write.
 */
final class LossWatch extends ChannelDuplexHandler {
  /** Connections that move fewer bytes end before a change would help. */
  private static final long LEAST_MOVED_BYTES = 64 << 10;

  private static final long INTERVAL_NANOS = 100_000_000;

  private final Connection connection;
  private final boolean changesControl;
  private final LongConsumer path;
  private final LossResponse sent = LossResponse.ofOwn();
  private final LossResponse arriving = LossResponse.ofOwn();
  private final Gaps gaps = new Gaps();
  private long movedBytes;
  private long beganNanos;
  private boolean hasLooked;
  private long nextNanos = System.nanoTime();
  private long retransmittedSegments;

  /**
   * Gaps in received data, as far as the kernel counts them: behind each gap, segments arrive out
   * of order until the lost one was retransmitted, at most two round trips later.
   */
  private static final class Gaps {
    private long outOfOrderSegments;
    private long countedMicros = Long.MIN_VALUE / 2;
    private long count;

    /** Returns the number of gaps. */
    long after(TcpInfo now, long ageMicros) {
      boolean grew = now.outOfOrderSegments() > outOfOrderSegments;
      outOfOrderSegments = now.outOfOrderSegments();
      if (grew && ageMicros - countedMicros > 2 * micros(now.rtt())) {
        countedMicros = ageMicros;
        count++;
      }
      return count;
    }
  }

  private LossWatch(Connection connection, boolean changesControl, LongConsumer path) {
    this.connection = connection;
    this.changesControl = changesControl;
    this.path = path;
  }

  /**
   * Watches a connection from now on; losses are reported to no path.
   *
   * @param changesControl whether it may switch to another congestion control than the host's
   *     default
   */
  static void begin(Connection connection, boolean changesControl) {
    begin(connection, changesControl, _ -> {});
  }

  /**
   * Watches a connection from now on.
   *
   * @param changesControl whether it may switch to another congestion control than the host's
   *     default
   * @param path is told that packets were lost without a queue, with the least round-trip time in
   *     microseconds
   */
  static void begin(Connection connection, boolean changesControl, LongConsumer path) {
    connection.pipeline().addFirst(new LossWatch(connection, changesControl, path));
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    moved(((ByteBuf) message).readableBytes());
    context.fireChannelRead(message);
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    moved(((ByteBuf) message).readableBytes());
    context.write(message, promise);
  }

  private void moved(int bytes) {
    movedBytes += bytes;
    long now = System.nanoTime();
    if (movedBytes >= LEAST_MOVED_BYTES && now - nextNanos >= 0) {
      nextNanos = now + INTERVAL_NANOS;
      look(now);
    }
  }

  private void look(long nowNanos) {
    if (!hasLooked) {
      hasLooked = true;
      beganNanos = nowNanos;
    }
    TcpInfo now = connection.tcpInfo();
    if (now == null) {
      return;
    }
    long ageMicros = (nowNanos - beganNanos) / 1_000;
    boolean lost = now.retransmittedSegments() > retransmittedSegments;
    retransmittedSegments = now.retransmittedSegments();
    LossResponse.Change change =
        sent.look(
            now.retransmittedSegments(), micros(now.queuedRtt()), micros(now.minRtt()), ageMicros);
    if (change == LossResponse.Change.TAKE && changesControl) {
      boolean _ = SocketTuning.change(connection, LossResponse.CONTROL);
    }
    long before = gaps.count;
    long missing = gaps.after(now, ageMicros);
    LossResponse.Change _ =
        arriving.look(missing, micros(now.rtt()), micros(now.minRtt()), ageMicros);
    if ((lost && sent.isSettled()) || (missing > before && arriving.isSettled())) {
      path.accept(micros(now.minRtt()));
    }
  }

  private static long micros(Duration time) {
    return TimeUnit.NANOSECONDS.toMicros(time.toNanos());
  }
}
