package io.cascade.it;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.cascade.api.identity.RelayKey;
import io.cascade.api.identity.RelaySigner;
import io.cascade.api.orchestrator.SplitterOperations;
import io.cascade.api.orchestrator.SplitterPipe;
import io.cascade.api.orchestrator.SplitterPolicy;
import io.cascade.api.orchestrator.SplitterReport;
import io.cascade.api.orchestrator.SplitterSide;
import io.cascade.it.Chromium.Visit;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The dashboard's page of splitters in a real browser. The splitter is reports alone: a real one
 * would need root for its devices.
 */
@Timeout(180)
class SplittersPageTest extends DashboardPage {
  /** A splitter as the orchestrator sees it: it reports as often as it is told to. */
  private final class Splitter implements AutoCloseable {
    private final String name;
    private final RelaySigner signer = new RelaySigner(RelayKey.generate(), 1, 0);
    private final UUID instance = UUID.randomUUID();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private volatile boolean secondIsUp = true;

    Splitter(String name) {
      this.name = name;
      long millis = Math.round(1e3 * report());
      clock.scheduleWithFixedDelay(this::report, millis, millis, TimeUnit.MILLISECONDS);
      parts.push(this);
    }

    /** The seconds until the next report. */
    private double report() {
      SplitterReport report =
          SplitterReport.builder()
              .instance(instance)
              .version("1")
              .publicKey("")
              .sequence(0L)
              .signature("")
              .upSeconds(1.0)
              .policy(
                  SplitterPolicy.builder()
                      .mode("def-plus")
                      .signalling("none")
                      .selection("all")
                      .splitAfterBytes(65_536L)
                      .build())
              .connections(12L)
              .refusedConnections(0L)
              .operations(
                  SplitterOperations.builder()
                      .deliver(4_321L)
                      .duplicate(0L)
                      .delay(0L)
                      .drop(89L)
                      .build())
              .pipes(
                  List.of(
                      pipe("wan0", true, secondIsUp ? 0.75 : 1.0, 40),
                      pipe("wan1", secondIsUp, secondIsUp ? 0.25 : 0.0, 80)))
              .build();
      return plane.client().report(name, signer.sign(name, report)).reportSeconds();
    }

    private static SplitterPipe pipe(String device, boolean up, double share, double rtt) {
      return SplitterPipe.builder()
          .side(SplitterSide.FAR)
          .device(device)
          .up(up)
          .employed(true)
          .share(share)
          .roundTripMillis(rtt)
          .bitsPerSecond(6_000_000L)
          .lossRate(0.01)
          .sentBytes(1_000_000L)
          .receivedBytes(50_000L)
          .build();
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
  void saysHowToBeginWhereNoSplitterReports() {
    try (Visit visit = browser.visit(address)) {
      Page page = visit.open("splitters");

      assertThat(page.getByText("No splitter reports here")).isVisible();
      visit.assertAccessible("#/splitters, empty");
      visit.assertQuiet();
    }
  }

  @Test
  void showsSplittersAndTheirPipesAndFollowsThem() throws Exception {
    Splitter splitter = new Splitter("edge");
    try (Visit visit = browser.visit(address)) {
      Page page = visit.open("splitters");
      Locator edge = row(table(page, "Splitters"), "edge");
      assertThat(edge).containsText("reports");
      assertThat(edge).containsText("def-plus");
      assertThat(edge).containsText("2 of 2");
      assertThat(edge).containsText("4,321");
      Locator second = row(table(page, "Pipes of splitters"), "edge wan1");
      assertThat(second).containsText("up");
      assertThat(second).containsText("25 %");
      assertThat(second).containsText("80 ms");
      assertThat(second).containsText("1 %");
      visit.assertAccessible("#/splitters");

      splitter.secondIsUp = false;

      assertThat(second).containsText("down");
      assertThat(edge).containsText("1 of 2");

      splitter.close();

      assertThat(edge).containsText("lost");
      visit.assertQuiet();
    }
  }
}
