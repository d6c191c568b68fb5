package io.cascade.it;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.WaitForSelectorState;
import io.cascade.api.Json;
import io.cascade.api.orchestrator.ApiKeyRequest;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.RateHistory;
import io.cascade.api.orchestrator.RateSpan;
import io.cascade.api.orchestrator.RelayStatus;
import io.cascade.api.orchestrator.Role;
import io.cascade.api.orchestrator.RouteLimits;
import io.cascade.api.orchestrator.Source;
import io.cascade.api.orchestrator.TransportChoice;
import io.cascade.it.Chromium.Visit;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The dashboard in a real browser, on a system that carries traffic. */
@Timeout(300)
class DashboardTest {
  private static final long TRANSFER = 16L << 20;

  /** Spans of ten seconds. */
  private static final int REMEMBERED = 4;

  private static final int SPANS_OF_A_DAY = 720;

  /** Its points without a gap among them; some of the first are older than a day already. */
  private static final Pattern A_DAY_IN_ONE_PIECE =
      Pattern.compile("^M(?:[^ML]+L){%d,}[^ML]+$".formatted(SPANS_OF_A_DAY - 20));

  private static final Duration LONG = Duration.ofMinutes(2);
  private static final List<String> VIEWS =
      List.of(
          "",
          "topology",
          "chains",
          "relays",
          "relays/r2",
          "links",
          "links/r1/r2",
          "plan",
          "advice",
          "events",
          "audit");

  /** Wide tables, by their views. */
  private static final Map<String, String> TABLES =
      Map.of("chains", "Chains", "relays", "Relays", "links", "Links", "advice", "Destinations");

  @TempDir private static Path folder;

  @SuppressWarnings("NullAway.Init")
  private static Chromium browser;

  @SuppressWarnings("NullAway.Init")
  private static Cluster cluster;

  @SuppressWarnings("NullAway.Init")
  private static Traffic traffic;

  @SuppressWarnings("NullAway.Init")
  private static Chain chain;

  @RegisterExtension
  final TestExecutionExceptionHandler tellsWhatThePageShowed =
      (_, failure) -> {
        failure.addSuppressed(new AssertionError("the page showed: " + browser.lastSeen()));
        throw failure;
      };

  @BeforeAll
  static void startTraffic() throws Exception {
    browser = Chromium.start();
    // A page that asks relays on a busy machine may take longer than a person would.
    PlaywrightAssertions.setDefaultAssertionTimeout((double) Cluster.PATIENCE.toMillis());
    cluster = Cluster.start(folder);
    traffic = new Traffic();
    chain = cluster.client().open(planned("backup", "r1", "r2", "r3"), null);
    traffic.send(Cluster.ingress(chain), TRANSFER);
    traffic.flow(Cluster.ingress(chain));
  }

  @AfterAll
  static void stop() throws Exception {
    for (AutoCloseable part : new AutoCloseable[] {traffic, cluster, browser}) {
      if (part != null) {
        part.close();
      }
    }
  }

  /** A chain with a source, so that it is predicted, too. */
  private static ChainRequest planned(String name, String... via) {
    return new ChainRequest(
        "127.0.0.1:" + traffic.port(),
        name,
        List.of(via),
        null,
        null,
        TRANSFER,
        new Source("r1", null, "cubic"),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  @Test
  void theOverviewSaysWhetherItHelps() {
    try (Visit visit = browser.visit(cluster.address())) {
      Page page = visit.open("");

      assertThat(page.getByRole(AriaRole.STATUS).filter(text("Live"))).isVisible();
      assertThat(figure(page, "Relays")).containsText("3 of 3");
      assertThat(figure(page, "Throughput")).containsText(Pattern.compile("[0-9] .bit/s"));
      Locator comparison = page.getByLabel("Chain backup");
      assertThat(comparison).containsText("Direct, predicted");
      assertThat(comparison).containsText("This chain, predicted");
      assertThat(row(comparison, "Streams, achieved")).containsText("bit/s");
      assertThat(page.getByRole(AriaRole.IMG, named("Throughput of all chains"))).isVisible();
      visit.assertQuiet();
    }
  }

  @Test
  void aChainTellsWhyAndHow() {
    try (Visit visit = browser.visit(cluster.address())) {
      Page page = visit.open("chains");
      page.getByRole(AriaRole.LINK, named("backup")).click();

      assertThat(page).hasURL(Pattern.compile("#/chains/" + chain.id()));
      assertThat(page).hasTitle(Pattern.compile("backup.*Chains.*Cascade"));
      assertThat(panel(page, "Hops")).containsText("r1 → r2");
      assertThat(panel(page, "Hops")).containsText("Bottleneck by");
      assertThat(panel(page, "Why this route")).containsText("Via r1, r2, r3 (this chain)");
      assertThat(panel(page, "Set-up")).containsText("All relays at once");
      Locator streams = panel(page, "Streams");
      assertThat(streams).containsText("completed");
      assertThat(streams).containsText("16 MiB → 16 MiB");
      assertThat(streams).containsText("running");
      // Ids of one relay's streams begin alike.
      assertThat(streams.locator("code").first()).hasText(Pattern.compile("^…[0-9a-f]{8}$"));
      assertThat(page.getByRole(AriaRole.IMG, named("Rate of the chain"))).isVisible();
      visit.assertQuiet();
    }
  }

  @Test
  void aCodedHopShowsWhatItLosesAndWhatCarriesIt() throws Exception {
    Chain coded = cluster.client().open(coded("r1", "r2"), null);
    traffic.send(Cluster.ingress(coded), TRANSFER);
    try (Visit visit = browser.visit(cluster.address())) {
      Page page = visit.open("chains/" + coded.id());

      Locator card = page.getByLabel("Coded hop r1 to r2");
      assertThat(card).containsText(Pattern.compile("UDP|TCP"));
      assertThat(card).containsText("The path's own");
      assertThat(card).containsText("needed");
      assertThat(card).containsText("Rate control");
      visit.assertQuiet();
    } finally {
      cluster.client().close(coded.id(), true);
    }
  }

  private static ChainRequest coded(String... via) {
    ChainOptions options =
        new ChainOptions(
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            TransportChoice.CODED,
            null,
            null,
            null);
    return new ChainRequest(
        "127.0.0.1:" + traffic.port(),
        "coded",
        List.of(via),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        options,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  @Test
  void pipesOverOneRouteAreDrawnBesideEachOtherWithTheirNumbers() throws Exception {
    Chain parallel = cluster.client().open(ofPipes("pipes", 3, "r1", "r2", "r3"), null);
    traffic.send(Cluster.ingress(parallel), TRANSFER);
    for (int width : List.of(1360, 400)) {
      try (Visit visit = browser.visit(cluster.address(), ColorScheme.LIGHT, width, 900)) {
        Page page = visit.open("chains/" + parallel.id());

        Locator hops = panel(page, "Hops");
        assertThat(hops.getByRole(AriaRole.HEADING).filter(text("pipe 3"))).isVisible();
        assertThat(hops.locator("ol.pipeline")).hasCount(5);
        assertThat(hops.getByLabel("pipe 2").locator(".stop"))
            .containsText(new String[] {"r1", "r2", "r3"});
        assertThat(panel(page, "Pipes")).containsText("pipe 3: r1 → r2 → r3");
        visit.assertAccessible("a chain of several pipes");
        assertThat(page.evaluate("document.documentElement.scrollWidth")).isEqualTo(width);
        visit.assertQuiet();
      }
    }
    cluster.client().close(parallel.id(), true);
  }

  private static ChainRequest ofPipes(String name, int parallel, String... via) {
    return ChainRequest.builder()
        .destination("127.0.0.1:" + traffic.port())
        .name(name)
        .via(List.of(via))
        .parallel(parallel)
        .build();
  }

  @Test
  void aPlanFitsASmallScreen() {
    try (Visit visit = browser.visit(cluster.address(), ColorScheme.LIGHT, 400, 900)) {
      Page page =
          visit.open(
              "plan?to=127.0.0.1%3A" + traffic.port() + "&from=r1&bytes=1GiB&via=r1%2C+r2%2C+r3");

      assertThat(panel(page, "Every candidate")).containsText("Via r1, r2, r3");
      assertThat(page.evaluate("document.documentElement.scrollWidth")).isEqualTo(400);
      visit.assertAccessible("a plan on a small screen");
    }
  }

  @Test
  void textsOfTheMapKeepTheirSizeOnASmallScreen() {
    try (Visit visit = browser.visit(cluster.address(), ColorScheme.LIGHT, 400, 900)) {
      Page page = visit.open("topology");

      assertThat(page.locator(".map svg")).isVisible();
      assertThat(page.evaluate("document.querySelector('.map svg').getScreenCTM().a >= 0.95"))
          .isEqualTo(true);
      assertThat(page.evaluate("document.documentElement.scrollWidth")).isEqualTo(400);
      visit.assertAccessible("the map on a small screen");
    }
  }

  @Test
  void anOrchestratorThatSaysNothingAnyMoreIsNotLive() {
    try (Visit visit = browser.visit(cluster.address())) {
      Page page = visit.page();
      AtomicBoolean frozen = new AtomicBoolean();
      page.route(
          "**/api/v1/**",
          route -> {
            if (!frozen.get()) {
              route.resume();
            }
          });
      visit.open("");
      assertThat(page.getByRole(AriaRole.STATUS).filter(text("Live"))).isVisible();
      frozen.set(true);

      assertThat(page.getByRole(AriaRole.STATUS).filter(text("No answer"))).isVisible();
    }
  }

  @Test
  void adviceTellsOfEveryDestinationThatStreamsWentTo() {
    try (Visit visit = browser.visit(cluster.address())) {
      Page page = visit.open("advice");
      Locator row = page.getByRole(AriaRole.ROW).filter(text("127.0.0.1:" + traffic.port()));

      assertThat(row).containsText("r1");
      assertThat(row).containsText(Pattern.compile("direct|through|not known"));
      row.getByRole(AriaRole.LINK).first().click();
      assertThat(page).hasURL(Pattern.compile("#/plan\\?to=127.0.0.1%3A[0-9]+&from=r1"));
      visit.assertQuiet();
    }
  }

  @Test
  void everyViewIsAccessibleInBothColours() {
    for (ColorScheme colours : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      try (Visit visit = browser.visit(cluster.address(), colours, 1360, 900)) {
        for (String view : VIEWS) {
          Page page = visit.open(view);
          assertThat(page.getByRole(AriaRole.HEADING, level(1))).isVisible();
          assertThat(page.getByText("Asking for")).hasCount(0);
          visit.assertAccessible(colours + " #/" + view);
          if (view.equals("links")) {
            assertShadesAreEverStronger(page);
          }
        }
        Page page = visit.open("chains/" + chain.id());
        assertThat(panel(page, "Streams")).containsText("completed");
        visit.assertAccessible(colours + " chain");
        visit.assertQuiet();
      }
    }
  }

  /** A phone, and a window that the wide tables about fill. */
  @ParameterizedTest
  @ValueSource(ints = {360, 1_400})
  void noViewIsWiderThanItsWindow(int width) {
    try (Visit visit = browser.visit(cluster.address(), ColorScheme.LIGHT, width, 740)) {
      for (String view : VIEWS) {
        Page page = visit.open(view);
        assertThat(page.getByText("Asking for")).hasCount(0);
        if (TABLES.containsKey(view)) {
          assertThat(page.getByRole(AriaRole.TABLE, exactly(TABLES.get(view)))).isVisible();
        }
        assertFits(page, width, view);
      }
      Page page = visit.open("chains/" + chain.id());
      assertThat(panel(page, "Streams")).containsText("completed");
      assertFits(page, width, "a chain");
    }
  }

  private static void assertFits(Page page, int width, String view) {
    assertThat(page.evaluate("document.documentElement.scrollWidth")).as(view).isEqualTo(width);
    assertNothingIsCutSilently(page, view);
  }

  @Test
  void aFailedOpeningIsToldUntilItIsSilenced() {
    ChainRequest taken =
        new ChainRequest(
            "127.0.0.1:" + traffic.port(),
            "turned-round",
            List.of("r2"),
            null,
            null,
            null,
            null,
            null,
            cluster.address().getPort(),
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null);
    assertThatThrownBy(() -> cluster.client().open(taken, null)).hasMessageContaining("r2");
    try (Visit visit = browser.visit(cluster.address())) {
      Page page = visit.open("");
      Locator alarm =
          page.locator(".attention > ul > li")
              .filter(text("Chain turned-round could not be opened"));
      assertThat(alarm).isVisible();
      visit.assertAccessible("an opening that failed");

      alarm.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Silence")).click();
      page.getByLabel("Reason").fill("its port is taken");
      page.keyboard().press("Enter");
      assertThat(alarm).hasCount(0);
      page.reload();
      assertThat(figure(page, "Relays")).containsText("3 of 3");
      assertThat(alarm).hasCount(0);
      visit.assertQuiet();
    }
  }

  @Test
  void whatIfIsAnsweredAndOpenedFromThePlan() {
    try (Visit visit = browser.visit(cluster.address())) {
      visit.lacksWhatNeedsASecureContext();
      Page page = visit.open("plan");
      page.getByLabel("Destination").fill("nowhere");
      page.getByRole(AriaRole.BUTTON, exactly("Plan")).click();
      assertThat(page.getByText("A host and a port")).isVisible();

      page.getByLabel("Destination").fill("127.0.0.1:" + traffic.port());
      page.getByLabel("Traffic starts at").selectOption("r1");
      page.getByLabel("Bytes", new Page.GetByLabelOptions().setExact(true)).fill("1GiB");
      page.getByText("Constraints").click();
      page.getByLabel("Exactly via").fill("r1, r3");
      page.keyboard().press("Enter");
      assertThat(panel(page, "Every candidate")).containsText("Via r1, r3");
      assertThat(panel(page, "Every candidate")).containsText("Time for 1 GiB");
      visit.assertAccessible("a plan");

      page.getByRole(AriaRole.BUTTON, named("Open this chain")).click();
      page.getByLabel("Name (optional)").fill("from-the-page");
      visit.assertAccessible("the question before a chain is opened");
      page.getByRole(AriaRole.BUTTON, exactly("Open")).click();

      assertThat(page.getByRole(AriaRole.HEADING, level(1))).containsText("from-the-page");
      Chain opened =
          cluster.client().chains().chains().stream()
              .filter(one -> "from-the-page".equals(one.name()))
              .findFirst()
              .orElseThrow();
      assertThat(opened.state()).isEqualTo(ChainState.READY);
      assertThat(opened.relays()).containsExactly("r1", "r3");
      cluster.client().close(opened.id(), false);
      assertThat(page.locator(".heading")).containsText("closed");
      visit.assertQuiet();
    }
  }

  @Test
  void aRePlanAsksTheQuestionThatTheChainWasTheAnswerTo() {
    PlanRequest question =
        PlanRequest.builder()
            .destination("127.0.0.1:" + traffic.port())
            .bytes(10L << 30)
            .source(new Source("r3", null, "bbr"))
            .avoid(List.of("r2"))
            .maxRelays(2)
            .congestionControl("cubic")
            .capacityBitsPerSecond(1_000_000_000L)
            .limits(new RouteLimits(List.of("desk"), null, 0.5, 2.5, null))
            .build();
    Chain answered =
        cluster
            .client()
            .open(
                new ChainRequest(
                    question.destination(),
                    "answered",
                    List.of("r1"),
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    question,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null),
                null);
    try (Visit visit = browser.visit(cluster.address())) {
      Page page = visit.open("chains/" + answered.id());
      Request asked =
          page.waitForRequest(
              Pattern.compile("/api/v1/plans$"),
              () -> page.getByRole(AriaRole.BUTTON, named("Re-plan")).click());

      assertThat(page.getByLabel("Destination")).hasValue(question.destination());
      assertThat(page.getByLabel("Traffic starts at")).hasValue("r3");
      assertThat(page.getByLabel("Relays at most")).hasValue("2");
      assertThat(page.getByLabel("Not via")).hasValue("r2");
      assertThat(page.getByLabel("Exactly via")).hasValue("");
      assertThat(page.getByLabel("Only at sites")).hasValue("desk");
      assertThat(page.getByLabel("Price per hour at most")).hasValue("2.5");
      visit.assertAccessible("a question asked again");
      assertThat(Json.strict().readValue(asked.postData(), PlanRequest.class)).isEqualTo(question);
      assertThat(panel(page, "Every candidate")).isVisible();
      visit.assertQuiet();
    } finally {
      cluster.client().close(answered.id(), true);
    }
  }

  @Test
  void aPageThatWasJustOpenedKnowsThePastMinutes() {
    await()
        .atMost(LONG)
        .until(() -> cluster.client().chainHistory(chain.id()).spans().size() >= REMEMBERED);
    for (String view : List.of("", "chains/" + chain.id())) {
      try (Visit visit = browser.visit(cluster.address())) {
        Page page = visit.open(view);
        // Drawn as soon as there are two points: the page itself has looked twice then, at the
        // most.
        String drawn =
            page.waitForSelector(
                    "svg path.series.achieved",
                    new Page.WaitForSelectorOptions().setState(WaitForSelectorState.ATTACHED))
                .getAttribute("d");

        assertThat(drawn.chars().filter(c -> c == 'L' || c == 'M').count())
            .as("points of #/%s", view)
            .isGreaterThanOrEqualTo(REMEMBERED);
        visit.assertQuiet();
      }
    }
  }

  @Test
  void aDayIsDrawnWithoutAHoleWhereSomebodyChoosesItAndStaysChosen() {
    try (Visit visit = browser.visit(cluster.address())) {
      visit.page().route("**/statistics/history?seconds=86400", DashboardTest::answerWithADay);
      Page page = visit.open("");
      page.getByLabel("Past").selectOption("24 h");
      Locator line = page.locator("svg path.series.achieved");
      assertThat(line).hasAttribute("d", A_DAY_IN_ONE_PIECE);

      page.reload();
      assertThat(page.getByLabel("Past")).hasValue("1440");
      assertThat(line).hasAttribute("d", A_DAY_IN_ONE_PIECE);
      visit.open("chains/" + chain.id());
      assertThat(page.getByLabel("Past")).hasValue("1440");
      visit.assertAccessible("a day of a chain");
      visit.assertQuiet();
    }
  }

  /** Traffic in every span of the past day, up to half a minute ago. */
  private static void answerWithADay(Route route) {
    Duration span = Duration.ofMinutes(2);
    Instant end = Instant.now().minusSeconds(30);
    List<RateSpan> spans = new ArrayList<>();
    for (int back = SPANS_OF_A_DAY; back > 0; back--) {
      spans.add(new RateSpan(end.minus(span.multipliedBy(back)), 1e6, 0.0));
    }
    route.fulfill(
        new Route.FulfillOptions()
            .setContentType("application/json")
            .setBody(
                Json.strict().writeValueAsString(new RateHistory((int) span.toSeconds(), spans))));
  }

  @Test
  void aChainIsClosedByKeyboardAfterAQuestion() {
    Chain doomed = cluster.client().open(planned("doomed", "r2"), null);
    try (Visit visit = browser.visit(cluster.address())) {
      Page page = visit.open("chains/" + doomed.id());
      Locator close = page.getByRole(AriaRole.BUTTON, named("Close…"));
      close.focus();
      page.keyboard().press("Enter");
      assertThat(page.getByRole(AriaRole.DIALOG)).isVisible();
      page.keyboard().press("Escape");
      assertThat(page.getByRole(AriaRole.DIALOG)).hasCount(0);
      assertThat(close).isFocused();
      assertThat(cluster.client().chain(doomed.id()).state()).isEqualTo(ChainState.READY);

      page.keyboard().press("Enter");
      visit.assertAccessible("the question before a chain is closed");
      page.getByRole(AriaRole.BUTTON, named("Close the chain")).focus();
      page.keyboard().press("Enter");
      cluster.awaitState(doomed.id(), ChainState.CLOSED);
      assertThat(page.locator(".heading")).containsText("closed");
      visit.assertQuiet();
    }
  }

  @Test
  void relaysSayWhatTheyTakeOfTheirProcessors() {
    try (Visit visit = browser.visit(cluster.address())) {
      Page page = visit.open("relays");
      // By its link: a row's whole text may end a cell with "r" before one that begins with "1".
      Locator row =
          page.getByRole(AriaRole.TABLE, exactly("Relays"))
              .getByRole(AriaRole.ROW)
              .filter(
                  new Locator.FilterOptions().setHas(page.getByRole(AriaRole.LINK, exactly("r1"))));
      assertThat(row.getByTitle(Pattern.compile("^of [0-9]+ processors?$")))
          .hasText(Pattern.compile("^[0-9.]+ %$"));

      page = visit.open("relays/r1");
      assertThat(panel(page, "Load"))
          .containsText(Pattern.compile("Processor time.*% of [0-9]+ processor"));
      visit.assertQuiet();
    }
  }

  @Test
  void aRelayIsDrainedAndUsedAgain() {
    try (Visit visit = browser.visit(cluster.address())) {
      Page page = visit.open("relays/r3");
      page.getByRole(AriaRole.BUTTON, named("Drain…")).click();
      visit.assertAccessible("the question before a relay is drained");
      page.getByRole(AriaRole.BUTTON, exactly("Drain")).click();
      assertThat(page.locator(".heading")).containsText("draining");
      assertThat(page.getByText("Drained: nothing new is planned through it")).isVisible();
      assertThat(cluster.client().relay("r3").drained()).isTrue();

      page.getByRole(AriaRole.BUTTON, named("Use again…")).click();
      page.getByRole(AriaRole.BUTTON, named("Use it again")).click();
      assertThat(page.locator(".heading")).containsText("up");
      assertThat(cluster.client().relay("r3").status()).isEqualTo(RelayStatus.UP);
      visit.assertQuiet();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"live.js", "style.css"})
  void aPageThatDidNotArriveWholeIsLoadedAgain(String missing) {
    try (Visit visit = browser.visit(cluster.address())) {
      AtomicBoolean brokenOff = visit.breaksOffOnce("**/" + missing);
      Page page = visit.open("relays/r2");
      assertThat(page.locator(".heading")).containsText("r2");
      assertThat(brokenOff).isTrue();
      assertThat(page.evaluate("document.styleSheets[0].cssRules.length > 0")).isEqualTo(true);
      visit.assertQuiet();
    }
  }

  @Test
  void aRequestThatTheNetworkBrokeOffIsRepeated() {
    try (Visit visit = browser.visit(cluster.address())) {
      AtomicBoolean brokenOff = visit.breaksOffOnce("**/draining");
      Page page = visit.open("relays/r3");
      page.getByRole(AriaRole.BUTTON, named("Drain…")).click();
      page.getByRole(AriaRole.BUTTON, exactly("Drain")).click();
      assertThat(page.locator(".heading")).containsText("draining");
      assertThat(brokenOff).isTrue();
      visit.assertQuiet();
    } finally {
      cluster.client().useAgain("r3");
    }
  }

  @Test
  void anOrchestratorThatIsAwayIsSaidAndComesBack() throws Exception {
    try (Visit visit = browser.visit(cluster.address())) {
      Page page = visit.open("");
      assertThat(page.getByRole(AriaRole.STATUS).filter(text("Live"))).isVisible();
      // The requests fail as they do when nobody listens; the cluster is others' too.
      page.context().setOffline(true);
      assertThat(page.getByRole(AriaRole.ALERT)).containsText("does not answer");
      assertThat(figure(page, "Relays")).containsText("3 of 3");
      visit.assertAccessible("disconnected");

      page.context().setOffline(false);
      assertThat(page.getByRole(AriaRole.ALERT)).hasCount(0);
      assertThat(page.getByRole(AriaRole.STATUS).filter(text("Live"))).isVisible();
    }
  }

  @Test
  void eventsComeAsTheyHappen() {
    try (Visit visit = browser.visit(cluster.address())) {
      Page page = visit.open("events");
      assertThat(page.getByText("relay r1 registered").first()).isVisible();
      Chain brief = cluster.client().open(planned("brief", "r3"), null);
      Locator link =
          page.getByRole(AriaRole.LINK, named("chain " + brief.id().toString().substring(0, 8)));
      assertThat(link.first()).isVisible();
      cluster.client().close(brief.id(), true);
      assertThat(page.locator(".events li").filter(text("closed")).first()).isVisible();
      visit.assertQuiet();
    }
  }

  @Test
  void theAuditTrailTellsWhoDidWhatPageByPage() {
    try (Visit visit = browser.visit(cluster.address())) {
      for (int i = 0; i < 60; i++) {
        ApiKeyRequest brief = ApiKeyRequest.builder().name("brief").role(Role.VIEWER).build();
        cluster.client().revokeKey(cluster.client().createKey(brief).key().id());
      }
      Page page = visit.open("audit");
      Locator rows = page.getByRole(AriaRole.ROW);
      assertThat(rows.filter(text("revokeKey")).first()).containsText("204");
      assertThat(rows).hasCount(101); // with that of the heads
      assertThat(rows.filter(text("openChain"))).hasCount(0);
      page.getByRole(AriaRole.BUTTON, named("Older entries")).click();
      assertThat(rows.filter(text("openChain")).first()).isVisible();
      visit.assertQuiet();
    }
  }

  @Test
  void withATokenThePageAsksForIt() throws Exception {
    String token = "a-secret-of-some-length";
    Path own = java.nio.file.Files.createDirectory(folder.resolve("with-token"));
    try (Verb orchestrator =
        Verb.start(
            own,
            "orchestrator",
            "--listen",
            "127.0.0.1:0",
            "--state-dir",
            own.toString(),
            "--token",
            token)) {
      URI address = URI.create(orchestrator.awaitLine("ready at (\\S+)").group(1));
      try (Visit slow = browser.visit(address)) {
        slow.paintsSeldom();
        assertThat(slow.open("relays").getByLabel("Token")).isVisible();
      }
      try (Visit visit = browser.visit(address)) {
        Page page = visit.open("relays");
        page.getByLabel("Token").fill("wrong");
        page.keyboard().press("Enter");
        assertThat(page.getByText("This is neither the token")).isVisible();
        visit.assertAccessible("asking for the token");

        page.getByLabel("Token").fill(token);
        page.keyboard().press("Enter");
        assertThat(page.getByText("No relay has registered")).isVisible();
        assertThat(page.getByRole(AriaRole.STATUS).filter(text("Live"))).isVisible();
        for (String view : VIEWS) {
          visit.open(view);
          assertThat(page.getByText("Asking for")).hasCount(0);
          visit.assertAccessible("empty #/" + view);
        }
        visit.assertQuiet();
      }
    }
  }

  @Test
  void theOrchestratorSaysWhereItIs() throws Exception {
    await().until(() -> cluster.orchestrator().text().contains("dashboard at"));
    assertThat(cluster.orchestrator().text())
        .contains("dashboard at " + cluster.address() + "/ui/");
  }

  /** Stronger is darker among light colours, and lighter among dark ones. */
  private static void assertShadesAreEverStronger(Page page) {
    Object contrasts =
        page.evaluate(
            """
            () => {
              const light = (colour) => colour.match(/\\d+/g).slice(0, 3).reduce((sum, one) => sum + Number(one), 0);
              const ground = light(getComputedStyle(document.querySelector('.panel')).backgroundColor);
              return [...document.querySelectorAll('.ramp i')]
                .map((one) => Math.abs(light(getComputedStyle(one).backgroundColor) - ground));
            }\
            """);
    assertThat(contrasts)
        .asInstanceOf(InstanceOfAssertFactories.list(Integer.class))
        .hasSize(4)
        .isSorted();
  }

  /** What does not fit either wraps, or its edge shows that it goes on. */
  private static void assertNothingIsCutSilently(Page page, String view) {
    Object cut =
        page.evaluate(
            """
            () => [...document.querySelectorAll('nav, .scroll')]
              .filter((box) => box.scrollWidth > box.clientWidth + 1)
              .filter((box) => !box.parentElement.matches('.more-right'))
              .map((box) => box.ariaLabel)\
            """);
    assertThat(cut).asInstanceOf(InstanceOfAssertFactories.list(String.class)).as(view).isEmpty();
  }

  private static Locator figure(Page page, String label) {
    return page.locator(".figure")
        .filter(new Locator.FilterOptions().setHasText(Pattern.compile("^" + label)));
  }

  private static Locator panel(Page page, String title) {
    return page.getByRole(
            AriaRole.REGION, new Page.GetByRoleOptions().setName(title).setExact(true))
        .first();
  }

  private static Locator row(Locator table, String name) {
    return table.getByRole(AriaRole.ROW).filter(text(name));
  }

  private static Locator.FilterOptions text(String text) {
    return new Locator.FilterOptions().setHasText(text);
  }

  private static Page.GetByRoleOptions named(String name) {
    return new Page.GetByRoleOptions().setName(name);
  }

  private static Page.GetByRoleOptions exactly(String name) {
    return new Page.GetByRoleOptions().setName(name).setExact(true);
  }

  private static Page.GetByRoleOptions level(int level) {
    return new Page.GetByRoleOptions().setLevel(level);
  }
}
