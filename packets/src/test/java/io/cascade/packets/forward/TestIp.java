package io.cascade.packets.forward;

import io.cascade.packets.header.InternetChecksum;
import io.cascade.packets.header.IpAddress;
import java.nio.ByteBuffer;

/** Builds UDP packets of IPv4 for tests, with right header checksums. */
public final class TestIp {
  private final byte[] bytes;

  private TestIp(int length) {
    this.bytes = new byte[length];
  }

  /**
   * @param from such as 10.1.0.1
   * @param length of the whole packet
   */
  public static TestIp udp(String from, String to, int length) {
    TestIp packet = new TestIp(length);
    ByteBuffer header = ByteBuffer.wrap(packet.bytes);
    header.put((byte) 0x45).put((byte) 0).putShort((short) length).putInt(0);
    header.put((byte) 64).put((byte) 17).putShort((short) 0);
    header.put(address(from).bytes()).put(address(to).bytes());
    return packet;
  }

  public TestIp ports(int from, int to) {
    return set(20, from >>> 8).set(21, from).set(22, to >>> 8).set(23, to);
  }

  public TestIp hops(int left) {
    return set(8, left);
  }

  public TestIp ecn(int codepoint) {
    return set(1, codepoint);
  }

  public TestIp mustNotBeFragmented() {
    return set(6, 0x40);
  }

  public TestIp set(int at, int value) {
    bytes[at] = (byte) value;
    return this;
  }

  /** The packet, with its header's checksum. */
  public byte[] bytes() {
    bytes[10] = 0;
    bytes[11] = 0;
    int checksum = InternetChecksum.of(InternetChecksum.sum(bytes, 0, 20, 0));
    bytes[10] = (byte) (checksum >>> 8);
    bytes[11] = (byte) checksum;
    return bytes;
  }

  public IpPacket packet() {
    IpPacket packet = IpPacket.read(bytes(), bytes.length);
    if (packet == null) {
      throw new IllegalStateException("refused");
    }
    return packet;
  }

  public static IpAddress address(String text) {
    String[] octets = text.split("\\.", -1);
    byte[] bytes = new byte[4];
    for (int i = 0; i < 4; i++) {
      bytes[i] = (byte) Integer.parseInt(octets[i]);
    }
    return IpAddress.of(bytes);
  }
}
