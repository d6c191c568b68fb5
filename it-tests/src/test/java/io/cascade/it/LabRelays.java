package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.Json;
import io.cascade.lab.Lab;
import io.cascade.lab.Site;
import io.cascade.lab.Topology;
import io.cascade.lab.Topology.LinkSpec;
import io.cascade.lab.Topology.SiteSpec;
import io.cascade.lab.process.CascadeCommand;
import io.cascade.links.LinkShape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * More relays of a lab than its topology has, and questions to its orchestrator from a site.
 *
 * @param folder for what the relays leave
 * @param asker site from which questions come
 */
record LabRelays(Lab lab, Path folder, String asker) {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Links in both directions between {@code middle}, {@code edge} and {@code far}. */
  static final int LINKS = 6;

  /**
   * Brings up a lab of a client, a relay {@code middle} and a server in a row, between links of
   * this shape, and relays {@code edge} beside the client and {@code far} beside the server. Ask
   * for what labs need first. Close the lab in the end.
   *
   * @param name of the lab
   * @param folder for what the relays leave
   * @param edge more arguments of the relay beside the client
   */
  static LabRelays inARow(String name, Path folder, LinkShape link, String... edge)
      throws Exception {
    Lab lab =
        Lab.up(
            new Topology(
                name + "-" + ProcessHandle.current().pid(),
                1,
                List.of(
                    new SiteSpec("client", "reno", List.of()),
                    new SiteSpec("middle", "reno", List.of("middle")),
                    new SiteSpec("server", "reno", List.of())),
                List.of(
                    LinkSpec.symmetric("client", "middle", link),
                    LinkSpec.symmetric("middle", "server", link)),
                "client",
                List.of()));
    LabRelays relays = new LabRelays(lab, folder, "client");
    try {
      relays.start("client", "edge", edge);
      relays.start("server", "far");
    } catch (Exception | AssertionError e) {
      lab.close();
      throw e;
    }
    return relays;
  }

  /**
   * Starts a relay that is known by its site's name, so that what listens at that site is on a host
   * where links are measured.
   */
  void start(String site, String name, String... more) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("relay", "--name", name, "--site", site));
    arguments.addAll(List.of("--orchestrator", lab.orchestrator().orElseThrow().toString()));
    arguments.addAll(
        List.of("--listen", "0.0.0.0", "--control-listen", "0.0.0.0", "--advertise", site));
    arguments.addAll(List.of("--spool-dir", folder.resolve("spool-" + name).toString()));
    arguments.addAll(List.of("--identity", folder.resolve(name + ".identity").toString()));
    arguments.addAll(List.of("--allow-destination", "*,10.77.0.0/24"));
    arguments.addAll(Arrays.asList(more));
    Path log = folder.resolve(name + ".log");
    ProcessBuilder there = process(site, arguments);
    Process process = there.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> {
          assertThat(process.isAlive()).as(() -> said(log)).isTrue();
          assertThat(said(log)).contains("cascade relay " + name + " ready");
        });
  }

  /** Runs a verb at the asker's site, and returns what it printed. */
  String verb(String... arguments) throws IOException, InterruptedException {
    Path out = Files.createTempFile(folder, "verb", ".out");
    Process process =
        process(asker, List.of(arguments))
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    int exit = process.waitFor();
    assertThat(exit).as(() -> said(out)).isZero();
    return said(out);
  }

  private ProcessBuilder process(String site, List<String> arguments) throws IOException {
    Path settings = Files.writeString(folder.resolve("settings.properties"), "");
    ProcessBuilder own =
        CascadeCommand.ofThisProcess(settings).verb(arguments.toArray(String[]::new));
    ProcessBuilder there = lab.site(site).process(own.command());
    there.environment().put("CASCADE_CONFIG", settings.toString());
    return there;
  }

  /** Asks the orchestrator. */
  <T> T orchestrator(String path, Class<T> document, String... more) {
    return Json.lenient().readValue(curl(lab.orchestrator().orElseThrow() + path, more), document);
  }

  /** Runs curl as an operator at the asker's site would. */
  String curl(String url, String... more) {
    List<String> command =
        new ArrayList<>(List.of("curl", "-sS", "--fail-with-body", "--noproxy", "*"));
    command.addAll(List.of("-H", "Authorization: Bearer " + lab.token()));
    command.addAll(Arrays.asList(more));
    command.add(url);
    Site.Ran ran = lab.site(asker).run(PATIENCE, command.toArray(String[]::new));
    assertThat(ran.exitCode()).as("%s: %s%s", url, ran.out(), ran.err()).isZero();
    return ran.out();
  }

  private static String said(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return "";
    }
  }
}
