package io.cascade.relay.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.orchestrator.LinkMeasurement;
import io.cascade.api.orchestrator.RelayPeer;
import io.cascade.relay.admission.KnownPeers;
import io.cascade.relay.destination.AddressRefusal;
import io.cascade.relay.destination.AddressRule;
import java.io.IOException;
import java.net.BindException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LinkProbesTest {
  private static final KnownPeers KNOWN = new KnownPeers();

  @Test
  void twoRelaysMeasureEachOtherFromOnePortEach() throws IOException {
    try (LinkProbes a = open(0);
        LinkProbes b = open(0)) {
      a.peers(List.of(peer("b", b)), Duration.ZERO);
      b.peers(List.of(peer("a", a)), Duration.ZERO);
      await().untilAsserted(() -> assertThat(measuredBy(a)).hasSize(1));
      await()
          .untilAsserted(() -> assertThat(measuredBy(a).getFirst().received()).isGreaterThan(10));
      await()
          .untilAsserted(() -> assertThat(measuredBy(b).getFirst().received()).isGreaterThan(10));
      LinkMeasurement link = measuredBy(a).getFirst();
      assertThat(link.peer()).isEqualTo("b");
      assertThat(link.lost()).isZero();
      assertThat(link.returnLost()).isZero();
      assertThat(link.sent()).isEqualTo(link.received());
      assertThat(link.minRttMillis()).isBetween(0.001, 50.0);
      assertThat(link.smoothedRttMillis()).isGreaterThanOrEqualTo(link.minRttMillis());
      assertThat(link.jitterMillis()).isNotNegative();
      assertThat(a.stray()).isZero();
      assertThat(a.malformed()).isZero();
    }
  }

  @Test
  void resolvesNamesAndLeavesOutThoseThatDoNotResolve() throws IOException {
    try (LinkProbes a = open(0);
        LinkProbes b = open(0)) {
      a.peers(
          List.of(
              new RelayPeer("nowhere", "no-such-host.invalid", 7411),
              new RelayPeer("b", "localhost", b.address().getPort())),
          Duration.ZERO);
      await().untilAsserted(() -> assertThat(measuredBy(a)).hasSize(1));
      assertThat(measuredBy(a).getFirst().peer()).isEqualTo("b");
    }
  }

  @Test
  void declaresAPeerThatIsAwayAsLost() throws IOException {
    try (LinkProbes a = open(0)) {
      int unused;
      try (LinkProbes gone = open(0)) {
        unused = gone.address().getPort();
      }
      a.peers(List.of(new RelayPeer("gone", "127.0.0.1", unused)), Duration.ZERO);
      await().untilAsserted(() -> assertThat(measuredBy(a)).isNotEmpty());
      LinkMeasurement link = measuredBy(a).getFirst();
      assertThat(link.received()).isZero();
      assertThat(link.lost()).isEqualTo(link.sent()).isPositive();
      assertThat(link.minRttMillis()).isNull();
    }
  }

  @Test
  void dropsAndCountsWhatIsNoProbe() throws IOException {
    try (LinkProbes a = open(0);
        DatagramSocket stranger = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      for (int length : new int[] {0, 1, 43, 45, 44, 9_000}) {
        stranger.send(new DatagramPacket(new byte[length], length, a.address()));
      }
      await().untilAsserted(() -> assertThat(a.malformed()).isEqualTo(6));
    }
  }

  @Test
  void countsAnswersThatNobodyWaitsFor() throws IOException {
    try (LinkProbes a = open(0);
        DatagramSocket stranger = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      ByteBuffer forged = ByteBuffer.allocate(StampPacket.LENGTH);
      new StampPacket.Reflected(1, 1, (short) 1, (short) 1, 1, 1, 1, (short) 1).writeTo(forged);
      stranger.send(new DatagramPacket(forged.array(), StampPacket.LENGTH, a.address()));
      await().untilAsserted(() -> assertThat(a.stray()).isEqualTo(1));
    }
  }

  @Test
  void answersOnAfterAnErrorOfWhoeverSharesThePort() throws IOException {
    AtomicInteger errors = new AtomicInteger();
    try (LinkProbes a =
            open(
                0,
                (_, _, _) -> {
                  if (errors.getAndIncrement() == 0) {
                    throw new OutOfMemoryError("for a moment");
                  }
                  return false;
                });
        LinkProbes b = open(0)) {
      b.peers(List.of(peer("a", a)), Duration.ZERO);
      await().untilAsserted(() -> assertThat(received(b)).isPositive());
    }
  }

  @Test
  void opensOnNoPortThatIsTaken() throws IOException {
    try (LinkProbes a = open(0)) {
      assertThatThrownBy(() -> open(a.address().getPort()))
          .isInstanceOf(BindException.class)
          .hasMessageContaining("UDP port");
    }
  }

  @Test
  void peersThatAreMeasuredAreKnown() throws IOException {
    try (LinkProbes a = open(0)) {
      a.peers(List.of(new RelayPeer("b", "127.0.0.9", 7411)), Duration.ZERO);
      await().until(() -> KNOWN.knows(InetAddress.ofLiteral("127.0.0.9")));
    }
  }

  /** Or a relay that says it is there has others send to what is around them. */
  @Test
  void aPeerWhereNoHopMayLeadIsNeitherProbedNorKnown() throws IOException {
    InetAddress forbidden = InetAddress.ofLiteral("127.0.0.8");
    AddressRule rule =
        (address, port) ->
            address.equals(forbidden)
                ? new AddressRefusal(address + ":" + port, "not allowed", null)
                : null;
    try (DatagramChannel there = DatagramChannel.open();
        LinkProbes a = open(0, LinkProbes.Others.NONE, rule);
        LinkProbes b = open(0)) {
      there.bind(new InetSocketAddress(forbidden, 0)).configureBlocking(false);
      int port = there.socket().getLocalPort();
      a.peers(
          List.of(new RelayPeer("there", forbidden.getHostAddress(), port), peer("b", b)),
          Duration.ZERO);

      await().until(() -> received(a) > 10);

      assertThat(measuredBy(a)).extracting(LinkMeasurement::peer).containsExactly("b");
      assertThat(KNOWN.knows(forbidden)).isFalse();
      assertThat(there.receive(ByteBuffer.allocate(64))).isNull();
    }
  }

  private static List<LinkMeasurement> measuredBy(LinkProbes probes) {
    return probes.drain().links();
  }

  private static RelayPeer peer(String name, LinkProbes probes) {
    return new RelayPeer(name, "127.0.0.1", probes.address().getPort());
  }

  private static long received(LinkProbes probes) {
    return measuredBy(probes).stream().mapToLong(LinkMeasurement::received).sum();
  }

  private static LinkProbes open(int port) throws IOException {
    return open(port, LinkProbes.Others.NONE);
  }

  private static LinkProbes open(int port, LinkProbes.Others others) throws IOException {
    return open(port, others, (_, _) -> null);
  }

  private static LinkProbes open(int port, LinkProbes.Others others, AddressRule hops)
      throws IOException {
    return LinkProbes.open(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
        false,
        others,
        hops,
        KNOWN,
        System::nanoTime,
        InstantSource.system(),
        new SplittableRandom(port));
  }
}
