package io.cascade.carriage.transport;

import io.cascade.kernel.tcp.TcpInfoFields;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.unix.RawUnixChannelOption;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Kernel's account of a connection ({@code struct tcp_info}, {@code linux/tcp.h}).
 *
 * @param state the kernel's number for the TCP state
 * @param unansweredProbes of a zero window or of an idle connection, since the peer last
 *     acknowledged anything
 * @param unackedSegments sent and not acknowledged
 * @param notSentBytes accepted from this process and not sent
 * @param rtt smoothed round-trip time
 * @param queuedRtt the part of it that a queue may cause ({@link TcpInfoFields#queuedRttMicros})
 * @param minRtt the least round-trip time of some minutes, zero before the first
 * @param sinceLastAck since the peer last acknowledged anything
 * @param sentSegments with data, retransmissions among them
 * @param retransmittedSegments since the connection began
 * @param ackedBytes since the connection began; its SYN and its FIN may count as one each
 * @param sackedBytes selectively acknowledged beyond those, as that many segments of the greatest
 *     size
 * @param busy time with data sent and not acknowledged
 * @param receiverLimited of {@code busy}, limited by the peer's window
 * @param senderLimited of {@code busy}, limited by the send buffer
 * @param outOfOrderSegments that have arrived after a gap; 0 before Linux 5.4
 */
public record TcpInfo(
    int state,
    int unansweredProbes,
    long unackedSegments,
    long notSentBytes,
    Duration rtt,
    Duration queuedRtt,
    Duration minRtt,
    Duration sinceLastAck,
    long congestionWindowSegments,
    long sentSegments,
    long retransmittedSegments,
    long ackedBytes,
    long sackedBytes,
    Duration busy,
    Duration receiverLimited,
    Duration senderLimited,
    long outOfOrderSegments) {
  private static final int CLOSE = 7;
  private static final int LENGTH = 280;

  /** Unanswered probes that mean silence: one may be lost, and another one in flight. */
  private static final int TELLING_PROBES = 3;

  private static final RawUnixChannelOption OPTION =
      new RawUnixChannelOption("TCP_INFO_WHOLE", 6, 11, LENGTH);

  /** Reads it; null if the transport or the channel does not provide it, or no longer does. */
  public static @Nullable TcpInfo of(Channel channel) {
    if (!channel.isOpen()) {
      return null;
    }
    ByteBuffer raw;
    try {
      raw = channel.config().getOption((ChannelOption<ByteBuffer>) OPTION);
    } catch (RuntimeException e) {
      return null; // closed meanwhile: Netty wraps the EBADF
    }
    if (raw == null || !channel.isOpen()) {
      return null; // closed meanwhile; another socket may already have had the number
    }
    TcpInfoFields info = new TcpInfoFields(raw);
    return new TcpInfo(
        info.state(),
        info.unansweredProbes(),
        info.unackedSegments(),
        info.notSentBytes(),
        micros(info.rttMicros()),
        micros(info.queuedRttMicros()),
        micros(info.minRttMicros()),
        Duration.ofMillis(info.sinceLastAckMillis()),
        info.congestionWindowSegments(),
        info.sentSegments(),
        info.retransmittedSegments(),
        info.ackedBytes(),
        info.sackedBytes(),
        micros(info.busyMicros()),
        micros(info.receiverLimitedMicros()),
        micros(info.senderLimitedMicros()),
        info.outOfOrderSegments());
  }

  private static Duration micros(long micros) {
    return Duration.ofNanos(micros * 1_000);
  }

  /** Whether the connection has ended: a reset was received, or both ends have finished. */
  public boolean closed() {
    return state == CLOSE;
  }

  /**
   * Whether the peer does not answer: sent data, or several probes of its zero window, have been
   * unacknowledged for {@code limit}. A receiver that is merely slow acknowledges what it has room
   * for, and each zero-window probe, so it does not count as silent.
   */
  public boolean silentFor(Duration limit) {
    boolean asks = unackedSegments > 0 || unansweredProbes >= TELLING_PROBES;
    return asks && sinceLastAck.compareTo(limit) >= 0;
  }

  /** Bytes that have arrived, as far as the peer has acknowledged them. */
  public long arrivedBytes() {
    return ackedBytes + sackedBytes;
  }

  /** Whether the peer has acknowledged everything that was written to the kernel. */
  public boolean delivered() {
    return unackedSegments == 0 && notSentBytes == 0;
  }
}
