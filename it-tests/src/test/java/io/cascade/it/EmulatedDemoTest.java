package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.api.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The demonstration over an emulated path, with a file so small that which way is quicker does not
 * matter here.
 */
@Tag("slow")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class EmulatedDemoTest {
  @TempDir Path folder;

  @BeforeAll
  static void needsNetworksOfItsOwn() throws Exception {
    boolean root = Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    assumeTrue(root, "SKIPPED: the demonstration over an emulated path needs root");
    assumeTrue(
        Files.exists(Path.of("/dev/net/tun")),
        "SKIPPED: the demonstration over an emulated path needs /dev/net/tun");
  }

  @Test
  void sendsOneFileBothWaysShowsTheDashboardAndLeavesNothing() throws Exception {
    try (Verb demo = Verb.start(folder, "demo", "--json", "--size", "300kB")) {
      demo.awaitLine("^An ordinary long path");
      demo.awaitLine("^Sending 292.97 KiB");
      demo.awaitLine("^}$");

      JsonNode report = Json.lenient().readTree(document(demo.text()));
      assertThat(report.at("/bytes").asLong()).isEqualTo(300_000);
      assertThat(report.at("/plain/route").asString()).isEqualTo("DIRECT");
      assertThat(report.at("/gain").asDouble()).isPositive();
      assertThat(report.at("/decision").asString()).isNotEmpty();
      List<String> digests =
          Stream.of("plain", "chosen")
              .flatMap(way -> Stream.of("Sent", "Received").map(end -> "/" + way + "/sha256" + end))
              .map(field -> report.at(field).asString())
              .distinct()
              .toList();
      assertThat(digests).hasSize(1).allMatch(digest -> digest.length() == 64);
      assertThat(page(report.at("/dashboard").asString() + "/ui/")).isEqualTo(200);

      demo.awaitLine("until Ctrl-C");
      ProcessHandle.of(demo.pid()).orElseThrow().destroy();
      demo.await();
      assertThat(leftOf(demo.pid())).as(demo.text()).isEmpty();
    }
  }

  @Test
  void demonstrationThatWasKilledIsRemovedByTheNextLab() throws Exception {
    try (Verb demo = Verb.start(folder, "demo", "--once")) {
      demo.awaitLine("An ordinary long path");
      demo.kill();
      assertThat(leftOf(demo.pid())).isNotEmpty();

      try (Verb down = Verb.start(folder, "lab", "down", "none-of-this-name")) {
        down.await();
        assertThat(down.text()).contains("removed what");
      }

      assertThat(leftOf(demo.pid())).isEmpty();
    }
  }

  @Test
  void withoutNetworksItSaysWhyAndShowsRelaysOnThisHost() throws Exception {
    // A user namespace of its own, in which the kernel allows no network namespace.
    String shell = "echo 0 > /proc/sys/user/max_net_namespaces && exec \"$0\" \"$@\"";
    List<String> without = List.of("unshare", "--map-root-user", "sh", "-c", shell);
    int allowed = new ProcessBuilder("unshare", "--map-root-user", "true").start().waitFor();
    assumeTrue(allowed == 0, "SKIPPED: the demonstration without networks needs user namespaces");

    try (Verb demo = Verb.start(folder, without, "demo", "--once", "--size", "300kB")) {
      demo.awaitLine("^No network can be emulated here, so this shows relays on loopback: .+");
      demo.awaitLine("^3 relays ready");
      assertThat(demo.await()).as(demo.text()).isZero();
    }
  }

  /** Both outputs come together: the document is what stands between braces of their own. */
  private static String document(String text) {
    return text.substring(text.indexOf("\n{\n"), text.indexOf("\n}") + 2);
  }

  private static int page(String url) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.discarding())
          .statusCode();
    }
  }

  /**
   * Processes that name one of its labs; the JDK would tell but the beginning of their commands.
   */
  private static List<String> leftOf(long pid) {
    return ProcessHandle.allProcesses()
        .filter(process -> process.pid() != pid)
        .map(process -> commandLine(process.pid()))
        .filter(line -> line.contains("demo-" + pid))
        .toList();
  }

  private static String commandLine(long pid) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(pid), "cmdline")).replace('\0', ' ');
    } catch (IOException e) {
      return ""; // Gone meanwhile.
    }
  }
}
