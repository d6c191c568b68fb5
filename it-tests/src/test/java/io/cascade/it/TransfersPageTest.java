package io.cascade.it;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.cascade.api.orchestrator.TransferEnd;
import io.cascade.api.orchestrator.TransferProgress;
import io.cascade.it.Chromium.Visit;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The overview's transfers in a real browser. The senders are reports alone. */
@Timeout(180)
class TransfersPageTest extends DashboardPage {
  private static Locator row(Page page, UUID transfer) {
    return page.getByRole(
            AriaRole.TABLE, new Page.GetByRoleOptions().setName("Transfers").setExact(true))
        .getByRole(AriaRole.ROW)
        .filter(new Locator.FilterOptions().setHasText(transfer.toString().substring(0, 8)));
  }

  private static TransferProgress.Builder progress() {
    return TransferProgress.builder()
        .destination("files.example.org:7420")
        .size(100_000_000L)
        .bytes(25_000_000L)
        .bitsPerSecond(8_000_000.0);
  }

  @Test
  void showsTransfersWhileTheyRunAndHowTheyEnded() {
    UUID file = UUID.randomUUID();
    UUID folders = UUID.randomUUID();
    try (Visit visit = browser.visit(address)) {
      Page page = visit.open("");
      assertThat(page.getByText("No transfer runs")).isVisible();

      plane.client().report(file, progress().build());
      plane.client().report(folders, progress().size(null).build());

      assertThat(row(page, file)).containsText("files.example.org:7420");
      assertThat(row(page, file)).containsText("running");
      assertThat(row(page, file)).containsText("25 %");
      assertThat(row(page, file)).containsText("8 Mbit/s");
      assertThat(row(page, file)).containsText("75 s");
      assertThat(row(page, folders)).containsText("23.8 MiB");
      assertThat(row(page, folders)).not().containsText("%");
      visit.assertAccessible("#/, with transfers");

      plane.client().report(file, progress().bytes(100_000_000L).end(TransferEnd.ARRIVED).build());
      plane.client().report(folders, progress().size(null).end(TransferEnd.FAILED).build());

      assertThat(row(page, file)).containsText("arrived");
      assertThat(row(page, file)).containsText("100 %");
      assertThat(row(page, folders)).containsText("failed");
      visit.assertQuiet();
    }
  }
}
