package io.cascade.simulation;

import io.cascade.coding.control.RateController;
import io.cascade.coding.datagram.Datagram;
import io.cascade.coding.datagram.DatagramSource;
import io.cascade.coding.datagram.Datagrams;
import io.cascade.coding.redundancy.RedundancyPolicy;
import io.cascade.coding.session.CodedSession;
import io.cascade.coding.session.SessionSettings;
import io.cascade.packets.forward.IpPacket;
import io.cascade.packets.queue.FairQueue;
import io.cascade.packets.queue.QueueLimits;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** An end of a gateway's link: the queue of packets and the coded session that empties it. */
final class GatewayEndpoint implements Endpoint {
  private static final int WINDOW_SYMBOLS = 2_048;

  private final FairQueue queue;
  private final Datagrams datagrams;
  private final CodedSession session;
  private final ByteBuffer out;
  private long nowNanos;

  /**
   * @param arrived takes packets of the other end, and when they came
   */
  GatewayEndpoint(
      int packetBytes,
      QueueLimits limits,
      RateController controller,
      RedundancyPolicy policy,
      BiConsumer<byte[], Long> arrived) {
    int content = Datagrams.contentBytes(packetBytes);
    SessionSettings settings =
        new SessionSettings(1, 1, content, WINDOW_SYMBOLS, SessionSettings.USUAL_SILENCE_NANOS, 1);
    this.queue = new FairQueue(limits, 1);
    this.datagrams =
        new Datagrams(content, new Waiting(), packet -> arrived.accept(packet, nowNanos));
    this.session = new CodedSession(settings, controller, policy, datagrams, 0);
    this.out = ByteBuffer.allocate(settings.datagramBytes());
  }

  Datagrams datagrams() {
    return datagrams;
  }

  /** Takes a packet for the other end. */
  void send(IpPacket packet, long now) {
    queue.add(packet, now);
  }

  @Override
  public void onPacket(Object content, long now) {
    nowNanos = now;
    datagrams.onTime(now);
    session.onDatagram(ByteBuffer.wrap((byte[]) content), now);
  }

  @Override
  public @Nullable Packet poll(long now) {
    nowNanos = now;
    datagrams.onTime(now);
    out.clear();
    int length = session.poll(now, out);
    if (length == 0) {
      return null;
    }
    byte[] datagram = new byte[length];
    out.flip().get(datagram);
    return new Packet(datagram, length + CodedEndpoint.OVERHEAD_BYTES);
  }

  @Override
  public long nextNanos() {
    return Math.min(datagrams.nextNanos(), session.nextNanos());
  }

  private final class Waiting implements DatagramSource {
    @Override
    public boolean waits() {
      return !queue.isEmpty();
    }

    @Override
    public Datagram next(long now) {
      FairQueue.Next next = Objects.requireNonNull(queue.next(now));
      return new Datagram(next.flow(), next.packet().bytes());
    }
  }
}
