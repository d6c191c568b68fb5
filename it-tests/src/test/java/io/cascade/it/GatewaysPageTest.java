package io.cascade.it;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.cascade.api.identity.RelayKey;
import io.cascade.api.identity.RelaySigner;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.GatewayLink;
import io.cascade.api.orchestrator.GatewayLinkState;
import io.cascade.api.orchestrator.GatewayReport;
import io.cascade.api.orchestrator.TunnelRequest;
import io.cascade.it.Chromium.Visit;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The dashboard's page of gateways and tunnels in a real browser. The gateways are reports alone:
 * real ones would need root for their devices.
 */
@Timeout(180)
class GatewaysPageTest extends DashboardPage {
  /** A gateway as the orchestrator sees it: it reports as often as it is told to. */
  private final class Gateway implements AutoCloseable {
    private final String name;
    private final String peer;
    private final @Nullable Endpoint listen;
    private final RelaySigner signer = new RelaySigner(RelayKey.generate(), 1, 0);
    private final UUID instance = UUID.randomUUID();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

    Gateway(String name, String peer, @Nullable Endpoint listen) {
      this.name = name;
      this.peer = peer;
      this.listen = listen;
      double seconds = report();
      long millis = Math.round(1e3 * seconds);
      clock.scheduleWithFixedDelay(this::report, millis, millis, TimeUnit.MILLISECONDS);
      parts.push(this);
    }

    /** The seconds until the next report. */
    private double report() {
      GatewayLink link =
          GatewayLink.builder()
              .peer(peer)
              .state(GatewayLinkState.UP)
              .sessions(1L)
              .mtu(1_400)
              .sojournMillis(0.5)
              .droppedPackets(3L)
              .markedPackets(0L)
              .mode("delay")
              .roundTripMillis(42.0)
              .lossRate(0.1)
              .sentPackets(9L)
              .receivedPackets(9L)
              .build();
      GatewayReport report =
          GatewayReport.builder()
              .instance(instance)
              .version("1")
              .publicKey("")
              .sequence(0L)
              .signature("")
              .listen(listen)
              .tun(true)
              .mtu(1_400)
              .upSeconds(1.0)
              .forwardedPackets(1_234L)
              .drops(List.of())
              .links(List.of(link))
              .build();
      return plane.client().report(name, signer.sign(name, report)).reportSeconds();
    }

    @Override
    public void close() {
      clock.shutdownNow();
    }
  }

  private static Locator table(Page page, String label) {
    return page.getByRole(
        AriaRole.TABLE, new Page.GetByRoleOptions().setName(label).setExact(true));
  }

  private static Locator row(Locator table, String text) {
    return table.getByRole(AriaRole.ROW).filter(new Locator.FilterOptions().setHasText(text));
  }

  @Test
  void saysHowToBeginWhereNoGatewayReports() {
    try (Visit visit = browser.visit(address)) {
      Page page = visit.open("gateways");

      assertThat(page.getByText("No gateway reports here")).isVisible();
      visit.assertAccessible("#/gateways, empty");
      visit.assertQuiet();
    }
  }

  @Test
  void showsGatewaysLinksAndTunnelsAndFollowsThem() throws Exception {
    new Gateway("gw1", "gw2", null);
    Gateway far = new Gateway("gw2", "gw1", new Endpoint("203.0.113.2", 7_800));
    try (Visit visit = browser.visit(address)) {
      Page page = visit.open("gateways");
      assertThat(row(table(page, "Gateways"), "gw2")).containsText("reports");
      assertThat(page.getByText("None is open.")).isVisible();

      plane
          .client()
          .openTunnel(
              TunnelRequest.builder()
                  .name("head office")
                  .gateways(List.of("gw1", "gw2"))
                  .fromPrefixes(List.of("10.1.0.0/16"))
                  .toPrefixes(List.of("10.2.0.0/16"))
                  .build());

      Locator tunnel = row(table(page, "Tunnels"), "gw1 – gw2");
      assertThat(tunnel).containsText(Pattern.compile("up"));
      assertThat(tunnel).containsText("head office");
      Locator link = row(table(page, "Links between gateways"), "gw1 → gw2");
      assertThat(link).containsText("up");
      assertThat(link).containsText("42 ms");
      assertThat(link).containsText("delay");
      visit.assertAccessible("#/gateways");

      far.close();

      assertThat(row(table(page, "Gateways"), "gw2")).containsText("lost");
      assertThat(tunnel).containsText("gw2 does not report");
      visit.assertQuiet();
    }
  }
}
