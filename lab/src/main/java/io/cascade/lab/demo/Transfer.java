package io.cascade.lab.demo;

import io.cascade.api.Json;
import io.cascade.command.CommandException;
import io.cascade.lab.Lab;
import io.cascade.lab.Topology.LinkSpec;
import io.cascade.lab.process.CascadeProcess;
import io.cascade.links.DirectionStatistics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Transfer of a file from a lab's client to its server, by a send and a receive as users run them.
 */
final class Transfer {
  static final String DESTINATION = "server:9000";

  private static final Pattern LISTENING = Pattern.compile("receiving on ");

  /** IPv4, and TCP with timestamps. */
  private static final int HEADER_BYTES = 52;

  private static final String LISTEN = "0.0.0.0:9000";

  private static final List<String> PLAIN = List.of("--direct", "--raw", "--controls", "own");

  private final boolean plain;
  private final Lab lab;
  private final Path file;
  private final Path folder;
  private final Progress progress;
  private final Process receiver;
  private @Nullable Process sender;
  private long startNanos;
  private DirectionStatistics before;
  private int notesRead;

  /** The parts of the sender's own document that are used here. */
  record Sent(
      String route,
      List<String> relays,
      String why,
      String sha256,
      double seconds,
      double bitsPerSecond,
      @Nullable Share direct,
      @Nullable Share coded,
      @Nullable Share relayed) {}

  /**
   * Share of one of several ways.
   *
   * @param relays that it used; empty for directly, and where several chains differed
   */
  record Share(long bytes, List<String> relays) {
    /** Describes a share that relays carried. */
    String through() {
      return "through " + (relays.isEmpty() ? "relays" : String.join(" and ", relays));
    }
  }

  /** The parts of the receiver's own document that are used here. */
  record Received(String sha256, long bytes) {}

  /**
   * Starts the receiver and waits until it listens.
   *
   * @param plain whether it is one plain TCP connection with the host's congestion control, as any
   *     application makes it; otherwise {@code send} chooses
   * @param folder for the received file and for both outputs; must not exist yet
   */
  Transfer(String name, boolean plain, Lab lab, Path file, long bytes, Path folder)
      throws IOException {
    this.plain = plain;
    this.lab = lab;
    this.file = file;
    this.folder = Files.createDirectory(folder);
    this.progress = new Progress(name, bytes);
    Files.createDirectory(arrived());
    this.receiver =
        start(
            "server",
            "receive",
            with(
                // It is compared with clear-text TCP.
                List.of(plain ? "--raw" : "--open-to-anyone"),
                List.of("--listen", LISTEN, "--output", arrived().toString(), "--no-progress")));
    Matcher _ = CascadeProcess.awaitReady("receive", receiver, log("receive"), LISTENING);
    this.before = lastLink();
  }

  Progress progress() {
    return progress;
  }

  /**
   * Starts the sender.
   *
   * @param options additional options of send
   */
  void send(List<String> options) {
    List<String> all = new ArrayList<>(List.of(file.toString(), "--to", DESTINATION));
    all.add("--no-progress");
    all.addAll(plain ? PLAIN : List.of());
    all.addAll(options);
    before = lastLink();
    startNanos = System.nanoTime();
    sender = start("client", "send", all);
  }

  private static List<String> with(List<String> some, List<String> others) {
    return Stream.concat(some.stream(), others.stream()).toList();
  }

  private Process start(String site, String verb, List<String> options) {
    List<String> command = new ArrayList<>(List.of(verb, "--json"));
    command.addAll(options);
    try {
      return lab.site(site)
          .verb(command)
          .redirectOutput(document(verb).toFile())
          .redirectError(log(verb).toFile())
          .start();
    } catch (IOException e) {
      throw new CommandException("cannot start " + verb + ": " + e.getMessage(), e);
    }
  }

  /** Notes of the sender to its user since the last call. */
  List<String> notes() {
    try {
      List<String> lines = Files.readAllLines(log("send"));
      List<String> fresh = List.copyOf(lines.subList(notesRead, lines.size()));
      notesRead = lines.size();
      return fresh;
    } catch (IOException e) {
      return List.of(); // The last line is incomplete, and is read by the next call.
    }
  }

  /**
   * Updates the progress.
   *
   * @return whether the transfer has ended
   * @throws CommandException where it failed
   */
  boolean look() {
    Process started = sender;
    if (progress.isDone() || started == null) {
      return progress.isDone();
    }
    if (!started.isAlive()) {
      if (started.exitValue() != 0) {
        throw failed("send");
      }
      progress.done(sent().seconds());
      return true;
    }
    progress.arrived(arrivedBytes(), (System.nanoTime() - startNanos) / 1e9);
    return false;
  }

  /**
   * Bytes that the last link has delivered to the server since the sender was started, without the
   * headers of its packets: smoother than the receiver's file, which grows by whole blocks.
   * Retransmissions count twice, so that the sender determines the end.
   */
  private long arrivedBytes() {
    DirectionStatistics now = lastLink();
    long headers = HEADER_BYTES * (now.forwardedPackets() - before.forwardedPackets());
    long bytes = now.forwardedBytes() - before.forwardedBytes() - headers;
    return Math.clamp(bytes, 0, progress.totalBytes() - 1);
  }

  private DirectionStatistics lastLink() {
    LinkSpec last = lab.topology().links().getLast();
    return lab.link(last.from(), last.to()).statistics();
  }

  /** Report of the sender after its end. */
  Sent sent() {
    return read("send", Sent.class);
  }

  /** Report of the receiver; waits for its end. */
  Received received() throws InterruptedException {
    if (receiver.waitFor() != 0) {
      throw failed("receive");
    }
    return read("receive", Received.class);
  }

  private <T> T read(String verb, Class<T> type) {
    try {
      return Json.lenient().readValue(Files.readString(document(verb)), type);
    } catch (IOException | JacksonException e) {
      throw new CommandException(
          progress.name() + ": " + verb + " left no report: " + e.getMessage(), e);
    }
  }

  private CommandException failed(String verb) {
    List<String> said;
    try {
      said = Files.readAllLines(log(verb));
    } catch (IOException e) {
      said = List.of();
    }
    return new CommandException(
        progress.name()
            + ": "
            + verb
            + " failed: "
            + (said.isEmpty()
                ? "it said nothing"
                : String.join(" | ", said.subList(Math.max(0, said.size() - 2), said.size()))));
  }

  private Path arrived() {
    return folder.resolve("arrived");
  }

  private Path document(String verb) {
    return folder.resolve(verb + ".json");
  }

  private Path log(String verb) {
    return folder.resolve(verb + ".log");
  }
}
