package io.cascade.it;

import static io.cascade.it.ClientPrograms.need;
import static io.cascade.it.ClientPrograms.needRoot;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.api.Json;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainList;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.ChainStream;
import io.cascade.api.orchestrator.ChainStreams;
import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.LinkList;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.Relay;
import io.cascade.api.relay.StreamList;
import io.cascade.api.relay.StreamReport;
import io.cascade.lab.Lab;
import io.cascade.lab.Site;
import io.cascade.lab.Topology;
import io.cascade.lab.Topology.LinkSpec;
import io.cascade.lab.Topology.SiteSpec;
import io.cascade.links.LinkShape;
import io.cascade.links.Loss;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * SOCKS5 and CONNECT on a network where relays pay: two links in a row that lose much. The first
 * stream goes directly, is planned for, and those that come later go through the chain that the
 * plan opened.
 */
@Timeout(value = 6, unit = TimeUnit.MINUTES)
class PlannedProxyTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int SMALL = 20_000;
  private static final int DOWNLOAD = 3 << 20;
  private static final int UPLOAD = 2 << 20;

  /** Probes that tell 3 % on each link and 6 % on both apart. */
  private static final long ENOUGH_PROBES = 300;

  private static final String SOCKS = "socks5h://127.0.0.1:1080";
  private static final String CONNECT = "http://127.0.0.1:3128";

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
        LinkShape.of(Duration.ofMillis(5), 50_000_000).withLoss(new Loss.Bernoulli(0.03));
    lab =
        Lab.up(
            new Topology(
                "proxy-" + ProcessHandle.current().pid(),
                1,
                List.of(
                    new SiteSpec("client", "reno", List.of()),
                    new SiteSpec("middle", "reno", List.of("middle")),
                    new SiteSpec("server", "reno", List.of())),
                List.of(
                    LinkSpec.symmetric("client", "middle", lossy),
                    LinkSpec.symmetric("middle", "server", lossy)),
                "client",
                List.of()));
    relays = new LabRelays(lab, folder, "client");
    relays.start("client", "edge", "--socks", "127.0.0.1:1080", "--http-connect", "127.0.0.1:3128");
    relays.start("server", "far");
    files = FileSite.at(lab.site("server"));
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
  void theFirstStreamGoesDirectlyAndLaterOnesThroughTheChainThatItsPlanOpened() throws Exception {
    awaitThatACascadePays();
    assertThat(chains()).isEmpty();

    download(SOCKS, SMALL);

    assertThat(handshakes()).isEqualTo(Map.of("direct", 1L));
    assertThat(files.lastClient()).isEqualTo(lab.site("client").address());
    Chain chain = awaitChain();
    assertThat(chain.destination()).isEqualTo(files.address());
    assertThat(chain.relays()).startsWith("edge", "middle");
    assertThat(chain.ingress()).as("nobody but the proxies' clients gets in").isNull();
    assertThat(Objects.requireNonNull(chain.plan()).decision()).isEqualTo(Decision.CASCADE);
    assertThat(chain.trial()).as("what the relay tries, though the plan was decided").isNull();
    awaitThatStreamsTakeIt();

    Long direct = handshakes().get("direct");
    download(SOCKS, DOWNLOAD);
    assertThat(files.lastClient()).isEqualTo(lastRelay(chain).address());
    upload(CONNECT, UPLOAD);
    assertThat(files.lastClient()).isEqualTo(lastRelay(chain).address());

    assertThat(handshakes().get("direct")).as("streams that went directly").isEqualTo(direct);
    assertSeenAtEveryRelay(chain);
    assertThat(chains()).as("chains for one destination").hasSize(1);
  }

  /** Waits until a plan says so, as the planner will for the proxy's client. */
  private static void awaitThatACascadePays() {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> {
          List<Long> sent =
              orchestrator("/api/v1/links", LinkList.class).links().stream()
                  .map(link -> link.probesSent())
                  .toList();
          return sent.size() == 6 && sent.stream().allMatch(probes -> probes >= ENOUGH_PROBES);
        });
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(2))
        .untilAsserted(() -> {
          Plan plan = plan();
          assertThat(plan.decision()).as(plan.summary()).isEqualTo(Decision.CASCADE);
        });
  }

  private static Plan plan() {
    return orchestrator(
        "/api/v1/plans",
        Plan.class,
        "-H",
        "Content-Type: application/json",
        "-d",
        "{\"destination\":\"%s\",\"source\":{\"relay\":\"edge\"}}".formatted(files.address()));
  }

  /**
   * Streams keep coming: where a relay was not heard of for a moment, a later one is planned for.
   */
  private static Chain awaitChain() {
    try {
      return awaitReadyChain();
    } catch (ConditionTimeoutException e) {
      throw new AssertionError("no chain; the plan now: " + plan().summary(), e);
    }
  }

  private static Chain awaitReadyChain() {
    return await()
        .atMost(PATIENCE.plusMinutes(1))
        .pollInterval(Duration.ofSeconds(5))
        .until(
            () -> {
              if (chains().isEmpty()) {
                download(SOCKS, SMALL);
              }
              return chains();
            },
            chains -> chains.size() == 1 && chains.getFirst().state() == ChainState.READY)
        .getFirst();
  }

  /** The chain is ready a little before the relay hears of it. */
  private static void awaitThatStreamsTakeIt() {
    await()
        .atMost(PATIENCE)
        .until(() -> {
          download(SOCKS, SMALL);
          return handshakes().containsKey("chain");
        });
  }

  /** Asks the orchestrator, which asks the relays, and the first relay itself. */
  private static void assertSeenAtEveryRelay(Chain chain) throws Exception {
    String streams = "/chains/" + chain.id() + "/streams";
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> {
          ChainStreams seen = orchestrator("/api/v1" + streams, ChainStreams.class);
          assertThat(seen.unreachable()).isNull();
          assertThat(seen.streams())
              .allSatisfy(stream -> {
                assertThat(stream.state()).as(stream.reason()).isEqualTo("COMPLETED");
                assertThat(stream.relays()).hasSameSizeAs(chain.relays());
              })
              .anyMatch(stream -> carried(stream, 0, DOWNLOAD))
              .anyMatch(stream -> carried(stream, UPLOAD, 0));
        });
    Relay edge = orchestrator("/api/v1/relays/edge", Relay.class);
    List<StreamReport> own = atEdge(edge, streams, StreamList.class).streams();
    assertThat(own).anyMatch(report -> report.backward().bytesOut() >= DOWNLOAD);
    assertThat(own).anyMatch(report -> report.forward().bytesOut() >= UPLOAD);
  }

  private static boolean carried(ChainStream stream, long forward, long backward) {
    return stream.relays().stream()
        .allMatch(
            relay -> relay.forwardBytesOut() >= forward && relay.backwardBytesOut() >= backward);
  }

  private static Site lastRelay(Chain chain) {
    return lab.site(chain.relays().getLast().equals("far") ? "server" : "middle");
  }

  private static List<Chain> chains() {
    return orchestrator("/api/v1/chains", ChainList.class).chains();
  }

  /** Handshakes of edge's clients by their outcome; only outcomes that happened. */
  private static Map<String, Long> handshakes() {
    Relay edge = orchestrator("/api/v1/relays/edge", Relay.class);
    Matcher counted =
        Pattern.compile(
                "cascade_relay_proxy_handshakes_total\\{[^}]*reason=\"([a-z-]+)\"[^}]*} ([0-9.]+)")
            .matcher(
                relays.curl("http://%s:%d/control/v1/metrics".formatted(at(edge), port(edge))));
    Map<String, Long> outcomes = new java.util.TreeMap<>();
    while (counted.find()) {
      long times = (long) Double.parseDouble(counted.group(2));
      if (times > 0) {
        outcomes.put(counted.group(1), times);
      }
    }
    return outcomes;
  }

  private static <T> T atEdge(Relay edge, String path, Class<T> document) {
    return Json.lenient()
        .readValue(
            relays.curl("http://%s:%d/control/v1%s".formatted(at(edge), port(edge), path)),
            document);
  }

  private static String at(Relay relay) {
    return requireNonNull(relay.control()).host();
  }

  private static int port(Relay relay) {
    return requireNonNull(relay.control()).port();
  }

  private static <T> T orchestrator(String path, Class<T> document, String... more) {
    return relays.orchestrator(path, document, more);
  }

  private static void download(String proxy, int bytes) throws Exception {
    Path got = folder.resolve("got");
    Site.Ran ran =
        lab.site("client")
            .run(
                PATIENCE,
                "curl",
                "-sS",
                "--fail",
                "--noproxy",
                "",
                "-x",
                proxy,
                "-o",
                got.toString(),
                "http://" + files.address() + "/" + bytes);
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    assertThat(FileSite.sha256(Files.readAllBytes(got)))
        .isEqualTo(FileSite.sha256(FileSite.content(bytes)));
  }

  private static void upload(String proxy, int bytes) throws Exception {
    byte[] content = new byte[bytes];
    new Random(11).nextBytes(content);
    Path sent = Files.write(folder.resolve("sent"), content);
    Site.Ran ran =
        lab.site("client")
            .run(
                PATIENCE,
                "curl",
                "-sS",
                "--fail",
                "--noproxy",
                "",
                "--proxytunnel",
                "-x",
                proxy,
                "-T",
                sent.toString(),
                "http://" + files.address() + "/");
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    assertThat(ran.out()).isEqualTo(FileSite.sha256(content));
  }
}
