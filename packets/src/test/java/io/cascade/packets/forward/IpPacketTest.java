package io.cascade.packets.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.packets.header.InternetChecksum;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class IpPacketTest {
  @Test
  void readsAPacketWithoutWhatStandsBehindIt() {
    byte[] buffer = Arrays.copyOf(TestIp.udp("10.1.0.1", "10.2.0.1", 40).bytes(), 64);

    IpPacket packet = read(buffer);
    assertThat(packet.length()).isEqualTo(40);
    assertThat(packet.source()).hasToString("10.1.0.1");
    assertThat(packet.destination()).hasToString("10.2.0.1");
    assertThat(packet.hopLimit()).isEqualTo(64);
  }

  @Test
  void whatNoRouterMayForwardIsNotRead() {
    assertRefused(TestIp.udp("10.1.0.1", "10.2.0.1", 40).set(0, 0x55).bytes(), "version 5");
    assertRefused(TestIp.udp("10.1.0.1", "10.2.0.1", 40).set(0, 0x44).bytes(), "16 byte header");
    assertRefused(TestIp.udp("10.1.0.1", "10.2.0.1", 40).set(3, 41).bytes(), "longer than it is");
    assertRefused(TestIp.udp("10.1.0.1", "10.2.0.1", 40).set(3, 19).bytes(), "below its header");
    assertRefused(TestIp.udp("10.1.0.1", "10.1.0.1", 40).bytes(), "land attack");
    assertRefused(TestIp.udp("127.0.0.1", "10.2.0.1", 40).bytes(), "loopback source");
    assertRefused(TestIp.udp("0.0.0.0", "10.2.0.1", 40).bytes(), "no source");
    assertRefused(TestIp.udp("224.0.0.1", "10.2.0.1", 40).bytes(), "a group as source");
    byte[] damaged = TestIp.udp("10.1.0.1", "10.2.0.1", 40).bytes();
    damaged[8]--;
    assertRefused(damaged, "wrong checksum");
    assertThat(IpPacket.read(new byte[0], 0)).isNull();
  }

  @Test
  void noBytesMakeItFail() {
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 200_000; i++) {
      byte[] bytes = new byte[random.nextInt(1, 90)];
      random.nextBytes(bytes);
      bytes[0] = (byte) (random.nextBoolean() ? 0x45 : 0x60);
      if (bytes[0] == 0x60 && bytes.length > 5) {
        bytes[4] = 0;
      }
      IpPacket packet = IpPacket.read(bytes, bytes.length);
      if (packet != null) {
        packet.flowHash(i);
        IcmpError.timeExceeded(packet, TestIp.address("10.0.0.1"));
      }
    }
  }

  @Test
  void aHopAndAMarkKeepTheChecksumRight() {
    IpPacket packet = TestIp.udp("10.1.0.1", "10.2.0.1", 40).ecn(2).packet();
    packet.countHop();
    packet.markCongestion();

    assertThat(packet.hopLimit()).isEqualTo(63);
    assertThat(packet.bytes()[1] & 3).isEqualTo(3);
    assertThat(InternetChecksum.of(InternetChecksum.sum(packet.bytes(), 0, 20, 0))).isZero();
  }

  @Test
  void aFlowIsOfAddressesAndPorts() {
    int hash = TestIp.udp("10.1.0.1", "10.2.0.1", 40).ports(7, 9).packet().flowHash(1);

    assertThat(TestIp.udp("10.1.0.1", "10.2.0.1", 80).ports(7, 9).packet().flowHash(1))
        .isEqualTo(hash);
    assertThat(TestIp.udp("10.1.0.1", "10.2.0.1", 40).ports(8, 9).packet().flowHash(1))
        .isNotEqualTo(hash);
    assertThat(TestIp.udp("10.1.0.1", "10.2.0.1", 40).ports(7, 9).packet().flowHash(2))
        .isNotEqualTo(hash);
  }

  private static IpPacket read(byte[] bytes) {
    IpPacket packet = IpPacket.read(bytes, bytes.length);
    assertThat(packet).isNotNull();
    return java.util.Objects.requireNonNull(packet);
  }

  private static void assertRefused(byte[] bytes, String why) {
    assertThat(IpPacket.read(bytes, bytes.length)).as(why).isNull();
  }
}
