package io.cascade.packets.forward;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.packets.header.InternetChecksum;
import io.cascade.packets.header.IpPrefix;
import io.cascade.packets.header.PacketParser;
import io.cascade.packets.header.TcpPacket;
import io.cascade.packets.header.TestPacket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
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
  private int down = -1;

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

  /** A gateway in the middle has an address that is behind no route. */
  @Test
  void anErrorOfARouterOnTheWayIsTaken() {
    Forwarder forwarder = border();
    IpPacket big = TestIp.udp("10.5.0.1", "10.2.0.1", 1_000).packet();
    byte[] error = requireNonNull(IcmpError.tooBig(big, TestIp.address("10.3.0.1"), 900));
    forwarder.arrived(FAR, error, error.length, 0);
    assertThat(sent).extracting(Sent::port).containsExactly(Forwarder.LOCAL);

    forwarder.arrived(NEAR, error, error.length, 0);
    assertThat(forwarder.counts().spoofed()).as("it did not go by that link").isEqualTo(1);
  }

  @Test
  void anErrorFromAnAddressOfItsOwnIsDropped() {
    Forwarder forwarder = border();
    IpPacket big = TestIp.udp("10.5.0.1", "10.2.0.1", 1_000).packet();
    byte[] error = requireNonNull(IcmpError.tooBig(big, TestIp.address("10.9.0.9"), 900));
    forwarder.arrived(FAR, error, error.length, 0);

    assertThat(sent).isEmpty();
    assertThat(forwarder.counts().spoofed()).isEqualTo(1);
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
  void aPacketTooBigThatMayBeFragmentedIsCut() {
    byte[] big = TestIp.udp("10.1.0.1", "10.2.0.1", 1_400).bytes();
    for (int i = 20; i < big.length; i++) {
      big[i] = (byte) i;
    }
    Forwarder forwarder = between();
    forwarder.arrived(NEAR, big.clone(), big.length, 0);

    assertThat(sent).hasSize(2).allMatch(each -> each.port() == FAR);
    byte[] first = sent.getFirst().packet().bytes();
    byte[] second = sent.getLast().packet().bytes();
    assertThat(first).hasSize(20 + 1_176);
    assertThat(IpPacket.word(first, 6)).as("more fragments").isEqualTo(0x2000);
    assertThat(IpPacket.word(second, 6)).as("offset").isEqualTo(1_176 / 8);
    assertThat(Arrays.copyOfRange(first, 20, first.length))
        .isEqualTo(Arrays.copyOfRange(big, 20, 20 + 1_176));
    assertThat(Arrays.copyOfRange(second, 20, second.length))
        .isEqualTo(Arrays.copyOfRange(big, 20 + 1_176, big.length));
    assertThat(forwarder.counts().fragmented()).isEqualTo(1);
    assertThat(forwarder.counts().tooBig()).isZero();
  }

  @Test
  void aFragmentThatIsCutKeepsItsPlace() {
    TestIp middle = TestIp.udp("10.1.0.1", "10.2.0.1", 1_300).set(6, 0x20).set(7, 100);
    between().arrived(NEAR, middle.bytes(), 1_300, 0);

    assertThat(IpPacket.word(sent.getFirst().packet().bytes(), 6)).isEqualTo(0x2000 | 100);
    assertThat(IpPacket.word(sent.getLast().packet().bytes(), 6))
        .as("not the last one")
        .isEqualTo(0x2000 | (100 + 1_176 / 8));
  }

  /** Router alert (148) is copied into every fragment, record route (7) is not. */
  @Test
  void laterFragmentsHaveTheOptionsThatAreToBeCopied() {
    TestIp packet = TestIp.udp("10.1.0.1", "10.2.0.1", 1_300).set(0, 0x48).set(20, 7).set(21, 7);
    packet.set(22, 4).set(27, 148).set(28, 4);
    byte[] bytes = packet.bytes();
    bytes[10] = 0;
    bytes[11] = 0;
    int checksum = InternetChecksum.of(InternetChecksum.sum(bytes, 0, 32, 0));
    bytes[10] = (byte) (checksum >>> 8);
    bytes[11] = (byte) checksum;
    between().arrived(NEAR, bytes, bytes.length, 0);

    assertThat(sent).hasSize(2);
    byte[] second = sent.getLast().packet().bytes();
    assertThat(second[0]).isEqualTo((byte) 0x46);
    assertThat(Arrays.copyOfRange(second, 20, 24)).isEqualTo(new byte[] {(byte) 148, 4, 0, 0});
    assertThat(second).hasSize(24 + 1_300 - 32 - 1_168);
  }

  @Test
  void whatHasNoRouteIsAnswered() {
    between().arrived(NEAR, TestIp.udp("10.1.0.1", "10.3.0.1", 40).bytes(), 40, 0);

    assertThat(answer(NEAR).bytes()[20]).as("unreachable").isEqualTo((byte) 3);
  }

  /** A host that hears it tries another address, or says what is wrong. */
  @Test
  void whatIsForALinkThatIsDownIsAnswered() {
    down = FAR;
    Forwarder forwarder = between();
    forwarder.arrived(NEAR, TestIp.udp("10.1.0.1", "10.2.0.1", 40).bytes(), 40, 0);

    byte[] answer = answer(NEAR).bytes();
    assertThat(Arrays.copyOfRange(answer, 20, 22))
        .as("host unreachable")
        .isEqualTo(new byte[] {3, 1});
    assertThat(forwarder.counts().noRoute()).isEqualTo(1);
    assertThat(forwarder.counts().forwarded()).isZero();
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

  /** Every packet has one fate, and what leaves is a packet that a router may forward. */
  @Test
  void packetsWithAnyBytesChangedAreForwardedOrCounted() {
    SplittableRandom random = new SplittableRandom(11);
    Forwarder forwarder = border();
    byte[] syn = TestPacket.outbound().flags(TestPacket.SYN).options(2, 4, 5, 180).bytes();
    int count = 50_000;
    for (int i = 0; i < count; i++) {
      byte[] bytes =
          i % 2 == 0 ? syn.clone() : TestIp.udp("10.5.0.1", "10.2.0.1", 60).bytes().clone();
      for (int changes = random.nextInt(1, 4); changes > 0; changes--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      if (random.nextBoolean()) {
        int checksum =
            InternetChecksum.of(
                InternetChecksum.sum(bytes, 0, 10, 0) + InternetChecksum.sum(bytes, 12, 20, 0));
        bytes[10] = (byte) (checksum >>> 8);
        bytes[11] = (byte) checksum;
      }
      forwarder.arrived(
          random.nextInt(FAR + 1), bytes, random.nextInt(bytes.length) + 1, i * 1_000_000L);
    }

    ForwardCounts counts = forwarder.counts();
    assertThat(
            counts.forwarded()
                + counts.malformed()
                + counts.spoofed()
                + counts.noRoute()
                + counts.loops()
                + counts.expired()
                + counts.tooBig())
        .isEqualTo(count);
    assertThat(counts.forwarded()).isPositive();
    assertThat(sent)
        .hasSize((int) (counts.forwarded() + counts.answered()))
        .allSatisfy(each ->
            assertThat(IpPacket.read(each.packet().bytes(), each.packet().length())).isNotNull());
  }

  @Test
  void fragmentsAndMarksGoOnAsTheyAre() {
    byte[] fragment = TestIp.udp("10.1.0.1", "10.2.0.1", 60).set(6, 0x20).set(7, 9).ecn(3).bytes();
    between().arrived(NEAR, fragment, fragment.length, 0);

    byte[] came = sent.getFirst().packet().bytes();
    assertThat(came[1]).as("congestion experienced").isEqualTo((byte) 3);
    assertThat(came[6]).as("more fragments").isEqualTo((byte) 0x20);
    assertThat(came[7]).isEqualTo((byte) 9);
  }

  @Test
  void otherRoutesHoldFromTheNextPacketOn() {
    Forwarder forwarder = between();
    byte[] packet = TestIp.udp("10.1.0.1", "10.2.0.1", 40).bytes();
    forwarder.route(new RouteTable(List.of(route("10.1.0.0", 16, NEAR))));
    forwarder.arrived(NEAR, packet, 40, 0);
    assertThat(forwarder.counts().noRoute()).isEqualTo(1);

    forwarder.route(ROUTES);
    forwarder.arrived(NEAR, packet, 40, 0);
    assertThat(forwarder.counts().forwarded()).isEqualTo(1);
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

          @Override
          public boolean isDown(int port) {
            return port == down;
          }
        });
  }

  private static RouteTable.Entry route(String address, int length, int port) {
    return new RouteTable.Entry(new IpPrefix(TestIp.address(address), length), port);
  }
}
