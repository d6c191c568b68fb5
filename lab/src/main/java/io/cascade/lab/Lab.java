package io.cascade.lab;

import io.cascade.command.CommandException;
import io.cascade.lab.LabControl.Request;
import io.cascade.lab.LabControl.Response;
import io.cascade.lab.LabControl.Verb;
import io.cascade.lab.LabState.PartState;
import io.cascade.lab.process.CascadeProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A topology that is up: network namespaces joined by emulated links, with an orchestrator and
 * relays as processes in them. {@link #close} removes everything; the remains of a lab whose
 * process was killed are removed by the next lab and by {@link DeadLabs}.
 *
 * <p>Needs Linux, and root or unprivileged user namespaces.
 */
public final class Lab implements AutoCloseable {
  private static final Pattern READY = Pattern.compile(LabHost.READY);
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final Topology topology;
  private final LabFolder folder;
  private LabState state;

  private Lab(Topology topology, LabFolder folder, LabState state) {
    this.topology = topology;
    this.folder = folder;
    this.state = state;
  }

  /**
   * Brings up a lab and waits until orchestrator and relays serve. It stays up after the end of
   * this process, until it is closed.
   *
   * @throws CommandException naming what is missing on this machine, or which part did not start
   *     and the end of its log
   */
  public static Lab up(Topology topology) {
    return up(topology, LinkKind.USER_SPACE);
  }

  /**
   * Brings up a lab as {@link #up(Topology)} does, for this process alone: if the process ends
   * without closing the lab, the next lab or {@link DeadLabs} removes it.
   */
  public static Lab upForThisProcess(Topology topology) {
    return up(topology, LinkKind.USER_SPACE, true);
  }

  /** Brings up a lab with links of a kind. */
  public static Lab up(Topology topology, LinkKind kind) {
    return up(topology, kind, false);
  }

  private static Lab up(Topology topology, LinkKind kind, boolean owned) {
    LabRequirements.check();
    DeadLabs.remove();
    LabFolder folder = LabFolder.make(topology.name());
    String id = random();
    try {
      if (owned) {
        folder.own(LabOwner.thisProcess(id));
      }
      Files.writeString(folder.settings(), "# The lab's parts take every setting as a flag.\n");
      Files.writeString(folder.topology(), TopologyFile.write(topology));
      var _ = startHost(folder, id, kind).awaitReady();
      Lab lab = attach(folder);
      if (topology.orchestrator() != null) {
        List<PartState> parts = new LabParts(lab).start(topology.orchestrator());
        lab.state = lab.state.withParts(parts);
        folder.write(lab.state);
      }
      lab.ask(Request.of(Verb.BEGIN));
      return lab;
    } catch (IOException e) {
      remove(folder, id);
      throw new CommandException("cannot bring " + topology.name() + " up: " + e.getMessage(), e);
    } catch (RuntimeException e) {
      remove(folder, id);
      throw e;
    }
  }

  private static void remove(LabFolder folder, String id) {
    LabProcesses.end(id, -1);
    folder.delete();
  }

  /**
   * Attaches to a lab that is up.
   *
   * @param name null for the only one
   * @throws CommandException where there is none, or more than one to choose from
   */
  public static Lab attach(@Nullable String name) {
    List<String> names = names();
    if (name != null) {
      if (!names.contains(name)) {
        throw new CommandException(
            "no lab %s is up (%s)"
                .formatted(name, names.isEmpty() ? "none is" : String.join(", ", names)));
      }
      return attach(LabFolder.of(name));
    }
    return switch (names.size()) {
      case 0 ->
          throw new CommandException("no lab is up. Bring one up with: ./cascade lab up FILE");
      case 1 -> attach(LabFolder.of(names.getFirst()));
      default ->
          throw new CommandException(
              "more than one lab is up: name one with --lab (%s)"
                  .formatted(String.join(", ", names)));
    };
  }

  /** Names of this user's labs that are up. */
  public static List<String> names() {
    return LabFolder.all().stream()
        .filter(folder -> folder.alive() && folder.read().isPresent())
        .map(LabFolder::name)
        .toList();
  }

  private static Lab attach(LabFolder folder) {
    try {
      return new Lab(
          TopologyFile.read(folder.topology()),
          folder,
          folder
              .read()
              .orElseThrow(() -> new CommandException("lab " + folder.name() + " is not up yet")));
    } catch (IOException e) {
      throw new CommandException("cannot read " + folder.topology() + ": " + e.getMessage(), e);
    }
  }

  private static CascadeProcess startHost(LabFolder folder, String id, LinkKind kind) {
    boolean unprivileged = LabRequirements.userId() != 0;
    List<String> command = new ArrayList<>(List.of("setsid"));
    if (unprivileged) {
      // Its network stays that of the machine, over whose loopback the dashboard is reached.
      command.addAll(List.of("unshare", "-Urm"));
    }
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home", ""), "bin", "java").toString(),
            // One collector thread, and a young generation that a lab seldom fills, since a pause
            // delays packets.
            "-XX:+UseSerialGC",
            "-Xms96m",
            "-Xmx96m",
            "-Xmn64m",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path", "."),
            LabHost.class.getName(),
            folder.path().toString(),
            id,
            random(),
            unprivileged ? "unprivileged" : "root",
            kind.name()));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(folder.mark(id));
    return CascadeProcess.start("the lab", builder, folder.log("lab"), READY);
  }

  private static String random() {
    byte[] bytes = new byte[16];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  public String name() {
    return folder.name();
  }

  public Topology topology() {
    return topology;
  }

  /** Folder of its logs and of its parts' files. Removed by {@link #close}. */
  public Path folder() {
    return folder.path();
  }

  public Site site(String name) {
    return state.sites().stream()
        .filter(site -> site.name().equals(name))
        .findFirst()
        .map(site -> new Site(folder, state, site))
        .orElseThrow(() ->
            new CommandException(
                "site: %s (expected: one of %s)".formatted(name, topology.siteNames())));
  }

  /** The link between two sites in either order: forward is from the first to the second. */
  public Link link(String from, String to) {
    if (topology.links().stream().noneMatch(link -> link.joins(from, to))) {
      throw new CommandException("no link %s-%s in lab %s".formatted(from, to, name()));
    }
    return new Link(this, from, to);
  }

  /** Statistics of every direction since the lab came up. */
  public LabStatistics statistics() {
    Response answer = ask(Request.of(Verb.STATISTICS));
    List<LabControl.DirectionReport> directions = answer.directions();
    return new LabStatistics(
        answer.seconds(),
        directions == null
            ? List.of()
            : directions.stream()
                .map(direction ->
                    new LabStatistics.Direction(
                        direction.from(),
                        direction.to(),
                        ShapeText.from(direction.shape()),
                        direction.statistics()))
                .toList());
  }

  Response ask(Request request) {
    return LabControl.ask(folder.control(), request);
  }

  /** Address of the orchestrator, as seen from every site; empty where the lab has none. */
  public Optional<URI> orchestrator() {
    return Optional.ofNullable(state.orchestrator()).map(URI::create);
  }

  /** Address of the orchestrator on this machine's loopback; empty where the lab has none. */
  public Optional<URI> dashboard() {
    return Optional.ofNullable(state.dashboard()).map(URI::create);
  }

  /**
   * Token that orchestrator and relays require from callers. Commands run at sites have it as
   * CASCADE_TOKEN.
   */
  public String token() {
    return state.token();
  }

  /** Whether a real-time thread carries packets. */
  public boolean realTime() {
    return state.realTime();
  }

  LabState state() {
    return state;
  }

  /** Returns when the lab's process has ended. */
  public void awaitEnd() {
    ProcessHandle.of(state.hostPid()).ifPresent(host -> host.onExit().join());
  }

  /** Ends every process of the lab, which removes its networks, and deletes its folder. */
  @Override
  public void close() {
    LabProcesses.end(state.id(), state.hostPid());
    Optional<ProcessHandle> host = ProcessHandle.of(state.hostPid());
    if (folder.alive()) {
      try {
        ask(Request.of(Verb.END));
        if (host.isPresent()) {
          host.get().onExit().get(GRACE.toNanos(), TimeUnit.NANOSECONDS);
        }
      } catch (Exception e) {
        // It is killed below.
      }
    }
    LabProcesses.end(state.id(), -1);
    folder.delete();
  }
}
