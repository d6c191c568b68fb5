package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.deque.html.axecore.args.AxeRuleOptions;
import com.deque.html.axecore.args.AxeRunOptions;
import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.Rule;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.PlaywrightException;
import com.microsoft.playwright.options.ColorScheme;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/** The browser of this machine, without a window, and what may not happen in it. */
final class Chromium implements AutoCloseable {
  private static final List<Path> PLACES =
      Stream.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
          .map(Path::of)
          .toList();

  private final Playwright playwright;
  private final Browser browser;
  private String lastSeen = "nothing";

  private Chromium(Playwright playwright, Browser browser) {
    this.playwright = playwright;
    this.browser = browser;
  }

  /** Skips the test where there is none, and fails it in continuous integration. */
  static Chromium start() {
    List<Path> found = PLACES.stream().filter(Files::isExecutable).toList();
    if (found.isEmpty()) {
      String missing =
          "no Chromium on this machine (apt install chromium): the dashboard is untested";
      if (System.getenv("CI") != null) {
        throw new AssertionError(missing);
      }
      System.err.println("SKIPPED: " + missing);
      assumeTrue(false, missing);
    }
    Playwright playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    try {
      return new Chromium(
          playwright,
          playwright
              .chromium()
              .launch(
                  new BrowserType.LaunchOptions()
                      .setExecutablePath(found.getFirst())
                      .setArgs(
                          List.of(
                              "--no-sandbox",
                              "--disable-gpu",
                              "--disable-dev-shm-usage",
                              "--disable-background-networking"))));
    } catch (RuntimeException e) {
      playwright.close();
      throw e;
    }
  }

  /** A visitor without a past. */
  Visit visit(URI orchestrator, ColorScheme colours, int width, int height) {
    BrowserContext context =
        browser.newContext(
            new Browser.NewContextOptions()
                .setColorScheme(colours)
                .setViewportSize(width, height)
                .setBaseURL(orchestrator.toString()));
    return new Visit(context, orchestrator);
  }

  Visit visit(URI orchestrator) {
    return visit(orchestrator, ColorScheme.LIGHT, 1360, 900);
  }

  @Override
  public void close() {
    browser.close();
    playwright.close();
  }

  /** What the page showed and complained of when the last visit was over. */
  String lastSeen() {
    return lastSeen;
  }

  /** One page, and everything that it asked for or complained of. */
  final class Visit implements AutoCloseable {
    private final BrowserContext context;
    private final URI orchestrator;
    private final Page page;
    private final List<String> foreign = new CopyOnWriteArrayList<>();
    private final List<String> errors = new CopyOnWriteArrayList<>();

    private Visit(BrowserContext context, URI orchestrator) {
      this.context = context;
      this.orchestrator = orchestrator;
      this.page = context.newPage();
      page.onRequest(request -> {
        if (!request.url().startsWith(orchestrator + "/")) {
          foreign.add(request.url());
        }
      });
      page.onPageError(errors::add);
      page.onConsoleMessage(message -> {
        // A refused or unanswered request is said to the user; the browser notes it, too.
        if (message.type().equals("error")
            && !message.text().startsWith("Failed to load resource")) {
          errors.add(message.text());
        }
      });
    }

    Page page() {
      return page;
    }

    /** Paints pages every three seconds only, as a busy machine does. */
    void paintsSeldom() {
      page.addInitScript(
          """
          const later = setTimeout;
          const frame = [];
          requestAnimationFrame = (task) => frame.push(task);
          setInterval(() => frame.splice(0).forEach((task) => task()), 3_000);
          setTimeout = (task, millis, ...more) => millis > 0 && millis < 150 ? 0 : later(task, millis, ...more);
          """);
    }

    /**
     * Gives pages what browsers offer over plain HTTP from another machine, from now on. The
     * loopback address would be a secure context.
     */
    void lacksWhatNeedsASecureContext() {
      page.addInitScript("delete Crypto.prototype.randomUUID");
    }

    /**
     * The first request for what the pattern tells is broken off, as by the second of two changes
     * of the network: after the first one Chromium repeats it by itself.
     *
     * @return whether it came
     */
    AtomicBoolean breaksOffOnce(String pattern) {
      AtomicBoolean came = new AtomicBoolean();
      page.route(
          pattern,
          route -> {
            came.set(true);
            route.abort("connectionreset");
          },
          new Page.RouteOptions().setTimes(1));
      return came;
    }

    /**
     * Such as {@code chains/ID}. Again where other tests change the machine's network meanwhile.
     */
    Page open(String view) {
      String address = orchestrator + "/ui/#/" + view;
      try {
        page.navigate(address);
      } catch (PlaywrightException e) {
        assertThat(e).hasMessageContaining("ERR_NETWORK_CHANGED");
        page.navigate(address);
      }
      return page;
    }

    /** Nothing that axe-core finds wrong with WCAG 2.2 AA or its best practices. */
    void assertAccessible(String what) {
      AxeRuleOptions on = new AxeRuleOptions();
      on.setEnabled(true);
      AxeRunOptions options = new AxeRunOptions();
      options.setRules(Map.of("label-content-name-mismatch", on)); // WCAG 2.5.3; off unless asked
      List<String> violations =
          new AxeBuilder(page)
                  .options(options)
                  .withTags(
                      List.of(
                          "wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"))
                  .analyze()
                  .getViolations()
                  .stream()
                  .map(Visit::told)
                  .toList();
      assertThat(violations).as(what).isEmpty();
    }

    private static String told(Rule rule) {
      return rule.getId()
          + ": "
          + rule.getNodes().stream()
              .limit(3)
              .map(node -> node.getTarget() + " " + node.getFailureSummary())
              .toList();
    }

    void assertQuiet() {
      assertThat(foreign).as("requests to others").isEmpty();
      assertThat(errors).as("errors in the console").isEmpty();
    }

    @Override
    public void close() {
      lastSeen = page.url() + ", errors: " + errors + "\n" + page.locator("body").innerText();
      context.close();
    }
  }
}
