package io.cascade.gateway.tunnel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.gateway.ip.IpCommand;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two gateways over paths that do not take the longest datagrams. */
class GatewayMtuTest extends GatewayNetworks {
  @Test
  void aPathOfLessGetsALinkOfLess() {
    pathOf(1_400);
    Gateway near = near(DeliveryMode.DATAGRAM);
    far(DeliveryMode.DATAGRAM);

    assertPasses(0, 1, 1_328);
    assertPasses(1, 0, 1_328);
    assertThat(mtu(near)).isEqualTo(1_328);
    assertThat(StatusText.of(near.status())).contains("sessions, mtu 1328");
  }

  @Test
  void theOrderedDeliveryToo() {
    pathOf(1_400);
    near(DeliveryMode.ORDERED);
    far(DeliveryMode.ORDERED);

    assertPasses(0, 1, 1_300);
    assertPasses(1, 0, 1_300);
  }

  @Test
  void whatDoesNotFitIsAnsweredOrCut() {
    pathOf(1_400);
    Gateway near = near(DeliveryMode.DATAGRAM);
    far(DeliveryMode.DATAGRAM);
    awaitMtu(near, 1_328);

    byte[] whole = udp("10.1.0.2", "10.2.0.2", 1_400);
    whole[6] = 0x40;
    sends(0, checked(whole));
    byte[] answer = comes(0, 1);
    assertThat(answer[21]).as("fragmentation needed").isEqualTo((byte) 4);
    assertThat(ByteBuffer.wrap(answer).getShort(26)).isEqualTo((short) 1_328);

    sends(0, udp("10.1.0.2", "10.2.0.2", 1_400));
    byte[] first = comes(1, 17);
    byte[] second = comes(1, 17);
    assertThat(first[6]).as("more fragments").isEqualTo((byte) 0x20);
    assertThat(first.length + second.length).isEqualTo(1_400 + 20);
  }

  @Test
  void aLinkBecomesLongerAgainWhereThePathDoes() {
    pathOf(1_400);
    Gateway near = near(DeliveryMode.DATAGRAM);
    Gateway far = far(DeliveryMode.DATAGRAM);
    awaitMtu(near, 1_328);

    pathOf(1_500);
    awaitMtu(near, 1_400);
    awaitMtu(far, 1_400);
    assertPasses(0, 1, 1_400);
  }

  private static int mtu(Gateway gateway) {
    return gateway.status().links().getFirst().mtu();
  }

  /** A gateway that was alone at first may begin with less. */
  private static void awaitMtu(Gateway gateway, int mtu) {
    await().atMost(PATIENCE).until(() -> mtu(gateway) == mtu);
  }

  private void pathOf(int mtu) {
    for (int i = 0; i < 2; i++) {
      inNetwork(i, () -> IpCommand.run(List.of("link set wan0 mtu " + mtu)));
    }
  }
}
