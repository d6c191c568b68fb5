package io.cascade.relay.junction;

import io.cascade.carriage.junction.PipeEnd;
import io.cascade.carriage.preamble.PreambleHandler;
import io.cascade.segments.Frame;
import io.cascade.segments.FrameCodec;
import io.cascade.segments.ProtocolViolation;
import io.cascade.segments.Reason;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Reads the first frame of an accepted pipe and leaves the pipeline. Runs on the connection's event
 * loop.
 */
final class PipePreamble extends PreambleHandler {
  private static final int MOST_EARLY_BYTES = 64 << 10;
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final SegmentCounters counters;
  private final Listener listener;

  /** Receives the pipe if its first frame is valid. */
  @FunctionalInterface
  interface Listener {
    /** The pipe begins; {@code early} are bytes that followed its first frame, handed over. */
    void begins(Channel channel, Frame.PipeStart start, ByteBuf early);
  }

  /**
   * @param early bytes that have already arrived; handed over
   */
  PipePreamble(ByteBuf early, SegmentCounters counters, Listener listener) {
    super(MOST_EARLY_BYTES, early);
    this.counters = counters;
    this.listener = listener;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    super.handlerAdded(context);
    expect();
  }

  @Override
  protected void parse(ByteBuf bytes) {
    ByteBuffer view = bytes.nioBuffer();
    int before = view.remaining();
    Channel channel = context().channel();
    try {
      Frame frame = FrameCodec.parse(view);
      if (frame == null) {
        return;
      }
      bytes.skipBytes(before - view.remaining());
      if (!(frame instanceof Frame.PipeStart start)) {
        refuse(Reason.UNEXPECTED_FRAME, "no start of a pipe");
      } else if (start.version() != Frame.VERSION) {
        refuse(
            Reason.VERSION,
            "it uses protocol version %d, this end %d".formatted(start.version(), Frame.VERSION));
      } else {
        handOver(early -> listener.begins(channel, start, early));
      }
    } catch (ProtocolViolation e) {
      refuse(e.reason(), String.valueOf(e.getMessage()));
    }
  }

  private void refuse(Reason reason, String detail) {
    giveUp();
    counters.refused(reason);
    PipeEnd.refuse(context().channel(), reason, detail);
  }

  @Override
  protected void broken(@Nullable Throwable cause) {
    giveUp();
    context().channel().close();
  }

  @Override
  protected void late() {
    giveUp();
    context().channel().close();
  }

  @Override
  protected Duration patience() {
    return PATIENCE;
  }
}
