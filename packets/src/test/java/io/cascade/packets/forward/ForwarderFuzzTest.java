package io.cascade.packets.forward;

import io.cascade.packets.header.IpAddress;
import io.cascade.packets.header.IpPrefix;
import io.cascade.packets.header.PacketParser;
import io.cascade.packets.header.TcpPacket;
import io.cascade.packets.header.TcpRewrite;
import io.cascade.packets.header.TestPacket;
import io.cascade.packets.offload.OffloadHeader;
import io.cascade.packets.offload.Segmenter;
import io.cascade.testing.FuzzTest;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Packets of a TUN device and of links. The first byte of an input is the port and the link's MTU;
 * the next ten are the device's header.
 */
class ForwarderFuzzTest extends FuzzTest {
  private static final int HEAD = 1 + OffloadHeader.BYTES;
  private static final RouteTable ROUTES =
      new RouteTable(
          List.of(
              route(new byte[] {10, 1, 0, 0}, 16, 1),
              route(new byte[] {10, 2, 0, 0}, 16, 2),
              route(new byte[] {10, 0, 0, 1}, 32, 1),
              route(new byte[] {10, 0, 0, 2}, 32, 2),
              route(new byte[] {0x20, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, 128, 1),
              route(new byte[] {0x20, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2}, 128, 2)));

  private static RouteTable.Entry route(byte[] address, int bits, int port) {
    return new RouteTable.Entry(new IpPrefix(IpAddress.of(address), bits), port);
  }

  @Override
  protected Stream<byte[]> seeds() {
    byte[] big = TestIp.udp("10.1.0.1", "10.2.0.1", 300).bytes();
    IpPacket packet = Objects.requireNonNull(IpPacket.read(big, big.length));
    byte[] error = IcmpError.tooBig(packet, TestIp.address("10.2.0.9"), 100);
    return Stream.of(
            big,
            TestIp.udp("10.1.0.1", "10.2.0.1", 60).hops(1).bytes(),
            TestIp.udp("10.1.0.1", "10.2.0.1", 300).mustNotBeFragmented().bytes(),
            Objects.requireNonNull(error),
            TestPacket.outbound().flags(TestPacket.SYN).options(2, 4, 5, 0xb4).bytes(),
            TestPacket.outbound().sack(1, 2, 5, 6).payload(20).bytes(),
            TestPacket.outbound().v6().payload(20).bytes())
        .map(bytes ->
            ByteBuffer.allocate(HEAD + bytes.length)
                .put((byte) 1)
                .position(HEAD)
                .put(bytes)
                .array());
  }

  @Override
  protected void parse(byte[] input) {
    if (input.length < HEAD) {
      return;
    }
    int port = input[0] & 3;
    int mtu = 68 + 8 * ((input[0] & 0xff) >>> 2);
    byte[] packet = Arrays.copyOfRange(input, HEAD, input.length);
    Forwarder forwarder = forwarder(mtu);
    forwarder.arrived(port, packet.clone(), packet.length, 1);
    if (PacketParser.parse(packet, packet.length) instanceof TcpPacket tcp) {
      boolean held = tcp.checksumsHold();
      for (TcpPacket changed :
          new TcpPacket[] {
            TcpRewrite.of(tcp).clampMaximumSegmentSize(500).packet(),
            TcpRewrite.of(tcp).sackBlocks(tcp.options().sackBlocks()).packet()
          }) {
        require(!held || changed.checksumsHold(), "a changed packet has right checksums");
      }
    }
    OffloadHeader header = OffloadHeader.read(Arrays.copyOfRange(input, 1, HEAD));
    new Segmenter(2_048)
        .split(
            header,
            packet.clone(),
            packet.length,
            (bytes, length) -> forwarder.arrived(Forwarder.LOCAL, bytes, length, 1));
  }

  private static Forwarder forwarder(int mtu) {
    ForwarderSettings settings =
        new ForwarderSettings(ROUTES, true, List.of(TestIp.address("10.9.0.9")), true);
    return new Forwarder(
        settings,
        new Forwarder.Ports() {
          @Override
          public void send(int port, IpPacket packet) {
            require(packet.length() <= Math.max(mtu, 576), "what is sent fits its port");
            IpPacket again = IpPacket.read(packet.bytes(), packet.length());
            require(again != null, "what is sent is a packet");
          }

          @Override
          public int mtu(int port) {
            return mtu;
          }

          @Override
          public boolean isDown(int port) {
            return port == 3;
          }
        });
  }
}
