package io.cascade.it;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.cascade.api.orchestrator.ApiKeyRequest;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.Role;
import io.cascade.it.Chromium.Visit;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the dashboard offers to whom, in a real browser: to each role what it may do. */
@Timeout(180)
@SuppressWarnings("NullAway.Init")
class RolesPageTest extends DashboardPage {
  private static final List<String> VIEWS =
      List.of(
          "",
          "topology",
          "chains",
          "relays",
          "links",
          "gateways",
          "splitters",
          "plan",
          "advice",
          "events",
          "audit");

  private ServerSocket destination;

  @Override
  String token() {
    return "a-secret-of-some-length";
  }

  @BeforeEach
  void startRelay() throws Exception {
    destination = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    parts.push(destination);
    Verb relay =
        Verb.start(
            folder,
            "relay",
            "--name",
            "r1",
            "--orchestrator",
            address.toString(),
            "--token",
            token(),
            "--hop-port",
            "0",
            "--control-port",
            "0");
    parts.push(relay);
    relay.awaitLine("cascade relay r1 ready");
    await().atMost(Cluster.PATIENCE).until(() -> plane.hearsOf(1));
  }

  private ControlPlane as(Role role) {
    ApiKeyRequest request = ApiKeyRequest.builder().name("somebody").role(role).build();
    return new ControlPlane(address, plane.client().createKey(request).secret());
  }

  private Chain openChain(ControlPlane as) {
    return as.open("127.0.0.1:" + destination.getLocalPort(), List.of("r1"));
  }

  @Test
  void anOperatorIsOfferedEverything() {
    ControlPlane operator = as(Role.OPERATOR);
    Chain chain = openChain(operator);
    assertOffered(operator, Role.OPERATOR, VIEWS);

    assertActions(operator, "chains/" + chain.id(), "Re-plan…", "Close…");
    assertActions(operator, "relays/r1", "Drain…", "Forget…");
  }

  @Test
  void aViewerIsOfferedNothingThatPlansOrChangesSomething() {
    Chain chain = openChain(plane);
    ControlPlane viewer = as(Role.VIEWER);
    assertOffered(
        viewer,
        Role.VIEWER,
        List.of(
            "",
            "topology",
            "chains",
            "relays",
            "links",
            "gateways",
            "splitters",
            "advice",
            "events"));

    assertActions(viewer, "chains");
    assertActions(viewer, "chains/" + chain.id());
    assertActions(viewer, "relays/r1");
  }

  @Test
  void aClientIsOfferedItsChainsAndPlansAndNothingOfTheNetwork() {
    ControlPlane client = as(Role.CLIENT);
    Chain own = openChain(client);
    assertOffered(client, Role.CLIENT, List.of("", "chains", "relays", "plan"));

    assertActions(client, "chains", "Plan and open…");
    assertActions(client, "chains/" + own.id(), "Re-plan…", "Close…");
    assertActions(client, "relays/r1");
  }

  /**
   * These views are in the navigation and shown, the others are neither; no link leads to one of
   * those, and nothing is asked for that is refused.
   */
  private void assertOffered(ControlPlane as, Role role, List<String> views) {
    try (Visit visit = browser.visit(address)) {
      List<String> refused = new CopyOnWriteArrayList<>();
      visit
          .page()
          .onResponse(response -> {
            if (response.status() == 403) {
              refused.add(response.url());
            }
          });
      Page page = signIn(visit, as);
      assertThat(page.locator(".tools"))
          .containsText("somebody · " + role.name().toLowerCase(Locale.ROOT));

      Locator navigation =
          page.getByRole(AriaRole.NAVIGATION, new Page.GetByRoleOptions().setName("Views"));
      assertThat(targets(navigation)).isEqualTo(views);
      List<String> pages = new ArrayList<>(VIEWS);
      as.client().chains().chains().forEach(chain -> pages.add("chains/" + chain.id()));
      pages.add("relays/r1");
      for (String view : pages) {
        visit.open(view);
        Locator denied =
            page.getByRole(
                AriaRole.HEADING, new Page.GetByRoleOptions().setName("Not for this key"));
        if (views.contains(view.replaceFirst("/.*", ""))) {
          assertShown(page, view);
          assertThat(denied).hasCount(0);
          assertThat(targets(page.locator("main"))).as("links of #/" + view).isSubsetOf(views);
          if (view.isEmpty()) {
            assertThat(page.locator(".figures")).isVisible();
            assertThat(page.locator("label.range")).hasCount(role == Role.CLIENT ? 0 : 1);
          }
        } else {
          assertThat(denied).isVisible();
        }
      }
      assertThat(refused).isEmpty();
      visit.assertQuiet();
    }
  }

  /** What the head of the page offers to do. */
  private void assertActions(ControlPlane as, String view, String... actions) {
    try (Visit visit = browser.visit(address)) {
      signIn(visit, as);
      Page page = visit.open(view);
      assertShown(page, view);
      Locator offered = page.locator(".heading .actions").locator("button, a");
      if (actions.length == 0) {
        assertThat(offered).hasCount(0);
      } else {
        assertThat(offered).hasText(actions);
      }
    }
  }

  private static Page signIn(Visit visit, ControlPlane as) {
    Page page = visit.open("");
    page.getByLabel("Token").fill(String.valueOf(as.token()));
    page.keyboard().press("Enter");
    assertThat(page.locator(".figures")).isVisible();
    return page;
  }

  private static void assertShown(Page page, String view) {
    String name = view.isEmpty() ? "overview" : view.replaceFirst("/.*", "");
    String title = name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    assertThat(page).hasTitle(Pattern.compile("(^|· )" + title + " · Cascade$"));
    assertThat(page.getByText("Asking for")).hasCount(0);
  }

  /** First parts of the addresses to which links lead. */
  private static List<String> targets(Locator links) {
    return links.locator("a[href^='#/']").all().stream()
        .map(link -> link.getAttribute("href").replaceFirst("#/([a-z]*).*", "$1"))
        .distinct()
        .toList();
  }
}
