package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.cascade.api.Json;
import io.cascade.api.orchestrator.Chain;
import io.cascade.testing.ReservedPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A real Prometheus scrapes real processes with the configuration that is shipped; every query of
 * the dashboards and every metric of the alerts is there.
 */
@Timeout(240)
class MetricsTest {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Path SHIPPED = Path.of("..", "docker").toAbsolutePath().normalize();
  private static final Pattern METRIC =
      Pattern.compile("\\b(?:cascade|process|jvm)_[a-z_]+|\\bup\\b");
  private static final int BYTES = 4 << 20;
  private static final String TOKEN = "asked-for-or-not";

  /** What only turns up once something has gone wrong or was refused. */
  private static final Set<String> RARE =
      Set.of(
          "cascade_relay_header_refusals_total",
          "cascade_orchestrator_setup_predicted_seconds",
          "cascade_orchestrator_chain_predicted_bits_per_second");

  @TempDir private Path folder;
  private Process prometheus;

  @SuppressWarnings("NullAway.Init")
  MetricsTest() {}

  @AfterEach
  void stop() throws InterruptedException {
    if (prometheus != null) {
      prometheus.destroy();
      if (!prometheus.waitFor(10, TimeUnit.SECONDS)) {
        prometheus.destroyForcibly();
      }
    }
  }

  @Test
  void theShippedRulesAreSoundAndFireWhenTheyShould() throws Exception {
    assumeInstalled("promtool");
    Path rules = SHIPPED.resolve("prometheus");
    assertThat(run(rules, "promtool", "check", "rules", "alerts.yml")).contains("SUCCESS");
    assertThat(run(rules, "promtool", "test", "rules", "alerts-test.yml")).contains("SUCCESS");
    assertThat(run(rules, "promtool", "check", "config", "--syntax-only", "prometheus.yml"))
        .contains("SUCCESS");
  }

  @Test
  void everyAlertHasItsTestAndItsEntryInTheRunbook() throws Exception {
    String alerts = Files.readString(SHIPPED.resolve("prometheus/alerts.yml"));
    String tests = Files.readString(SHIPPED.resolve("prometheus/alerts-test.yml"));
    String runbook = Files.readString(SHIPPED.resolve("../docs/reference/runbook.md"));
    Matcher alert = Pattern.compile("- alert: (\\w+)").matcher(alerts);
    int count = 0;
    while (alert.find()) {
      String name = alert.group(1);
      assertThat(runbook).containsPattern("(?m)^## " + name + "$\\R\\S.{20}");
      assertThat(alerts)
          .contains("docs/reference/runbook.md#" + name.toLowerCase(java.util.Locale.ROOT));
      assertThat(tests).contains("alertname: " + name);
      count++;
    }
    assertThat(count).isPositive();
  }

  @Test
  void everyQueryOfDashboardsAndAlertsFindsItsMetrics() throws Exception {
    assumeInstalled("prometheus");
    try (Cluster cluster = Cluster.start(folder);
        ServerSocket destination = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
      Chain chain = cluster.open(destination.getLocalPort());
      Thread.startVirtualThread(() -> swallow(destination));
      try (Socket kept = connect(chain)) {
        kept.getOutputStream().write(new byte[BYTES]);
        moveSome(chain);
        URI at = startPrometheus(cluster);
        await()
            .atMost(Cluster.PATIENCE)
            .until(() -> query(at, "count(up{job=\"relay\"} == 1)").contains("3"));
        await()
            .atMost(Cluster.PATIENCE)
            .until(() -> query(at, "up{job=\"orchestrator\"} == 1").contains("1"));
        Set<String> asked = new TreeSet<>();
        for (String expression : alerts()) {
          asked.addAll(metricsOf(expression));
        }
        assertThat(asked).isNotEmpty();
        await()
            .atMost(Cluster.PATIENCE)
            .untilAsserted(() -> {
              Set<String> there = names(at);
              assertThat(asked).allMatch(name -> isThere(name, there));
            });

        moveSome(chain);
        for (String expression : panels()) {
          if (metricsOf(expression).stream().allMatch(name -> isRare(name))) {
            continue;
          }
          await(expression).atMost(Cluster.PATIENCE).until(() -> !query(at, expression).isEmpty());
        }
        assertThat(query(at, "ALERTS{alertname!~\"Streams.*\",alertstate=\"firing\"}"))
            .as("nothing is wrong here")
            .isEmpty();
      }
    }
  }

  @Test
  void whateverIsAskedForComesWithTheToken() throws Exception {
    assumeInstalled("prometheus");
    Map<String, String> given = new ConcurrentHashMap<>();
    HttpServer orchestrator =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    orchestrator.createContext(
        "/",
        asked -> {
          given.put(
              asked.getRequestURI().getPath(), asked.getRequestHeaders().getFirst("Authorization"));
          asked.sendResponseHeaders(401, -1);
          asked.close();
        });
    orchestrator.start();
    try {
      URI _ = startPrometheus("127.0.0.1:" + orchestrator.getAddress().getPort());
      await()
          .atMost(Cluster.PATIENCE)
          .untilAsserted(() ->
              assertThat(given)
                  .containsExactlyInAnyOrderEntriesOf(
                      Map.of(
                          "/api/v1/metrics", "Bearer " + TOKEN,
                          "/api/v1/metrics/targets", "Bearer " + TOKEN)));
    } finally {
      orchestrator.stop(0);
    }
  }

  private URI startPrometheus(Cluster cluster) throws IOException {
    return startPrometheus(cluster.address().getHost() + ":" + cluster.address().getPort());
  }

  private URI startPrometheus(String orchestrator) throws IOException {
    int port = ReservedPort.untilTheEnd();
    Path token = Files.writeString(folder.resolve("token"), TOKEN);
    String configuration =
        Files.readString(SHIPPED.resolve("prometheus/prometheus.yml"))
            .replace("/prometheus/token", token.toString())
            .replace("orchestrator:7400", orchestrator)
            .replace("15s", "1s");
    Files.writeString(folder.resolve("prometheus.yml"), configuration);
    Files.copy(SHIPPED.resolve("prometheus/alerts.yml"), folder.resolve("alerts.yml"));
    prometheus =
        new ProcessBuilder(
                "prometheus",
                "--config.file=" + folder.resolve("prometheus.yml"),
                "--storage.tsdb.path=" + folder.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("prometheus.log").toFile())
            .start();
    URI at = URI.create("http://127.0.0.1:" + port);
    await().atMost(Cluster.PATIENCE).ignoreExceptions().until(() -> get(at, "/-/ready") != null);
    return at;
  }

  private static boolean isThere(String metric, Set<String> there) {
    return isRare(metric) || there.contains(metric);
  }

  private static boolean isRare(String metric) {
    return RARE.stream().anyMatch(metric::startsWith);
  }

  private static Set<String> metricsOf(String expression) {
    Set<String> names = new TreeSet<>();
    Matcher name = METRIC.matcher(expression.replaceAll("\"[^\"]*\"", ""));
    while (name.find()) {
      names.add(name.group());
    }
    return names;
  }

  private static List<String> alerts() throws IOException {
    // Whatever stands in the file, names of metrics among it; an expression may have many lines.
    return Stream.of(Files.readString(SHIPPED.resolve("prometheus/alerts.yml")).split("- alert:"))
        .skip(1)
        .map(alert -> alert.substring(alert.indexOf("expr:"), alert.indexOf("annotations:")))
        .toList();
  }

  private static List<String> panels() throws IOException {
    List<String> expressions = new ArrayList<>();
    try (Stream<Path> files = Files.list(SHIPPED.resolve("grafana/dashboards"))) {
      for (Path file : files.toList()) {
        for (JsonNode panel : Json.lenient().readTree(Files.readString(file)).get("panels")) {
          for (JsonNode target : panel.get("targets")) {
            expressions.add(target.get("expr").asString().replaceAll("\\$\\w+", ".*"));
          }
        }
      }
    }
    assertThat(expressions).isNotEmpty();
    return expressions;
  }

  /** The values of the answer's series; fails where Prometheus does not understand the query. */
  private static List<String> query(URI at, String expression) {
    JsonNode answer =
        get(at, "/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8));
    List<String> values = new ArrayList<>();
    for (JsonNode series : answer.get("data").get("result")) {
      values.add(series.get("value").get(1).asString());
    }
    return values;
  }

  private static Set<String> names(URI at) {
    Set<String> names = new TreeSet<>();
    get(at, "/api/v1/label/__name__/values")
        .get("data")
        .forEach(name -> names.add(name.asString()));
    return names;
  }

  private static JsonNode get(URI at, String path) {
    try {
      var answer =
          HTTP.send(
              HttpRequest.newBuilder(at.resolve(path)).timeout(Duration.ofSeconds(10)).build(),
              BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw new AssertionError(path + " answered " + answer.statusCode() + ": " + answer.body());
      }
      return path.startsWith("/api")
          ? Json.lenient().readTree(answer.body())
          : Json.lenient().readTree("{}");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static void moveSome(Chain chain) throws IOException {
    for (int i = 0; i < 5; i++) {
      try (Socket socket = connect(chain)) {
        socket.getOutputStream().write(new byte[BYTES]);
        socket.shutdownOutput();
        assertThat(socket.getInputStream().read()).isEqualTo(-1);
      }
    }
  }

  private static Socket connect(Chain chain) throws IOException {
    Socket socket = new Socket();
    socket.connect(Cluster.ingress(chain), 10_000);
    socket.setSoTimeout((int) Cluster.PATIENCE.toMillis());
    return socket;
  }

  private static void swallow(ServerSocket listening) {
    try {
      while (true) {
        Socket accepted = listening.accept();
        Thread.startVirtualThread(() -> {
          try (Socket socket = accepted) {
            socket.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
          } catch (IOException e) {
            // the test is over
          }
        });
      }
    } catch (IOException e) {
      // the test is over
    }
  }

  private static String run(Path folder, String... command) throws Exception {
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  private static void assumeInstalled(String program) {
    boolean found =
        Stream.of(System.getenv("PATH").split(":"))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    assumeThat(found)
        .as("SKIPPED: %s is not installed (apt-get install prometheus)", program)
        .isTrue();
  }
}
