package io.cascade.packets.header;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Builds the packets of tests, with right checksums. Ends: near 10.0.0.1:1000, far 10.0.0.2:80. */
public final class TestPacket {
  public static final int FIN = 1;
  public static final int SYN = 2;
  public static final int RST = 4;
  public static final int ACK = 16;

  private final boolean outbound;
  private int sequence;
  private int acknowledgment;
  private int flags = ACK;
  private int window = 1_000;
  private int payload;
  private int nearPort = 1_000;
  private boolean v6;
  private byte[] options = {};

  private TestPacket(boolean outbound) {
    this.outbound = outbound;
  }

  /** A packet from the near end to the far one. */
  public static TestPacket outbound() {
    return new TestPacket(true);
  }

  /** A packet from the far end to the near one. */
  public static TestPacket inbound() {
    return new TestPacket(false);
  }

  public TestPacket sequence(int number) {
    sequence = number;
    return this;
  }

  public TestPacket acknowledgment(int number) {
    acknowledgment = number;
    return this;
  }

  public TestPacket flags(int set) {
    flags = set;
    return this;
  }

  public TestPacket window(int unscaled) {
    window = unscaled;
    return this;
  }

  public TestPacket payload(int octets) {
    payload = octets;
    return this;
  }

  public TestPacket nearPort(int port) {
    nearPort = port;
    return this;
  }

  public TestPacket v6() {
    v6 = true;
    return this;
  }

  /** Options as they stand in the header, padded by the caller to a multiple of 4. */
  public TestPacket options(int... bytes) {
    options = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      options[i] = (byte) bytes[i];
    }
    return this;
  }

  /** Two no-operations and a SACK option. */
  public TestPacket sack(int... edges) {
    List<Integer> bytes = new ArrayList<>(List.of(1, 1, 5, 2 + 4 * edges.length));
    for (int edge : edges) {
      for (int shift = 24; shift >= 0; shift -= 8) {
        bytes.add(edge >>> shift & 0xff);
      }
    }
    return options(bytes.stream().mapToInt(Integer::intValue).toArray());
  }

  public byte[] bytes() {
    int header = v6 ? 40 : 20;
    int tcp = 20 + options.length + payload;
    ByteBuffer to = ByteBuffer.allocate(header + tcp);
    byte[] near = v6 ? new byte[] {0x20, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1} : ip(1);
    byte[] far = v6 ? new byte[] {0x20, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2} : ip(2);
    if (v6) {
      to.putInt(6 << 28).putShort((short) tcp).put((byte) 6).put((byte) 64);
    } else {
      to.put((byte) 0x45).put((byte) 0).putShort((short) (header + tcp)).putInt(0x4000);
      to.put((byte) 64).put((byte) 6).putShort((short) 0);
    }
    to.put(outbound ? near : far).put(outbound ? far : near);
    to.putShort((short) (outbound ? nearPort : 80)).putShort((short) (outbound ? 80 : nearPort));
    to.putInt(sequence).putInt(acknowledgment);
    to.putShort((short) ((5 + options.length / 4) << 12 | flags)).putShort((short) window);
    to.putInt(0).put(options);
    while (to.hasRemaining()) {
      to.put((byte) to.position());
    }
    byte[] bytes = to.array();
    if (!v6) {
      to.putShort(10, (short) InternetChecksum.of(InternetChecksum.sum(bytes, 0, 20, 0)));
    }
    long pseudo = InternetChecksum.sum(bytes, v6 ? 8 : 12, header, 6L + tcp);
    long sum = InternetChecksum.sum(bytes, header, bytes.length, pseudo);
    to.putShort(header + 16, (short) InternetChecksum.of(sum));
    return bytes;
  }

  private static byte[] ip(int last) {
    return new byte[] {10, 0, 0, (byte) last};
  }

  public TcpPacket packet() {
    byte[] bytes = bytes();
    return (TcpPacket) PacketParser.parse(bytes, bytes.length);
  }
}
