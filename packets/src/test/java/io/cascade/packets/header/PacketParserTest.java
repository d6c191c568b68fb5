package io.cascade.packets.header;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.packets.header.OtherPacket.Why;
import io.cascade.packets.header.TcpOptions.SackBlock;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PacketParserTest {
  /** A SYN of a Linux host, with MSS 1460, SACK permitted, timestamps, window scale 10. */
  private static final byte[] SYN =
      HexFormat.of()
          .parseHex(
              "4500003c1c4640004006b1e6c0a80068c0a80001"
                  + "a0be0050deadbeef00000000a002faf0e3970000"
                  + "020405b40402080a00112233000000000103030a");

  @Test
  void readsASyn() {
    TcpPacket syn = (TcpPacket) PacketParser.parse(SYN, SYN.length);

    assertThat(syn.source()).hasToString("192.168.0.104");
    assertThat(syn.destination()).hasToString("192.168.0.1");
    assertThat(syn.sourcePort()).isEqualTo(0xa0be);
    assertThat(syn.destinationPort()).isEqualTo(80);
    assertThat(syn.sequence()).isEqualTo(0xdeadbeef);
    assertThat(syn.endSequence()).isEqualTo(0xdeadbef0);
    assertThat(syn.syn()).isTrue();
    assertThat(syn.ack() || syn.fin() || syn.rst()).isFalse();
    assertThat(syn.window()).isEqualTo(64_240);
    assertThat(syn.payloadLength()).isZero();
    assertThat(syn.options().sackPermitted()).isTrue();
    assertThat(syn.options().sackBlocks()).isEmpty();
  }

  @Test
  void readsDataOfBothVersions() {
    for (TestPacket form : new TestPacket[] {TestPacket.outbound(), TestPacket.outbound().v6()}) {
      TcpPacket data =
          form.sequence(-3).acknowledgment(7).payload(5).sack(100, 200, 300, 400).packet();

      assertThat(data.payloadLength()).isEqualTo(5);
      assertThat(data.endSequence()).isEqualTo(2);
      assertThat(data.acknowledgment()).isEqualTo(7);
      assertThat(data.options().sackBlocks())
          .containsExactly(new SackBlock(100, 200), new SackBlock(300, 400));
      assertThat(data.checksumsHold()).isTrue();
      assertThat(data.isPureAck()).isFalse();
    }
    assertThat(TestPacket.inbound().packet().isPureAck()).isTrue();
  }

  @Test
  void leavesOutWhatIsBehindThePacket() {
    byte[] padded = Arrays.copyOf(SYN, SYN.length + 6);

    assertThat(PacketParser.parse(padded, padded.length).bytes()).isEqualTo(SYN);
  }

  @Test
  void saysWhyItIsNoTcpPacket() {
    assertThat(why(new byte[0])).isEqualTo(Why.NO_IP_HEADER);
    assertThat(why(new byte[] {0x45, 0, 0})).isEqualTo(Why.NO_IP_HEADER);
    assertThat(why(changed(0, 0x35))).isEqualTo(Why.NO_IP_HEADER);
    assertThat(why(changed(0, 0x44))).isEqualTo(Why.NO_IP_HEADER);
    assertThat(why(changed(3, 0x0f))).isEqualTo(Why.NO_IP_HEADER);
    assertThat(why(changed(3, 0x3d))).isEqualTo(Why.TRUNCATED);
    assertThat(why(changed(6, 0x20))).isEqualTo(Why.FRAGMENT);
    assertThat(why(changed(7, 0x01))).isEqualTo(Why.FRAGMENT);
    assertThat(why(changed(9, 17))).isEqualTo(Why.NOT_TCP);
    assertThat(why(changed(32, 0x40))).isEqualTo(Why.BAD_TCP_HEADER);
    assertThat(why(changed(32, 0xb0))).isEqualTo(Why.BAD_TCP_HEADER);
  }

  @Test
  void findsTcpBehindExtensionHeaders() {
    byte[] plain = TestPacket.outbound().v6().payload(4).bytes();
    byte[] extended = new byte[plain.length + 16];
    System.arraycopy(plain, 0, extended, 0, 40);
    System.arraycopy(plain, 40, extended, 56, plain.length - 40);
    extended[5] = (byte) (extended[5] + 16);
    extended[6] = 0; // hop-by-hop, then destination options, then TCP
    extended[40] = 60;
    extended[48] = 6;

    TcpPacket found = (TcpPacket) PacketParser.parse(extended, extended.length);
    assertThat(found.destinationPort()).isEqualTo(80);
    assertThat(found.payloadLength()).isEqualTo(4);
    assertThat(found.checksumsHold()).isTrue();

    extended[48] = 44;
    assertThat(why(extended)).isEqualTo(Why.FRAGMENT);
    extended[49] = (byte) 255; // longer than the packet
    extended[48] = 60;
    assertThat(why(extended)).isEqualTo(Why.NOT_TCP);
  }

  @Test
  void malformedOptionsEndTheOptions() {
    assertThat(options(1, 1, 5, 0).sackBlocks()).isEmpty();
    assertThat(options(5, 1, 0, 0).sackBlocks()).isEmpty();
    assertThat(options(5, 200, 0, 0).sackBlocks()).isEmpty();
    assertThat(options(0, 4, 2, 0).sackPermitted()).isFalse();
    assertThat(options(1, 1, 1, 5).sackBlocks()).isEmpty();
    assertThat(options(4, 2, 1, 5).sackPermitted()).isTrue();
    assertThat(options(5, 4, 9, 9).sackBlocks()).isEmpty();
  }

  /** No bytes whatever make it fail, and what it calls TCP can be read and rewritten. */
  @Test
  void noBytesMakeItFail() {
    SplittableRandom random = new SplittableRandom(1);
    byte[][] seeds = {
      SYN,
      TestPacket.outbound().payload(40).sack(1, 2, 3, 4).bytes(),
      TestPacket.inbound().v6().sack(1, 2).bytes()
    };
    int tcp = 0;
    for (int i = 0; i < 200_000; i++) {
      byte[] bytes = seeds[i % seeds.length].clone();
      for (int changes = random.nextInt(6); changes > 0; changes--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      int length = random.nextInt(4) == 0 ? random.nextInt(bytes.length + 1) : bytes.length;
      if (PacketParser.parse(bytes, length) instanceof TcpPacket packet) {
        tcp++;
        assertThat(packet.payloadLength()).isBetween(0, length);
        assertThat(packet.toString()).isNotEmpty();
        boolean held = packet.checksumsHold();
        TcpPacket edited =
            TcpRewrite.of(packet)
                .clampMaximumSegmentSize(500)
                .sackBlocks(packet.options().sackBlocks().stream().limit(1).toList())
                .packet();
        assertThat(edited.checksumsHold()).isEqualTo(held);
      }
    }
    assertThat(tcp).isBetween(50_000, 190_000);
  }

  private static Why why(byte[] bytes) {
    return ((OtherPacket) PacketParser.parse(bytes, bytes.length)).why();
  }

  private static byte[] changed(int at, int value) {
    byte[] bytes = SYN.clone();
    bytes[at] = (byte) value;
    return bytes;
  }

  private static TcpOptions options(int... bytes) {
    return TestPacket.outbound().options(bytes).packet().options();
  }
}
