package io.cascade.it;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.cascade.it.Chromium.Visit;
import java.io.IOException;
import java.nio.file.Files;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What an operator silences and downloads, in a real browser. The relays are answers of the test
 * alone.
 */
@Timeout(180)
class OperatorPageTest extends DashboardPage {
  private static final int RELAYS = 9;

  private volatile String status = "SILENT";

  /** The orchestrator knows of relays, of which the last one is in trouble. */
  private void answerWithRelays(Page page) {
    page.route(
        "**/api/v1/relays",
        route ->
            route.fulfill(
                new Route.FulfillOptions()
                    .setContentType("application/json")
                    .setBody(
                        IntStream.rangeClosed(1, RELAYS)
                            .mapToObj(i -> relay("r" + i, i < RELAYS ? "UP" : status, i))
                            .collect(Collectors.joining(",", "{\"relays\":[", "]}")))));
  }

  private static String relay(String name, String status, int streams) {
    return """
    {"name":"%s","status":"%s","site":"a, b","control":null,"hop":{"host":"%s","port":7400},
     "version":"=1+1","instance":"00000000-0000-0000-0000-000000000000","runningStreams":%d,
     "heldBytes":1048576,"restarts":0,"registeredAt":"2026-01-01T00:00:00Z",
     "lastSeenAt":"2026-01-02T00:00:00Z"}\
    """
        .formatted(name, status, name, streams);
  }

  private static Locator button(Page page, String name) {
    return page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name));
  }

  private static Locator labelled(Page page, String name) {
    return page.getByLabel(name, new Page.GetByLabelOptions().setExact(true));
  }

  private static String text(Download download) throws IOException {
    return Files.readString(download.path());
  }

  @Test
  void anEntryIsSilencedByKeyboardAndToldAgain() {
    try (Visit visit = browser.visit(address, ColorScheme.LIGHT, 360, 740)) {
      Page page = visit.page();
      answerWithRelays(page);
      visit.open("");
      Locator entry = page.getByText("Relay r9 is silent");
      button(page, "Silence… Relay r9 is silent").focus();
      page.keyboard().press("Enter");
      assertThat(page.getByLabel("Reason")).isFocused();
      page.keyboard().press("Enter");
      assertThat(page.getByRole(AriaRole.DIALOG)).isVisible(); // It wants a reason.
      visit.assertAccessible("the question before an entry is silenced");
      page.getByLabel("Reason").fill("x".repeat(200));
      labelled(page, "For").selectOption("8 hours");
      page.getByLabel("Reason").press("Enter");

      Locator summary = page.getByText("Silenced (1)");
      assertThat(summary).isFocused();
      assertThat(page.getByText("Nothing needs attention")).isVisible();
      assertThat(entry).isHidden();
      page.keyboard().press("Enter");
      assertThat(page.locator(".silenced li")).containsText("until");
      assertThat(page.getByText("Kept in this browser only")).isVisible();
      assertThat(page.evaluate("document.documentElement.scrollWidth")).isEqualTo(360);
      visit.assertAccessible("what is silenced");

      page.reload();
      assertThat(summary).isVisible();
      summary.click();
      button(page, "End silence: Relay r9 is silent").click();
      assertThat(summary).hasCount(0);
      assertThat(button(page, "Silence… Relay r9 is silent")).isVisible();
      visit.assertQuiet();
    }
  }

  @Test
  void aSilencedRelayThatIsLostIsToldAgain() {
    try (Visit visit = browser.visit(address)) {
      Page page = visit.page();
      answerWithRelays(page);
      visit.open("");
      button(page, "Silence… Relay r9 is silent").click();
      page.getByLabel("Reason").fill("its uplink is replaced");
      page.getByRole(AriaRole.DIALOG)
          .getByText("Silence", new Locator.GetByTextOptions().setExact(true))
          .click();
      assertThat(page.getByText("Silenced (1)")).isVisible();

      status = "LOST";

      assertThat(button(page, "Silence… Relay r9 is lost")).isVisible();
      assertThat(page.getByText("Silenced (1)")).hasCount(0);
      visit.assertQuiet();
    }
  }

  @Test
  void whatATableShowsAndAChartDrawsIsDownloaded() throws Exception {
    try (Visit visit = browser.visit(address)) {
      Page page = visit.page();
      answerWithRelays(page);
      visit.open("relays");
      labelled(page, "With").fill("silent");
      assertThat(page.getByText("1 of 9")).isVisible();

      Download table = page.waitForDownload(() -> button(page, "CSV: Relays").click());

      assertThat(table.suggestedFilename()).matches("relays-\\d{8}T\\d{6}Z\\.csv");
      assertThat(text(table).split("\r\n", -1))
          .hasSize(3)
          .satisfies(lines -> {
            assertThat(lines[0])
                .startsWith(
                    "\ufeffRelay,State,Site,Chains,Streams,Processor (share),Held (B),Capacity (bit/s)");
            assertThat(lines[1])
                .startsWith("r9,silent,\"a, b\",0,9,,1048576,,")
                .endsWith(",0,2026-01-02T00:00:00Z,'=1+1");
          });

      visit.open("");
      Download chart =
          page.waitForDownload(() -> button(page, "CSV: Throughput of all chains").click());
      assertThat(chart.suggestedFilename()).startsWith("overview-throughput-of-all-chains-");
      assertThat(text(chart))
          .startsWith("\ufefftime (UTC),to destinations (bit/s),back to sources (bit/s)\r\n2")
          .contains("Z,0,0\r\n");
      visit.assertQuiet();
    }
  }
}
