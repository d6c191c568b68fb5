package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.lab.Lab;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Verbs that run as processes at the sites of a lab; those that still run end with it. */
final class SiteProcesses implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Lab lab;
  private final Path folder;
  private final List<Process> started = new ArrayList<>();

  /**
   * @param folder of the processes' outputs
   */
  SiteProcesses(Lab lab, Path folder) {
    this.lab = lab;
    this.folder = folder;
  }

  /** Skips a test of processes that make devices where they cannot. */
  static void assumeDevices(String makers) throws IOException {
    boolean root = Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    assumeTrue(root, "SKIPPED: " + makers + " make devices and routes, which needs root");
    assumeTrue(Files.exists(Path.of("/dev/net/tun")), "SKIPPED: " + makers + " need /dev/net/tun");
  }

  /**
   * Starts a verb and waits until its output says that it is ready.
   *
   * @param ready part of that output
   */
  Process start(String site, List<String> verb, String ready) throws IOException {
    Path _ = startToFile(site, verb, ready);
    return started.getLast();
  }

  /** The same; returns the file of all that it says. */
  Path startToFile(String site, List<String> verb, String ready) throws IOException {
    Path log = log(site);
    Process process =
        lab.site(site).verb(verb).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    started.add(process);
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> {
          assertThat(process.isAlive()).as(() -> said(log)).isTrue();
          assertThat(said(log)).contains(ready);
        });
    return log;
  }

  /** Runs a verb to its end, which must be a good one; returns its standard output. */
  String run(String site, List<String> verb) throws Exception {
    Path log = log(site);
    Path errors = log(site);
    Process process =
        lab.site(site)
            .verb(verb)
            .redirectOutput(log.toFile())
            .redirectError(errors.toFile())
            .start();
    started.add(process);
    boolean ended = process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(ended && process.exitValue() == 0)
        .as(() -> String.join(" ", verb) + ": " + said(log) + said(errors))
        .isTrue();
    return said(log);
  }

  private Path log(String site) throws IOException {
    return Files.createTempFile(folder, site + "-", ".log");
  }

  private static String said(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    started.forEach(Process::destroyForcibly);
    started.forEach(process -> process.onExit().join());
  }
}
