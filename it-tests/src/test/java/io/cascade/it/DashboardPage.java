package io.cascade.it;

import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** An orchestrator alone, whose dashboard a real browser shows. */
@SuppressWarnings("NullAway.Init")
abstract class DashboardPage {
  @TempDir Path folder;

  Chromium browser;
  ControlPlane plane;
  URI address;

  /** What ends with the test, the last one first. */
  final ArrayDeque<AutoCloseable> parts = new ArrayDeque<>();

  @BeforeEach
  final void start() throws Exception {
    browser = Chromium.start();
    parts.push(browser);
    PlaywrightAssertions.setDefaultAssertionTimeout((double) Cluster.PATIENCE.toMillis());
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "orchestrator",
                "--listen",
                "127.0.0.1:0",
                "--state-dir",
                folder.resolve("state").toString()));
    String token = token();
    if (token != null) {
      arguments.addAll(List.of("--token", token));
    }
    Verb orchestrator = Verb.start(folder, arguments.toArray(String[]::new));
    parts.push(orchestrator);
    address = URI.create(orchestrator.awaitLine("cascade orchestrator ready at (\\S+)").group(1));
    plane = new ControlPlane(address, token);
  }

  /** What the orchestrator asks callers for; null for nothing. */
  @Nullable String token() {
    return null;
  }

  @AfterEach
  final void stop() throws Exception {
    while (!parts.isEmpty()) {
      parts.pop().close();
    }
  }
}
