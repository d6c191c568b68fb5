package io.cascade.packets.forward;

import io.cascade.packets.header.IpAddress;
import io.cascade.packets.header.PacketParser;
import io.cascade.packets.header.TcpPacket;
import io.cascade.packets.header.TcpRewrite;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Forwards packets between ports: the local side, which is the kernel's, and links to other
 * gateways. A packet is accepted only if its source would be reached by the same port (strict
 * reverse path, RFC 3704 section 2.2). An ICMP error of a router on the path is also accepted if
 * the packet that it answers was sent by that port.
 *
 * <p>Between two links this class decrements the hop limit; the kernel does so at the local side.
 * Sends at most {@link #ANSWERS_A_SECOND} ICMP answers a second (RFC 1812 section 4.3.2.8).
 */
public final class Forwarder {
  /** Port of the local side; links are 1 and above. */
  public static final int LOCAL = 0;

  static final int ANSWERS_A_SECOND = 100;

  private static final long SECOND = 1_000_000_000;
  private static final int V4_HEADERS = 40;
  private static final int V6_HEADERS = 60;

  private final ForwarderSettings settings;
  private final Ports ports;
  private RouteTable routes;
  private double answersLeft = ANSWERS_A_SECOND;
  private long answeredNanos;

  private long forwarded;
  private long malformed;
  private long spoofed;
  private long noRoute;
  private long loops;
  private long expired;
  private long tooBig;
  private long fragmented;
  private long answered;
  private long clamped;

  /** Output of packets. */
  public interface Ports {
    /** Sends a packet that is no longer than the port's MTU. */
    void send(int port, IpPacket packet);

    /** The longest packet that a port sends at present, in bytes. */
    int mtu(int port);

    /** Whether a port has been silent for so long that hosts should be told. */
    boolean isDown(int port);
  }

  public Forwarder(ForwarderSettings settings, Ports ports) {
    this.settings = settings;
    this.ports = ports;
    this.routes = settings.routes();
  }

  /** Replaces the routes. */
  public void route(RouteTable other) {
    routes = other;
  }

  /** Whether an address is behind a link, by the present routes. */
  public boolean isBehindLink(IpAddress address) {
    return routes.find(address) > LOCAL;
  }

  /**
   * Takes a packet.
   *
   * @param port by which it arrived
   */
  public void arrived(int port, byte[] buffer, int length, long nowNanos) {
    IpPacket packet = IpPacket.read(buffer, length);
    if (packet == null) {
      malformed++;
      return;
    }
    if (!isCredible(port, packet)) {
      spoofed++;
      return;
    }
    IpAddress destination = packet.destination();
    boolean isOwn = settings.own().contains(destination);
    int out = isOwn && settings.hasLocal() ? LOCAL : find(destination);
    if (out == RouteTable.NONE || (isOwn && out != LOCAL)) {
      noRoute++;
      answer(port, isOwn ? null : IcmpError.noRoute(packet, own(packet)), nowNanos);
    } else if (out == port) {
      loops++;
    } else if (port != LOCAL && out != LOCAL && packet.hopLimit() <= 1) {
      expired++;
      answer(port, IcmpError.timeExceeded(packet, own(packet)), nowNanos);
    } else if (ports.isDown(out)) {
      noRoute++;
      answer(port, IcmpError.hostUnreachable(packet, own(packet)), nowNanos);
    } else if (packet.length() > ports.mtu(out)) {
      tooBig(port, out, packet, nowNanos);
    } else {
      forward(port, out, packet);
    }
  }

  private boolean isCredible(int port, IpPacket packet) {
    IpAddress source = packet.source();
    if (port != LOCAL && settings.own().contains(source)) {
      return false;
    }
    return find(source) == port || answersWhatWentBy(port, packet);
  }

  private boolean answersWhatWentBy(int port, IpPacket packet) {
    IcmpError.Answered answered = port == LOCAL ? null : IcmpError.answered(packet);
    return answered != null
        && answered.source().equals(packet.destination())
        && find(answered.destination()) == port;
  }

  private void tooBig(int port, int out, IpPacket packet, long nowNanos) {
    int mtu = ports.mtu(out);
    if (packet.mustNotBeFragmented()) {
      tooBig++;
      answer(port, IcmpError.tooBig(packet, own(packet), mtu), nowNanos);
      return;
    }
    fragmented++;
    for (IpPacket fragment : packet.fragments(mtu)) {
      forward(port, out, fragment);
    }
  }

  private int find(IpAddress address) {
    int port = routes.find(address);
    return port == RouteTable.NONE && settings.hasLocal() ? LOCAL : port;
  }

  private void forward(int from, int to, IpPacket packet) {
    if (from != LOCAL && to != LOCAL) {
      packet.countHop();
    }
    forwarded++;
    ports.send(to, settings.clampsSegments() ? clamp(packet, from, to) : packet);
  }

  /** Returns a SYN whose segments fit both ports. */
  private IpPacket clamp(IpPacket packet, int from, int to) {
    if (!isSyn(packet)
        || !(PacketParser.parse(packet.bytes(), packet.length()) instanceof TcpPacket syn)) {
      return packet;
    }
    int mtu = Math.min(ports.mtu(from), ports.mtu(to));
    int most = mtu - (packet.isV4() ? V4_HEADERS : V6_HEADERS);
    TcpPacket changed = TcpRewrite.of(syn).clampMaximumSegmentSize(most).packet();
    IpPacket read = IpPacket.read(changed.bytes(), changed.bytes().length);
    if (read == null || Arrays.equals(read.bytes(), packet.bytes())) {
      return packet;
    }
    clamped++;
    return read;
  }

  private static boolean isSyn(IpPacket packet) {
    int flags = packet.headerLength() + 13;
    return packet.protocol() == 6
        && !packet.isLaterFragment()
        && packet.length() > flags
        && (packet.bytes()[flags] & 0x02) != 0;
  }

  /** The address to answer from; one of the other version if there is none. */
  private IpAddress own(IpPacket packet) {
    int bits = packet.isV4() ? IpAddress.V4_BITS : IpAddress.V6_BITS;
    for (IpAddress address : settings.own()) {
      if (address.bits() == bits) {
        return address;
      }
    }
    return new IpAddress(IpAddress.V4_BITS + IpAddress.V6_BITS - bits, 0, 0);
  }

  private void answer(int port, byte @Nullable [] answer, long nowNanos) {
    answersLeft =
        Math.min(
            ANSWERS_A_SECOND,
            answersLeft + (double) (nowNanos - answeredNanos) * ANSWERS_A_SECOND / SECOND);
    answeredNanos = nowNanos;
    if (answer == null || answersLeft < 1) {
      return;
    }
    IpPacket packet = IpPacket.read(answer, answer.length);
    if (packet != null) {
      answersLeft--;
      answered++;
      ports.send(port, packet);
    }
  }

  public ForwardCounts counts() {
    return new ForwardCounts(
        forwarded,
        malformed,
        spoofed,
        noRoute,
        loops,
        expired,
        tooBig,
        fragmented,
        answered,
        clamped);
  }
}
