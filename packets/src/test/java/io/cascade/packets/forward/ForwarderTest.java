package io.cascade.packets.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.packets.forward.RouteTable.Route;
import io.cascade.packets.header.InternetChecksum;
import io.cascade.packets.header.IpPrefix;
import io.cascade.packets.header.PacketParser;
import io.cascade.packets.header.TcpPacket;
import io.cascade.packets.header.TestPacket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A gateway 10.9.0.9 with links 1 to 10.1/16 and 2 to 10.2/16, with and without a local side. */
class ForwarderTest {
  private static final int NEAR = 1;
  private static final int FAR = 2;
  private static final RouteTable ROUTES =
      new RouteTable(
          List.of(
              route("10.1.0.0", 16, NEAR),
              route("10.2.0.0", 16, FAR),
              route("10.2.7.0", 24, NEAR)));

  private final List<Sent> sent = new ArrayList<>();

  private record Sent(int port, IpPacket packet) {}

  @Test
  void theLongestPrefixLeads() {
    assertThat(ROUTES.find(TestIp.address("10.2.7.1"))).isEqualTo(NEAR);
    assertThat(ROUTES.find(TestIp.address("10.2.8.1"))).isEqualTo(FAR);
    assertThat(ROUTES.find(TestIp.address("10.3.0.1"))).isEqualTo(RouteTable.NONE);
  }

  @Test
  void countsAHopBetweenLinks() {
    between().arrived(NEAR, TestIp.udp("10.1.0.1", "10.2.0.1", 40).bytes(), 40, 0);

    assertThat(sent).hasSize(1);
    assertThat(sent.getFirst().port()).isEqualTo(FAR);
    assertThat(sent.getFirst().packet().hopLimit()).isEqualTo(63);
  }

  @Test
  void theKernelCountsHopsAtTheLocalSide() {
    Forwarder forwarder = border();
    forwarder.arrived(Forwarder.LOCAL, TestIp.udp("10.5.0.1", "10.2.0.1", 40).bytes(), 40, 0);
    forwarder.arrived(FAR, TestIp.udp("10.2.0.1", "10.5.0.1", 40).bytes(), 40, 0);

    assertThat(sent).extracting(Sent::port).containsExactly(FAR, Forwarder.LOCAL);
    assertThat(sent).allMatch(each -> each.packet().hopLimit() == 64);
  }

  @Test
  void aSourceThatBelongsElsewhereIsDropped() {
    Forwarder forwarder = border();
    forwarder.arrived(FAR, TestIp.udp("10.1.0.1", "10.5.0.1", 40).bytes(), 40, 0);
    forwarder.arrived(FAR, TestIp.udp("192.0.2.1", "10.5.0.1", 40).bytes(), 40, 0);
    forwarder.arrived(FAR, TestIp.udp("10.9.0.9", "10.5.0.1", 40).bytes(), 40, 0);
    forwarder.arrived(Forwarder.LOCAL, TestIp.udp("10.2.0.1", "10.1.0.1", 40).bytes(), 40, 0);

    assertThat(sent).isEmpty();
    assertThat(forwarder.counts().spoofed()).isEqualTo(4);
  }

  @Test
  void nothingGoesBackWhereItCameFrom() {
    Forwarder forwarder = between();
    forwarder.arrived(NEAR, TestIp.udp("10.1.0.1", "10.2.7.1", 40).bytes(), 40, 0);

    assertThat(sent).isEmpty();
    assertThat(forwarder.counts().loops()).isEqualTo(1);
  }

  @Test
  void aUsedUpPacketIsAnswered() {
    between().arrived(NEAR, TestIp.udp("10.1.0.1", "10.2.0.1", 60).hops(1).bytes(), 60, 0);

    IpPacket answer = answer(NEAR);
    assertThat(answer.bytes()[20]).as("time exceeded").isEqualTo((byte) 11);
    assertThat(answer.length()).isEqualTo(20 + 8 + 60);
  }

  @Test
  void aPacketTooBigIsAnsweredWithTheMtu() {
    byte[] big = TestIp.udp("10.1.0.1", "10.2.0.1", 1_300).mustNotBeFragmented().bytes();
    between().arrived(NEAR, big, big.length, 0);

    IpPacket answer = answer(NEAR);
    assertThat(answer.bytes()[20]).isEqualTo((byte) 3);
    assertThat(answer.bytes()[21]).isEqualTo((byte) 4);
    assertThat(IpPacket.word(answer.bytes(), 26)).isEqualTo(1_200);
  }

  @Test
  void whatHasNoRouteIsAnswered() {
    between().arrived(NEAR, TestIp.udp("10.1.0.1", "10.3.0.1", 40).bytes(), 40, 0);

    assertThat(answer(NEAR).bytes()[20]).as("unreachable").isEqualTo((byte) 3);
  }

  @Test
  void errorsAndLaterFragmentsAreNotAnswered() {
    Forwarder forwarder = between();
    TestIp error = TestIp.udp("10.1.0.1", "10.2.0.1", 60).hops(1).set(9, 1).set(20, 11);
    forwarder.arrived(NEAR, error.bytes(), 60, 0);
    TestIp fragment = TestIp.udp("10.1.0.1", "10.2.0.1", 60).hops(1).set(7, 5);
    forwarder.arrived(NEAR, fragment.bytes(), 60, 0);

    assertThat(sent).isEmpty();
    assertThat(forwarder.counts().expired()).isEqualTo(2);
  }

  @Test
  void answersAreBounded() {
    Forwarder forwarder = between();
    byte[] used = TestIp.udp("10.1.0.1", "10.2.0.1", 60).hops(1).bytes();
    for (int i = 0; i < 1_000; i++) {
      forwarder.arrived(NEAR, used, 60, 0);
    }
    assertThat(sent).hasSize(Forwarder.ANSWERS_A_SECOND);
    forwarder.arrived(NEAR, used, 60, 10_000_000);
    assertThat(sent).hasSize(Forwarder.ANSWERS_A_SECOND + 1);
  }

  @Test
  void whatIsForTheGatewayGoesToItsKernel() {
    border().arrived(FAR, TestIp.udp("10.2.0.1", "10.9.0.9", 40).bytes(), 40, 0);

    assertThat(sent.getFirst().port()).isEqualTo(Forwarder.LOCAL);
  }

  @Test
  void segmentsAreClampedToTheWay() {
    RouteTable routes = new RouteTable(List.of(route("10.0.0.2", 32, FAR)));
    Forwarder forwarder = forwarder(routes, true);
    byte[] syn = TestPacket.outbound().flags(TestPacket.SYN).options(2, 4, 5, 180).bytes();
    forwarder.arrived(Forwarder.LOCAL, syn, syn.length, 0);

    TcpPacket clamped =
        (TcpPacket) PacketParser.parse(sent.getFirst().packet().bytes(), syn.length);
    assertThat(IpPacket.word(clamped.bytes(), 42)).isEqualTo(1_160);
    assertThat(clamped.checksumsHold()).isTrue();
  }

  private IpPacket answer(int port) {
    assertThat(sent).hasSize(1);
    assertThat(sent.getFirst().port()).isEqualTo(port);
    IpPacket answer = sent.getFirst().packet();
    assertThat(answer.source()).hasToString("10.9.0.9");
    assertThat(InternetChecksum.of(InternetChecksum.sum(answer.bytes(), 20, answer.length(), 0)))
        .isZero();
    return answer;
  }

  private Forwarder between() {
    return forwarder(ROUTES, false);
  }

  private Forwarder border() {
    return forwarder(ROUTES, true);
  }

  private Forwarder forwarder(RouteTable routes, boolean hasLocal) {
    return new Forwarder(
        new ForwarderSettings(routes, hasLocal, List.of(TestIp.address("10.9.0.9")), true),
        new Forwarder.Ports() {
          @Override
          public void send(int port, IpPacket packet) {
            sent.add(new Sent(port, packet));
          }

          @Override
          public int mtu(int port) {
            return port == FAR ? 1_200 : 1_400;
          }
        });
  }

  private static Route route(String address, int length, int port) {
    return new Route(new IpPrefix(TestIp.address(address), length), port);
  }
}
