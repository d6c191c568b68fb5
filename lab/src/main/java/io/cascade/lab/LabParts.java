package io.cascade.lab;

import io.cascade.command.CommandException;
import io.cascade.lab.LabState.PartState;
import io.cascade.lab.Topology.SiteSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Starts the processes of Cascade that a topology wants, each at its site. */
final class LabParts {
  private static final Pattern ORCHESTRATOR_READY =
      Pattern.compile("cascade orchestrator ready at (http\\S+)");
  private static final Pattern RELAY_READY = Pattern.compile("cascade relay \\S+ ready: (.*)");
  private static final Duration START = Duration.ofSeconds(90);
  private static final long POLL_NANOS = Duration.ofMillis(20).toNanos();
  private static final int TAIL_LINES = 8;

  private final Lab lab;

  LabParts(Lab lab) {
    this.lab = lab;
  }

  /** Starts the orchestrator, then all relays at once, and waits until each serves. */
  List<PartState> start(String orchestratorSite) {
    List<PartState> ready = new ArrayList<>();
    Started orchestrator =
        start(
            "orchestrator",
            orchestratorSite,
            List.of(
                "orchestrator",
                "--listen",
                "0.0.0.0:" + LabHost.ORCHESTRATOR_PORT,
                "--tls",
                "off", // The laboratory's networks are its own.
                "--state-dir",
                lab.folder().resolve("state").toString()));
    awaitReady(orchestrator, ORCHESTRATOR_READY);
    String url = lab.orchestrator().orElseThrow().toString();
    ready.add(new PartState("orchestrator", orchestratorSite, orchestrator.process().pid(), url));
    List<Started> relays = new ArrayList<>();
    for (SiteSpec site : lab.topology().sites()) {
      for (int i = 0; i < site.relays().size(); i++) {
        relays.add(startRelay(site, i, url));
      }
    }
    for (Started relay : relays) {
      String where = awaitReady(relay, RELAY_READY).group(1);
      ready.add(new PartState(relay.name(), relay.site(), relay.process().pid(), where));
    }
    return ready;
  }

  private Started startRelay(SiteSpec site, int index, String orchestrator) {
    String name = site.relays().get(index);
    return start(
        name,
        site.name(),
        List.of(
            "relay",
            "--name",
            name,
            "--site",
            site.name(),
            "--orchestrator",
            orchestrator,
            "--listen",
            "0.0.0.0",
            "--advertise",
            lab.site(site.name()).address(),
            "--hop-port",
            Integer.toString(7411 + 10 * index),
            "--control-listen",
            "0.0.0.0",
            "--control-port",
            Integer.toString(7412 + 10 * index),
            "--identity",
            lab.folder().resolve(name + ".identity").toString(),
            "--allow-destination",
            LabHost.ADDRESSES,
            "--spool-dir",
            lab.folder().resolve("spool-" + name).toString()));
  }

  private Started start(String name, String site, List<String> verb) {
    ProcessBuilder there = lab.site(site).verb(verb);
    Path log = lab.folder().resolve(name + ".log");
    try {
      Process process =
          there
              .redirectInput(Path.of("/dev/null").toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      return new Started(name, site, process, log);
    } catch (IOException e) {
      throw new CommandException("cannot start " + name + ": " + e.getMessage(), e);
    }
  }

  /** Returns the match of the line by which the part says that it serves. */
  static Matcher awaitReady(Started part, Pattern ready) {
    long deadline = System.nanoTime() + START.toNanos();
    while (true) {
      boolean alive = part.process().isAlive();
      String said = said(part.log());
      Matcher match = ready.matcher(said);
      if (match.find()) {
        return match;
      }
      if (!alive || System.nanoTime() > deadline) {
        List<String> lines = said.strip().lines().toList();
        throw new CommandException(
            "%s %s: %s"
                .formatted(
                    part.name(),
                    alive ? "was not ready within " + START.toSeconds() + " s" : "ended",
                    String.join(
                        " | ",
                        lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()))));
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private static String said(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return "";
    }
  }

  /** A process that was started and may not serve yet. */
  record Started(String name, String site, Process process, Path log) {}
}
