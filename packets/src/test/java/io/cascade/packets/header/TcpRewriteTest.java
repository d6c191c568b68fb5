package io.cascade.packets.header;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.packets.header.TcpOptions.SackBlock;
import java.util.List;
import org.junit.jupiter.api.Test;

class TcpRewriteTest {
  @Test
  void damagedSegmentsStayDamaged() {
    byte[] bytes = TestPacket.inbound().sack(10, 20).payload(7).bytes();
    bytes[bytes.length - 1] ^= 1;
    TcpPacket damaged = (TcpPacket) PacketParser.parse(bytes, bytes.length);

    assertThat(damaged.checksumsHold()).isFalse();
    assertThat(TcpRewrite.of(damaged).sackBlocks(List.of()).packet().checksumsHold()).isFalse();
  }

  @Test
  void clampsTheSegmentSizeOfASynWhereverTheOptionStands() {
    TcpPacket even = syn(2, 4, 5, 0xb4);
    TcpPacket odd = syn(1, 2, 4, 5, 0xb4, 0, 0, 0);

    for (TcpPacket packet : List.of(even, odd)) {
      TcpPacket clamped = TcpRewrite.of(packet).clampMaximumSegmentSize(1_400).packet();
      assertThat(clamped.checksumsHold()).isTrue();
      assertThat(clamped.bytes()).isNotEqualTo(packet.bytes());
      assertThat(TcpRewrite.of(clamped).clampMaximumSegmentSize(1_400).packet().bytes())
          .isEqualTo(clamped.bytes());
      assertThat(TcpRewrite.of(packet).clampMaximumSegmentSize(1_460).packet().bytes())
          .isEqualTo(packet.bytes());
    }
  }

  @Test
  void replacesAndRemovesSackBlocks() {
    TcpPacket packet = TestPacket.inbound().sack(10, 20, 30, 40, 50, 60).packet();

    TcpPacket fewer = TcpRewrite.of(packet).sackBlocks(List.of(new SackBlock(1, 2))).packet();
    TcpPacket none = TcpRewrite.of(packet).sackBlocks(List.of()).packet();

    assertThat(fewer.options().sackBlocks()).containsExactly(new SackBlock(1, 2));
    assertThat(none.options().sackBlocks()).isEmpty();
    assertThat(List.of(fewer, none)).allMatch(TcpPacket::checksumsHold);
    assertThat(fewer.bytes()).hasSameSizeAs(packet.bytes());
    assertThat(none.isPureAck()).isTrue();
  }

  private static TcpPacket syn(int... options) {
    return TestPacket.outbound().flags(TestPacket.SYN).options(options).packet();
  }
}
