package io.cascade.gateway.tunnel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.command.CommandException;
import io.cascade.gateway.ip.IpCommand;
import io.cascade.gateway.tunnel.GatewaySettings.LinkRoute;
import io.cascade.packets.queue.QueueLimits;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** IPv6 packets of hosts, between gateways that speak IPv4 with each other. */
class GatewayIpv6Test extends GatewayNetworks {
  private static final byte UDP = 17;
  private static final byte ICMP_V6 = 58;

  @BeforeEach
  void hosts() {
    for (int i = 0; i < 2; i++) {
      int number = i + 1;
      inNetwork(
          i,
          () -> {
            allow("ipv6/conf/all/disable_ipv6", "0");
            allow("ipv6/conf/default/disable_ipv6", "0");
            allow("ipv6/conf/all/forwarding", "1");
            IpCommand.runV6(List.of("address add fd00:%d::1/64 dev lan0 nodad".formatted(number)));
          });
    }
    open(0, settings(1, "far", new LinkSettings("far", FAR, folder.resolve("key")), null));
    open(1, settings(2, "near", new LinkSettings("near", null, folder.resolve("key")), FAR));
  }

  @Test
  void packetsGoThroughInBothDirections() {
    assertPassesV6(0, 1, 1_280);
    assertPassesV6(1, 0, 100);
  }

  @Test
  void whatIsTooLongIsAnswered() {
    assertPassesV6(0, 1, 100);

    sends(0, packet(0, 1, 1_440));
    byte[] answer =
        await()
            .atMost(PATIENCE)
            .until(() -> read(0), came -> came.length > 48 && came[6] == ICMP_V6);
    assertThat(answer[40]).as("packet too big").isEqualTo((byte) 2);
    assertThat(ByteBuffer.wrap(answer).getInt(44)).isEqualTo(1_400);
  }

  @Test
  void aKernelThatDoesNotForwardIpv6IsNamed() {
    inNetwork(0, () -> allow("ipv6/conf/all/forwarding", "0"));

    LinkSettings link = new LinkSettings("far", FAR, folder.resolve("key"));
    assertThatThrownBy(() -> open(0, settings(1, "far", link, null)))
        .isInstanceOf(CommandException.class)
        .hasMessageEndingWith("sysctl -w net.ipv6.conf.all.forwarding=1");
  }

  private static void allow(String setting, String value) {
    try {
      set(setting, value);
    } catch (Exception e) {
      throw new IllegalStateException(setting, e);
    }
  }

  private static GatewaySettings settings(
      int number, String peer, LinkSettings link, java.net.@Nullable InetSocketAddress listen) {
    return new GatewaySettings(
        peer.equals("far") ? "near" : "far",
        "tunnel0",
        List.of(PrefixText.address("fd00:%d::1".formatted(number))),
        listen,
        List.of(link),
        List.of(new LinkRoute(PrefixText.prefix("fd00:%d::/32".formatted(3 - number)), 0)),
        1_400,
        DeliveryMode.DATAGRAM,
        0,
        QueueLimits.USUAL,
        true,
        7_800);
  }

  private void assertPassesV6(int from, int to, int length) {
    await()
        .atMost(PATIENCE)
        .until(() -> {
          sends(from, packet(from, to, length));
          byte[] came = read(to);
          return came.length == length && came[6] == UDP;
        });
    while (read(to).length > 0) {
      // What was sent meanwhile.
    }
  }

  private static byte[] packet(int from, int to, int length) {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    bytes.putInt(0x6000_0000).putShort((short) (length - 40)).put(UDP).put((byte) 64);
    bytes.put(PrefixText.address("fd00:%d::2".formatted(from + 1)).bytes());
    bytes.put(PrefixText.address("fd00:%d::2".formatted(to + 1)).bytes());
    bytes.putShort((short) 1_000).putShort((short) 9).putShort((short) (length - 40));
    return bytes.array();
  }
}
