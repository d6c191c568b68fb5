package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@NullUnmarked
class DashboardTest {
  private static final Pattern IMPORT = Pattern.compile("from '([^']+)'|from\"([^\"]+)\"");
  private static final Pattern MAPPED = Pattern.compile("\"([^\"]+)\": \"\\./([^\"]+)\"");

  @Test
  void thePageRunsScriptsOfThisServerOnly(@TempDir Path state) {
    try (Rig rig = Rig.start(state)) {
      Rig.Response page = rig.call("GET", "/ui/", null);

      assertThat(page.status()).isEqualTo(200);
      assertThat(page.type()).startsWith("text/html");
      assertThat(page.response().headers().firstValue("Content-Security-Policy"))
          .hasValueSatisfying(policy ->
              assertThat(policy)
                  .contains("default-src 'none'")
                  .containsPattern("script-src 'self'( 'sha256-[A-Za-z0-9+/]{43}='){2};")
                  .doesNotContain("unsafe")
                  .doesNotContain("http"));
      assertThat(page.body()).doesNotContain("http://").doesNotContain("https://");
    }
  }

  @Test
  void everyModuleAndFileThatThePageLeadsToIsThere(@TempDir Path state) {
    try (Rig rig = Rig.start(state)) {
      String page = rig.call("GET", "/ui/", null).body();
      Matcher mapped = MAPPED.matcher(page);
      Deque<String> open = new ArrayDeque<>(List.of("/ui/main.js"));
      Set<String> names = new HashSet<>();
      while (mapped.find()) {
        names.add(mapped.group(1));
        open.add("/ui/" + mapped.group(2));
      }
      Set<String> seen = new HashSet<>();
      while (!open.isEmpty()) {
        String path = open.pop();
        if (!seen.add(path)) {
          continue;
        }
        Rig.Response module = rig.call("GET", path, null);
        assertThat(module.status()).as(path).isEqualTo(200);
        assertThat(module.type()).as(path).containsPattern("^(text|application)/javascript");
        Matcher imports = IMPORT.matcher(module.body());
        while (imports.find()) {
          String target = imports.group(1) == null ? imports.group(2) : imports.group(1);
          if (target.startsWith(".")) {
            open.add(java.net.URI.create(path).resolve(target).toString());
          } else {
            assertThat(names).as("%s imports %s", path, target).contains(target);
          }
        }
      }
      assertThat(seen).hasSizeGreaterThan(15);
      assertThat(rig.call("GET", "/ui/style.css", null).type()).startsWith("text/css");
      assertThat(rig.call("GET", "/ui/icon.svg", null).type()).startsWith("image/svg+xml");
    }
  }

  @Test
  void theRootLeadsToIt(@TempDir Path state) {
    try (Rig rig = Rig.start(state)) {
      for (String path : List.of("/", "/ui", "/ui/index.html")) {
        Rig.Response answer = rig.call("GET", path, null);
        assertThat(answer.status()).isEqualTo(302);
        assertThat(answer.response().headers().firstValue("Location"))
            .hasValueSatisfying(location -> assertThat(location).endsWith("/ui/"));
      }
    }
  }

  @Test
  void browsersKeepFilesAndAskWhetherTheyChanged(@TempDir Path state) {
    try (Rig rig = Rig.start(state)) {
      String tag =
          rig.call("GET", "/ui/app.js", null).response().headers().firstValue("ETag").orElseThrow();

      assertThat(rig.call("GET", "/ui/app.js", null, "If-None-Match", tag).status()).isEqualTo(304);
    }
  }

  @Test
  void whatIsNotThereIsAProblem(@TempDir Path state) {
    try (Rig rig = Rig.start(state)) {
      for (String path : List.of("/ui/none.js", "/ui/lib/preact/none.js", "/ui/../logback.xml")) {
        assertThat(rig.call("GET", path, null).status()).as(path).isEqualTo(404);
      }
    }
  }

  @Test
  void thePageNeedsNoTokenAndWhatItAsksForDoes(@TempDir Path state) throws IOException {
    try (Rig rig = Rig.start(state, settings -> settings.withToken("a-secret-of-some-length"))) {
      for (String path : List.of("/ui/", "/ui/main.js", "/ui/lib/htm/htm.module.js")) {
        assertThat(status(rig, path)).as(path).isEqualTo(200);
      }
      assertThat(status(rig, "/")).isEqualTo(302);
      for (String path :
          List.of(
              "/api/v1/relays",
              "/ui/../api/v1/relays",
              "/ui/%2e%2e/api/v1/relays",
              "/ui/..;/api/v1/relays",
              "/ui;/../api/v1/relays",
              "//api/v1/relays",
              "/uix")) {
        assertThat(status(rig, path)).as(path).isNotEqualTo(200).isNotEqualTo(302);
      }
    }
  }

  /** Requests a path as it was written: a client would tidy it up. */
  private static int status(Rig rig, String path) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", rig.address().getPort())) {
      socket
          .getOutputStream()
          .write(
              ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return Integer.parseInt(answer.substring(9, 12));
    }
  }
}
