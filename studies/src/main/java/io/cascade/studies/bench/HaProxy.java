package io.cascade.studies.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** HAProxy, with one thread by default. */
record HaProxy(Way way, int threads) implements BenchContender {
  private static final int PIPES = 256;

  /** Way of moving bytes. */
  enum Way {
    /** Copies with the default buffers of 16 KiB. */
    DEFAULT("haproxy", "", ""),
    /** Copies with buffers of the size that this project's relay reads. */
    LARGE("haproxy 1m", "  tune.bufsize " + READ_BYTES + "\n", ""),
    /** Always splices, through pipes of 1 MiB. */
    SPLICE(
        "haproxy splice",
        "  tune.pipesize 1048576\n  maxpipes " + PIPES + "\n",
        "  option splice-request\n  option splice-response\n");

    private final String title;
    private final String global;
    private final String defaults;

    Way(String title, String global, String defaults) {
      this.title = title;
      this.global = global;
      this.defaults = defaults;
    }
  }

  HaProxy(Way way) {
    this(way, 1);
  }

  @Override
  public String name() {
    return way.title;
  }

  @Override
  public String description() throws IOException, InterruptedException {
    String version = ProxyProcesses.output(List.of(program().toString(), "-v"));
    return version.lines().findFirst().orElse("").replaceAll(" https?:.*| - .*", "")
        + "; nbthread "
        + threads
        + "; "
        + switch (way) {
          case DEFAULT -> "copying with its default buffers";
          case LARGE -> "copying with tune.bufsize " + READ_BYTES;
          case SPLICE -> "option splice-request, option splice-response, tune.pipesize 1048576";
        };
  }

  @Override
  public Optional<String> missing() {
    return ProxyProcesses.installed("haproxy").isPresent()
        ? Optional.empty()
        : Optional.of(
            name().toLowerCase(Locale.ROOT) + " is not installed: apt-get install haproxy");
  }

  @Override
  public Running start(ProxyProcesses processes, int destinationPort)
      throws IOException, InterruptedException {
    Path folder = processes.newFolder(name());
    int port = ProxyProcesses.freePort();
    // Two descriptors for each connection, the pipes and some of HAProxy's own must fit under the
    // limit.
    long most = (ProcessTree.descriptorLimit(ProcessHandle.current().pid()) - 2 * PIPES - 200) / 2;
    String configuration =
        """
        global
          nbthread %d
          maxconn %d
        %sdefaults
          mode tcp
          timeout connect 10s
          timeout client 1h
          timeout server 1h
        %slisten relay
          bind 127.0.0.1:%d
          server destination 127.0.0.1:%d
        """
            .formatted(
                threads, Math.min(most, 20_000), way.global, way.defaults, port, destinationPort);
    Path file = Files.writeString(folder.resolve("haproxy.cfg"), configuration);
    Process process =
        processes.start(
            new ProcessBuilder(program().toString(), "-db", "-f", file.toString()),
            folder.resolve("log"));
    return Forwarding.await(name(), port, folder.resolve("log"), process);
  }

  private static Path program() {
    return ProxyProcesses.installed("haproxy").orElseThrow();
  }
}
