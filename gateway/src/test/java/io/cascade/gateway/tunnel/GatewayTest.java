package io.cascade.gateway.tunnel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.GatewayLinkOrder;
import io.cascade.command.CommandException;
import io.cascade.gateway.ip.IpCommand;
import io.cascade.testing.Golden;
import java.io.InputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two gateways over a path that takes whole packets. */
class GatewayTest extends GatewayNetworks {
  @ParameterizedTest
  @EnumSource(DeliveryMode.class)
  void packetsGoThroughInBothDirections(DeliveryMode deliveryMode) {
    near(deliveryMode);
    far(deliveryMode);

    assertPasses(0, 1, 100);
    assertPasses(1, 0, 1_400);
    assertThat(opened.getFirst().status().links().getFirst().state()).isEqualTo(LinkState.UP);
  }

  @Test
  void theGatewayAnswersByItsAddress() {
    near(DeliveryMode.DATAGRAM);
    far(DeliveryMode.DATAGRAM);

    awaitUp(0);
    sends(0, icmpEcho("10.1.0.2", "10.2.0.1"));
    byte[] answer = comes(0, 1);
    assertThat(answer[20]).as("echo reply").isZero();
  }

  @Test
  void aSourceFromElsewhereDoesNotEnterTheTunnel() {
    Gateway near = near(DeliveryMode.DATAGRAM);
    far(DeliveryMode.DATAGRAM);
    awaitUp(0);

    sends(0, udp("10.2.0.9", "10.2.0.2", 100));
    await().atMost(PATIENCE).until(() -> near.status().packets().spoofed() == 1);
    assertPasses(0, 1, 100);
  }

  @Test
  void whatIsTooLongIsAnsweredWithTheMtu() {
    near(DeliveryMode.DATAGRAM);
    far(DeliveryMode.DATAGRAM);
    awaitUp(0);

    byte[] big = udp("10.1.0.2", "10.2.0.2", 1_450);
    big[6] = 0x40;
    sends(0, checked(big));
    byte[] answer = comes(0, 1);
    assertThat(answer[20]).as("unreachable").isEqualTo((byte) 3);
    assertThat(answer[21]).as("fragmentation needed").isEqualTo((byte) 4);
    assertThat(ByteBuffer.wrap(answer).getShort(26)).isEqualTo((short) 1_400);
  }

  @Test
  void aFarGatewayThatVanishesAndReturnsCarriesOn() {
    Gateway near = near(DeliveryMode.DATAGRAM);
    Gateway far = far(DeliveryMode.DATAGRAM);
    assertPasses(0, 1, 100);

    vanishes(1, far);
    far(DeliveryMode.DATAGRAM);

    assertPasses(0, 1, 100);
    assertPasses(1, 0, 100);
    await().atMost(PATIENCE).until(() -> near.status().links().getFirst().sessions() >= 2);
  }

  @Test
  void aPeerWhosePortIsClosedStaysUnheardUntilItReturns() {
    Gateway near = near(DeliveryMode.DATAGRAM);
    Gateway far = far(DeliveryMode.DATAGRAM);
    assertPasses(0, 1, 100);

    vanishes(1, far);
    await()
        .atMost(PATIENCE)
        .until(() -> {
          sends(0, udp("10.1.0.2", "10.2.0.2", 100));
          return near.status().links().getFirst().state() == LinkState.UNHEARD;
        });
    for (int i = 0; i < 20; i++) {
      long before = near.status().packets().forwarded();
      sends(0, udp("10.1.0.2", "10.2.0.2", 100));
      await().atMost(PATIENCE).until(() -> near.status().packets().forwarded() > before);
      assertThat(near.status().links().getFirst().state()).isEqualTo(LinkState.UNHEARD);
    }

    far(DeliveryMode.DATAGRAM);
    assertPasses(0, 1, 100);
  }

  @Test
  void aDiallingGatewayThatVanishesAndReturnsCarriesOn() {
    Gateway near = near(DeliveryMode.DATAGRAM);
    Gateway far = far(DeliveryMode.DATAGRAM);
    assertPasses(0, 1, 100);

    vanishes(0, near);
    near(DeliveryMode.DATAGRAM);

    assertPasses(1, 0, 100);
    await().atMost(PATIENCE).until(() -> far.status().links().getFirst().sessions() >= 2);
  }

  @Test
  void anOutageEndsNothing() {
    Gateway near = near(DeliveryMode.DATAGRAM);
    far(DeliveryMode.DATAGRAM);
    assertPasses(0, 1, 100);

    inNetwork(1, () -> IpCommand.run(List.of("link set wan0 down")));
    await()
        .atMost(PATIENCE)
        .until(() -> near.status().links().getFirst().state() == LinkState.UNHEARD);
    inNetwork(1, () -> IpCommand.run(List.of("link set wan0 up")));

    assertPasses(0, 1, 100);
    await().atMost(PATIENCE).until(() -> near.status().links().getFirst().state() == LinkState.UP);
  }

  @Test
  void datagramsThatAreMadeUpAreCountedAndDoNothingElse() throws Exception {
    near(DeliveryMode.DATAGRAM);
    Gateway far = far(DeliveryMode.DATAGRAM);
    assertPasses(0, 1, 100);

    SplittableRandom random = new SplittableRandom(3);
    space(0)
        .call(() -> {
          try (DatagramSocket socket = new DatagramSocket()) {
            for (int i = 0; i < 500; i++) {
              byte[] bytes = new byte[random.nextInt(0, 1_400)];
              random.nextBytes(bytes);
              if (bytes.length > 0 && i % 2 == 0) {
                bytes[0] = 0x11;
              }
              socket.send(
                  new DatagramPacket(
                      bytes, bytes.length, InetAddress.getByName("192.0.2.2"), 7_800));
            }
          }
          return true;
        });

    await().atMost(PATIENCE).until(() -> far.status().refusedHandshakes() >= 20);
    assertPasses(0, 1, 100);
    assertThat(far.status().links().getFirst().sessions()).isEqualTo(1);
  }

  @Test
  void aKeyThatIsNotTheOtherEndsGetsNoSession() throws Exception {
    Gateway far = far(DeliveryMode.DATAGRAM);
    Files.writeString(folder.resolve("key"), "77".repeat(32));
    Gateway near = near(DeliveryMode.DATAGRAM);

    await().atMost(PATIENCE).until(() -> far.status().refusedHandshakes() > 1);
    assertThat(near.status().links().getFirst().state()).isEqualTo(LinkState.DOWN);
    assertThat(far.status().links().getFirst().sessions()).isZero();
  }

  @Test
  void aRemovedDeviceEndsTheGatewayInWords() {
    Gateway near = near(DeliveryMode.DATAGRAM);
    inNetwork(0, () -> IpCommand.run(List.of("link del tunnel0")));

    assertThatThrownBy(near::awaitEnd)
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("tunnel0 was removed");
  }

  @Test
  void statusIsAnsweredAtItsSocket() {
    Gateway near = near(DeliveryMode.DATAGRAM);
    Path path = folder.resolve("status.sock");
    try (StatusSocket answering = StatusSocket.claim(path)) {
      answering.answer(near::status);
      assertThat(StatusSocket.ask(path)).contains("\"name\":\"near\"", "\"state\":\"DOWN\"");
      assertThatThrownBy(() -> StatusSocket.claim(path)).hasMessageContaining("answers at");
    }
    assertThatThrownBy(() -> StatusSocket.ask(path)).hasMessageContaining("no gateway answers");
  }

  @Test
  void orderedLinksCarryWithoutAWordOnTheCommandLineAndGoAgain() {
    Gateway near = open(0, bare("near", "10.1.0.1", null));
    Gateway far = open(1, bare("far", "10.2.0.1", FAR));
    String key = "3c".repeat(32);
    GatewayLinkOrder toFar =
        GatewayLinkOrder.builder()
            .peer("far")
            .dial(new Endpoint("192.0.2.2", 7_800))
            .key(key)
            .prefixes(List.of("10.2.0.0/16"))
            .build();
    GatewayLinkOrder toNear =
        GatewayLinkOrder.builder().peer("near").key(key).prefixes(List.of("10.1.0.0/16")).build();
    ManagedLinks orders = new ManagedLinks(near);
    inNetwork(0, () -> orders.become(List.of(toFar)));
    inNetwork(1, () -> new ManagedLinks(far).become(List.of(toNear)));

    assertPasses(0, 1, 1_400);
    assertPasses(1, 0, 100);
    inNetwork(0, () -> orders.become(List.of(toFar)));
    assertThat(near.status().links().getFirst().sessions()).as("stays as it is").isEqualTo(1);

    inNetwork(0, () -> orders.become(List.of()));
    assertThat(near.status().links()).isEmpty();
    await().atMost(PATIENCE).until(() -> far.status().links().getFirst().state() == LinkState.DOWN);
    inNetwork(0, () -> orders.become(List.of(toFar)));
    assertPasses(0, 1, 100);
  }

  @Test
  void anOrderedLinkInsideItsOwnRouteIsLeftOut() {
    Gateway near = open(0, bare("near", "10.1.0.1", null));
    GatewayLinkOrder loop = order("far", "192.0.2.2", "192.0.2.0/24");
    inNetwork(0, () -> new ManagedLinks(near).become(List.of(loop)));

    assertThat(near.status().links()).isEmpty();
  }

  /** Its datagrams would go into the other gateway's tunnel, and those into it. */
  @Test
  void anOrderedLinkOfWhichAPrefixHoldsAnotherGatewayIsLeftOut() {
    Gateway near = open(0, bare("near", "10.1.0.1", null));
    GatewayLinkOrder far = order("far", "192.0.2.2", "10.2.0.0/16");
    GatewayLinkOrder around = order("around", "10.9.0.1", "192.0.2.0/24");
    inNetwork(0, () -> new ManagedLinks(near).become(List.of(far, around)));

    assertThat(near.status().links())
        .singleElement()
        .extracting(link -> link.peer())
        .isEqualTo("far");
  }

  private static GatewayLinkOrder order(String peer, String host, String prefix) {
    return GatewayLinkOrder.builder()
        .peer(peer)
        .dial(new Endpoint(host, 7_800))
        .key("3c".repeat(32))
        .prefixes(List.of(prefix))
        .build();
  }

  @Test
  @Tag(Golden.TAG)
  void prometheusFindsItsMetrics() throws Exception {
    near(DeliveryMode.DATAGRAM);
    far(DeliveryMode.DATAGRAM);
    assertPasses(0, 1, 100);

    try (MetricsServer server =
        MetricsServer.serve(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            opened.getFirst()::status)) {
      URI page = URI.create("http://127.0.0.1:%d/metrics".formatted(server.port()));
      try (InputStream answer = page.toURL().openStream()) {
        String metrics = new String(answer.readAllBytes(), StandardCharsets.UTF_8);
        Golden.checkMetrics("gateway", metrics.lines());
        assertThat(metrics)
            .containsPattern("cascade_gateway_packets_total [1-9]")
            .contains("cascade_gateway_drops_total{why=\"spoofed\"} 0\n")
            .contains("cascade_gateway_mtu{peer=\"far\"} 1400\n")
            .contains("cascade_gateway_link_up{peer=\"far\"} 1\n")
            .contains("cascade_gateway_sojourn_seconds{peer=\"far\"} ");
      }
    }
  }

  /** Ends as a killed gateway does: its peer hears no close. */
  private void vanishes(int network, Gateway gateway) {
    inNetwork(
        network,
        () -> {
          IpCommand.run(List.of("link set wan0 down"));
          gateway.close();
          IpCommand.run(List.of("link set wan0 up"));
        });
  }
}
