package io.cascade.simulation;

import io.cascade.coding.control.DelayCompete;
import io.cascade.coding.redundancy.SlidingDeficit;
import io.cascade.links.LinkShape;
import io.cascade.links.Loss;
import io.cascade.packets.forward.IpPacket;
import io.cascade.packets.header.InternetChecksum;
import io.cascade.packets.queue.QueueLimits;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reno connections through a tunnel of one coded session, or of one for each lossy link, in virtual
 * time: the network of the TCP/NC tunnel's Figure 5.
 *
 * <pre>
 *  sender 1 … k ─ 1 Mbit/s, 5 ms ─ gateway ══ 3 Mbit/s, loss ══ gateway … ─ 1 Mbit/s, 5 ms ─ receiver 1 … k
 * </pre>
 */
public final class TunnelledConnections {
  private static final int PACKET_BYTES = 1_000;
  private static final int ACK_BYTES = 52;
  private static final int QUEUE_PACKETS = 100;
  private static final int NUMBER_AT = 28;
  private static final int TAIL_PACKETS = 4;
  private static final double EDGE_BITS_PER_SECOND = 1e6;
  private static final long EDGE_NANOS = 5_000_000;

  /** Hosts and networks take turns so often: packets are late by as much at a gateway. */
  private static final long STEP_NANOS = 500_000;

  private final List<VirtualNetwork> networks = new ArrayList<>();
  private final List<GatewayEndpoint> near = new ArrayList<>();
  private final List<GatewayEndpoint> far = new ArrayList<>();
  private final List<Connection> connections = new ArrayList<>();
  private long nowNanos;

  /** A sender, its receiver and the links to them. */
  private static final class Connection {
    private final int number;
    private final TcpSender sender = new TcpSender(new TcpControl.Reno());
    private final Edge in = new Edge();
    private final Edge out = new Edge();
    private final ArrayDeque<Due> acks = new ArrayDeque<>();
    private long received;

    Connection(int number) {
      this.number = number;
    }
  }

  private record Due(long number, long atNanos) {}

  /** A link between a host and a gateway. */
  private static final class Edge {
    private final ArrayDeque<Due> packets = new ArrayDeque<>();
    private long freeNanos;

    void take(long number, long nowNanos) {
      long nanos = (long) (PACKET_BYTES * 8e9 / EDGE_BITS_PER_SECOND);
      if (freeNanos - nowNanos < QUEUE_PACKETS * nanos) {
        freeNanos = Math.max(freeNanos, nowNanos) + nanos;
        packets.add(new Due(number, freeNanos + EDGE_NANOS));
      }
    }
  }

  /**
   * @param links one for each session, in the order of the packets' way
   * @param loss of each link, towards the receivers
   */
  public TunnelledConnections(
      List<LinkShape> links, double loss, int sessions, QueueLimits limits, long seed) {
    for (int i = 0; i < links.size(); i++) {
      int link = i;
      GatewayEndpoint nearEnd =
          new GatewayEndpoint(
              PACKET_BYTES,
              limits,
              new DelayCompete(),
              new SlidingDeficit(0, TAIL_PACKETS),
              (packet, now) -> backward(link, packet, now));
      GatewayEndpoint farEnd =
          new GatewayEndpoint(
              PACKET_BYTES,
              limits,
              new DelayCompete(),
              new SlidingDeficit(0, TAIL_PACKETS),
              (packet, now) -> forward(link, packet, now));
      VirtualNetwork network = new VirtualNetwork(links.get(i), links.get(i), seed + i);
      network.addLosingForward(nearEnd, farEnd, Loss.parse(100 * loss + "%"));
      networks.add(network);
      near.add(nearEnd);
      far.add(farEnd);
    }
    for (int i = 1; i <= sessions; i++) {
      connections.add(new Connection(i));
    }
  }

  /** The source's link in the middle. */
  public static LinkShape middle(Duration delay) {
    return LinkShape.of(delay, 3_000_000).withQueueBytes(QUEUE_PACKETS * PACKET_BYTES);
  }

  List<GatewayEndpoint> far() {
    return far;
  }

  /** Payload that the receivers got so far, in packets. */
  public long received() {
    return connections.stream().mapToLong(connection -> connection.received).sum();
  }

  /** Goes on until a time. */
  public void runUntil(long untilNanos) {
    while (nowNanos < untilNanos) {
      nowNanos += STEP_NANOS;
      connections.forEach(this::turn);
      networks.forEach(network -> network.runUntil(nowNanos));
    }
  }

  private void turn(Connection connection) {
    for (Due ack = due(connection.acks); ack != null; ack = due(connection.acks)) {
      connection.sender.onPacket(ack.number(), nowNanos);
    }
    for (Packet packet = connection.sender.poll(nowNanos);
        packet != null;
        packet = connection.sender.poll(nowNanos)) {
      connection.in.take((Long) packet.content(), nowNanos);
    }
    for (Due data = due(connection.in.packets); data != null; data = due(connection.in.packets)) {
      near.getFirst().send(packet(connection.number, data.number(), PACKET_BYTES), nowNanos);
    }
    for (Due data = due(connection.out.packets); data != null; data = due(connection.out.packets)) {
      connection.received++;
      far.getLast().send(packet(connection.number, data.number(), ACK_BYTES), nowNanos);
    }
  }

  private @Nullable Due due(ArrayDeque<Due> waiting) {
    Due first = waiting.peek();
    return first != null && first.atNanos() <= nowNanos ? waiting.remove() : null;
  }

  private void forward(int link, byte[] packet, long now) {
    if (link + 1 < near.size()) {
      near.get(link + 1).send(read(packet), now);
    } else {
      connection(packet).out.take(number(packet), now);
    }
  }

  private void backward(int link, byte[] packet, long now) {
    if (link > 0) {
      far.get(link - 1).send(read(packet), now);
    } else {
      connection(packet).acks.add(new Due(number(packet), now + EDGE_NANOS));
    }
  }

  private Connection connection(byte[] packet) {
    return connections.get(packet[15] - 1);
  }

  private static long number(byte[] packet) {
    return ByteBuffer.wrap(packet).getLong(NUMBER_AT);
  }

  private static IpPacket read(byte[] packet) {
    IpPacket read = IpPacket.read(packet, packet.length);
    if (read == null) {
      throw new IllegalStateException("malformed");
    }
    return read;
  }

  /** An IPv4 packet with a number; its last octet of the source tells the connection. */
  private static IpPacket packet(int connection, long number, int bytes) {
    ByteBuffer packet = ByteBuffer.allocate(bytes);
    packet.putInt(0x45000000 | bytes).putInt(0x4000).putShort((short) 0x4006).putShort((short) 0);
    packet.putInt(0x0a010000 | connection).putInt(0x0a020000 | connection);
    packet.putShort((short) connection).putShort((short) 80);
    packet.putLong(NUMBER_AT, number);
    byte[] made = packet.array();
    packet.putShort(10, (short) InternetChecksum.of(InternetChecksum.sum(made, 0, 20, 0)));
    return read(made);
  }
}
