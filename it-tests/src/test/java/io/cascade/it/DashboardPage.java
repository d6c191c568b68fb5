package io.cascade.it;

import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayDeque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** An orchestrator alone, whose dashboard a real browser shows. */
@SuppressWarnings("NullAway.Init")
abstract class DashboardPage {
  @TempDir private Path folder;

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
    Verb orchestrator =
        Verb.start(
            folder,
            "orchestrator",
            "--listen",
            "127.0.0.1:0",
            "--state-dir",
            folder.resolve("state").toString());
    parts.push(orchestrator);
    address = URI.create(orchestrator.awaitLine("cascade orchestrator ready at (\\S+)").group(1));
    plane = new ControlPlane(address, null);
  }

  @AfterEach
  final void stop() throws Exception {
    while (!parts.isEmpty()) {
      parts.pop().close();
    }
  }
}
