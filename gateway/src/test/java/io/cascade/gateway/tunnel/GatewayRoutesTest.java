package io.cascade.gateway.tunnel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.command.CommandException;
import io.cascade.gateway.ip.IpCommand;
import io.cascade.gateway.tunnel.GatewaySettings.LinkRoute;
import io.cascade.packets.header.IpPrefix;
import io.cascade.packets.queue.QueueLimits;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;

/** Prefixes behind gateways and here, and the rules that lead there. */
class GatewayRoutesTest extends GatewayNetworks {
  @Test
  void rulesThatAKilledGatewayHasLeftAreRemovedWhateverItsPrefixesWere() {
    String ofAnother = "7900:\tfrom all to 10.8.0.0/16 lookup 7900";
    inNetwork(
        0,
        () ->
            IpCommand.run(
                List.of(
                    "rule add pref 7800 to 10.7.0.0/16 lookup 7800",
                    "rule add pref 7900 to 10.8.0.0/16 lookup 7900")));

    Gateway near = near(DeliveryMode.DATAGRAM);
    assertThat(rules(0))
        .filteredOn(rule -> rule.startsWith("7800:"))
        .containsExactly("7800:\tfrom all to 10.2.0.0/16 lookup 7800");
    assertThat(rules(0)).contains(ofAnother);

    inNetwork(0, near::close);
    assertThat(rules(0)).noneMatch(rule -> rule.startsWith("7800:")).contains(ofAnother);
  }

  @Test
  void theOwnNetworkMayLieWithinWhatIsBehindTheOtherGateway() {
    List<LinkRoute> routes = List.of(behindLink("10.0.0.0/8"), local("10.1.0.0/16"));
    open(0, settings("near", "10.1.0.1", null, toFar(), routes, DeliveryMode.DATAGRAM));
    far(DeliveryMode.DATAGRAM);

    assertPasses(0, 1, 100);
    assertPasses(1, 0, 100);
  }

  @Test
  void everythingMayBeBehindTheOtherGatewayButTheOwnNetworkAndTheGatewayItself() {
    List<LinkRoute> routes =
        List.of(behindLink("0.0.0.0/0"), local("10.1.0.0/16"), local("192.0.2.0/24"));
    open(0, settings("near", "10.1.0.1", null, toFar(), routes, DeliveryMode.DATAGRAM));
    far(DeliveryMode.DATAGRAM);

    assertPasses(0, 1, 100);
    assertPasses(1, 0, 100);
  }

  /** The kernel does not tell a rule for all addresses from any other of its preference. */
  @Test
  void aRouteForEverythingStandsBesideOthersAndGoesWithoutThem() {
    List<LinkRoute> routes =
        List.of(
            behindLink("10.2.0.0/16"),
            behindLink("0.0.0.0/0"),
            local("10.1.0.0/16"),
            local("192.0.2.0/24"));
    open(0, settings("near", "10.1.0.1", null, toFar(), routes, DeliveryMode.DATAGRAM));
    far(DeliveryMode.DATAGRAM);
    assertPasses(0, 1, 100);

    TunnelRoutes table = new TunnelRoutes("tunnel0", 1_400, List.of(), List.of(), List.of(), 7_800);
    List<IpPrefix> everything = List.of(PrefixText.prefix("0.0.0.0/0"));
    inNetwork(0, () -> table.change(everything, List.of()));
    assertThat(rules(0))
        .filteredOn(rule -> rule.startsWith("7800:"))
        .containsExactly("7800:\tfrom all to 10.2.0.0/16 lookup 7800");

    inNetwork(0, () -> table.change(List.of(), everything));
    assertThat(rules(0)).filteredOn(rule -> rule.startsWith("7800:")).hasSize(3);
  }

  @Test
  void theOtherGatewaysNetworkMayLieWithinTheOwn() {
    List<LinkRoute> routes = List.of(behindLink("10.2.0.0/16"), local("10.0.0.0/8"));
    open(0, settings("near", "10.1.0.1", null, toFar(), routes, DeliveryMode.DATAGRAM));
    far(DeliveryMode.DATAGRAM);

    assertPasses(0, 1, 100);
    assertPasses(1, 0, 100);
  }

  @Test
  void aTableThatAnotherGatewayUsesIsNamedAndStaysAsItIs() {
    near(DeliveryMode.DATAGRAM);
    List<String> before = rules(0);
    GatewaySettings other =
        new GatewaySettings(
            "other",
            "tunnel1",
            List.of(PrefixText.address("10.1.0.3")),
            null,
            List.of(toFar()),
            List.of(behindLink("10.3.0.0/16")),
            1_400,
            DeliveryMode.DATAGRAM,
            0,
            QueueLimits.USUAL,
            true,
            7_800);

    assertThatThrownBy(() -> open(0, other))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("the routing table 7800 leads to tunnel0");
    assertThat(rules(0)).isEqualTo(before).anyMatch(rule -> rule.startsWith("7800:"));
  }

  @Test
  void aGatewayInsideItsOwnRouteIsRefused() {
    GatewaySettings loop =
        settings("near", "10.1.0.1", null, toFar(), "192.0.2.0/24", DeliveryMode.DATAGRAM);

    assertThatThrownBy(() -> space(0).call(() -> Gateway.open(loop)))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("would be sent into the tunnel");
  }

  @Test
  void aGatewayThatDialsFromInsideTheRoutesIsRefusedInWords() {
    List<String> said = new CopyOnWriteArrayList<>();
    Logger logger = Logger.getLogger(LinkAcceptor.class.getName());
    Handler noting = noting(said);
    logger.addHandler(noting);
    try {
      List<LinkRoute> routes = List.of(behindLink("10.1.0.0/16"), behindLink("192.0.2.0/31"));
      Gateway far =
          open(1, settings("far", "10.2.0.1", FAR, fromNear(), routes, DeliveryMode.DATAGRAM));
      near(DeliveryMode.DATAGRAM);

      await().atMost(PATIENCE).until(() -> far.status().refusedHandshakes() > 1);
      assertThat(far.status().links().getFirst().sessions()).isZero();
      assertThat(said).singleElement().asString().contains("near dials from 192.0.2.1");
    } finally {
      logger.removeHandler(noting);
    }
  }

  private static Handler noting(List<String> said) {
    return new Handler() {
      @Override
      public void publish(LogRecord entry) {
        said.add(new SimpleFormatter().formatMessage(entry));
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }
}
