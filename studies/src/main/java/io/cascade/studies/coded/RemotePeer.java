package io.cascade.studies.coded;

import io.cascade.api.Json;
import io.cascade.lab.Site;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Client of a {@link BulkProcess}. */
final class RemotePeer implements AutoCloseable {
  private static final String PRIORITY = "5";

  private final Process process;
  private final @Nullable Site site;
  private final Writer commands;
  private final BufferedReader answers;

  private RemotePeer(Process process, @Nullable Site site) {
    this.process = process;
    this.site = site;
    this.commands = process.outputWriter(StandardCharsets.UTF_8);
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /**
   * Starts a process at a site. It has real-time priority, because the kernel's TCP beside it also
   * runs before user processes: the machine emulates several hosts, each of which would run nothing
   * else.
   */
  static RemotePeer at(Site site) throws IOException {
    List<String> command = new ArrayList<>(List.of("chrt", "--fifo", PRIORITY));
    command.addAll(command());
    ProcessBuilder builder = site.process(command);
    return new RemotePeer(builder.redirectError(ProcessBuilder.Redirect.DISCARD).start(), site);
  }

  /**
   * Starts a process in this machine's own network.
   *
   * @param kernel implementation of the multiplication in GF(2^8)
   */
  static RemotePeer here(String kernel) throws IOException {
    List<String> command = new ArrayList<>(command());
    if (kernel.equals(LoopbackRun.VECTOR)) {
      command.addAll(1, List.of("--add-modules", "jdk.incubator.vector"));
    }
    ProcessBuilder builder = new ProcessBuilder(command);
    return new RemotePeer(builder.redirectError(ProcessBuilder.Redirect.INHERIT).start(), null);
  }

  private static List<String> command() {
    return List.of(
        Path.of(System.getProperty("java.home", ""), "bin", "java").toString(),
        // For short pauses: one collector thread, and a young generation of which little survives.
        "-XX:+UseSerialGC",
        "-Xms192m",
        "-Xmx192m",
        "-Xmn64m",
        "--enable-native-access=ALL-UNNAMED",
        "-Dio.netty.tryReflectionSetAccessible=false",
        "--sun-misc-unsafe-memory-access=allow",
        "-cp",
        System.getProperty("java.class.path", "."),
        BulkProcess.class.getName());
  }

  private String address() {
    return site == null ? "127.0.0.1" : site.address();
  }

  /** Starts a transfer from one end to the other. */
  static void connect(RemotePeer source, RemotePeer sink, long seed) throws IOException {
    connect(source, sink, seed, 0);
  }

  /**
   * Starts a transfer from one end to the other.
   *
   * @param loss share of datagrams that the sink drops
   */
  static void connect(RemotePeer source, RemotePeer sink, long seed, double loss)
      throws IOException {
    String sinkPort = sink.ask("bind " + sink.address());
    String sourcePort = source.ask("bind " + source.address());
    sink.ask("sink %s %s %d %s".formatted(source.address(), sourcePort, seed, loss));
    source.ask("source %s %s %d".formatted(sink.address(), sinkPort, seed));
  }

  PeerReport report() throws IOException {
    return Json.lenient().readValue(ask("report"), PeerReport.class);
  }

  void stop() throws IOException {
    ask("stop");
  }

  private String ask(String command) throws IOException {
    commands.write(command + "\n");
    commands.flush();
    String answer = answers.readLine();
    if (answer == null) {
      throw new IOException("a bulk process ended: " + command);
    }
    return answer;
  }

  @Override
  public void close() throws IOException {
    try (commands) {
      process.destroy();
    }
  }
}
