package io.cascade.it;

import static io.cascade.it.ClientPrograms.need;
import static io.cascade.it.ClientPrograms.needRoot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainList;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.LinkList;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.Relay;
import io.cascade.api.orchestrator.WayComparison;
import io.cascade.lab.Lab;
import io.cascade.links.LinkShape;
import io.cascade.links.Loss;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * An undecided plan on a network where a relay pays, between two links that lose much: relays at
 * both ends compare the direct way and the one through it, and the plan is decided by that.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ComparedWaysTest {
  /** At most eight times a test, the least of which is of 128 KiB. */
  private static final String BYTES = "1000000";

  /** After so many a comparison ends, decided or not. */
  private static final int MOST_PAIRS = 12;

  @TempDir private static Path folder;

  @SuppressWarnings("NullAway.Init")
  private static Lab lab;

  @SuppressWarnings("NullAway.Init")
  private static LabRelays relays;

  @SuppressWarnings("NullAway.Init")
  private static FileSite files;

  @BeforeAll
  static void up() throws Exception {
    needRoot("a lab that this process can enter");
    assumeTrue(Files.exists(Path.of("/dev/net/tun")), "SKIPPED: labs need /dev/net/tun");
    need("curl");
    LinkShape lossy =
        LinkShape.of(Duration.ofMillis(10), 50_000_000).withLoss(new Loss.Bernoulli(0.02));
    relays = LabRelays.inARow("compared", folder, lossy);
    lab = relays.lab();
    files = FileSite.at(lab.site("server"));
    await()
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofMillis(500))
        .until(() ->
            relays.orchestrator("/api/v1/links", LinkList.class).links().stream()
                    .filter(link -> link.minRttMillis() != null)
                    .count()
                == LabRelays.LINKS);
  }

  @AfterAll
  static void down() {
    if (files != null) {
      files.close();
    }
    if (lab != null) {
      lab.close();
    }
  }

  @Test
  void anUndecidedPlanIsDecidedByWhatBothWaysCarried() throws Exception {
    Plan before = plan(false);
    assertThat(before.decision()).as(before.summary()).isEqualTo(Decision.UNDECIDED);

    Plan plan = plan(true);

    String said = plan.summary() + plan.notes();
    assertThat(plan.comparison()).as(said).isNotNull();
    WayComparison compared = Objects.requireNonNull(plan.comparison());
    assertThat(compared.from()).isEqualTo("edge");
    assertThat(compared.relays()).containsExactly("middle");
    assertThat(compared.to()).isEqualTo("far");
    assertThat(compared.pairs()).isBetween(1, MOST_PAIRS);
    // Half the round trip and half the loss: on an idle machine a few pairs show that.
    boolean mayBeOpen = compared.stoppedBecause() != null || compared.pairs() == MOST_PAIRS;
    List<Decision> right =
        mayBeOpen ? List.of(Decision.CASCADE, Decision.UNDECIDED) : List.of(Decision.CASCADE);
    assertThat(compared.decision()).as(said).isIn(right);
    assertThat(plan.decision()).as(said).isIn(right);
    String pairs = compared.pairs() == 1 ? "one pair" : compared.pairs() + " pairs";
    assertThat(said).contains("by " + pairs + " of tests from edge to far");
    assertThat(moved("far"))
        .as("what the relay at the destination took from its budget")
        .isGreaterThanOrEqualTo(compared.bytes());
    assertThat(relays.orchestrator("/api/v1/chains", ChainList.class).chains())
        .singleElement()
        .satisfies(ComparedWaysTest::isClosedChainToFar);
    assertThat(files.lastClient()).as("nothing was sent to the destination").isEmpty();

    String shown =
        relays.verb("plan", "--from", "edge", "--to", files.address(), "--bytes", BYTES, "--test");
    // It measures anew; where another cascade is the best by that, it names other tests or none.
    assertThat(shown.replaceAll("\\s+", " "))
        .contains("times as fast as direct")
        .containsAnyOf(right.stream().map(one -> "Decision: " + one).toArray(String[]::new));
  }

  private static void isClosedChainToFar(Chain chain) {
    assertThat(chain.name()).startsWith("compare-");
    assertThat(chain.relays()).containsExactly("middle");
    assertThat(chain.destination()).startsWith("server:");
    assertThat(chain.state()).isEqualTo(ChainState.CLOSED);
  }

  /** Bytes of tests that a relay has moved. */
  private static double moved(String name) {
    Relay relay = relays.orchestrator("/api/v1/relays/" + name, Relay.class);
    var control = Objects.requireNonNull(relay.control());
    Matcher counted =
        Pattern.compile("cascade_relay_test_moved_bytes_total(?:\\{[^}]*})? ([0-9.E]+)")
            .matcher(
                relays.curl(
                    "http://%s:%d/control/v1/metrics".formatted(control.host(), control.port())));
    assertThat(counted.find()).isTrue();
    return Double.parseDouble(counted.group(1));
  }

  private static Plan plan(boolean compare) {
    return relays.orchestrator(
        "/api/v1/plans",
        Plan.class,
        "-H",
        "Content-Type: application/json",
        "-d",
        """
        {"destination": "%s", "bytes": %s, "source": {"relay": "edge"}, "transport": "TCP",
         "measureSeconds": 0, "compare": %s}\
        """
            .formatted(files.address(), BYTES, compare));
  }
}
