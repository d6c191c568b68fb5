package io.cascade.studies.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A forwarding loop of a few dozen lines of C, as the practical limit. It is compiled when it
 * starts.
 */
record NativeLoop(boolean splicing) implements BenchContender {
  private static final String SOURCE = "loop.c";

  @Override
  public String name() {
    return splicing ? "C splice" : "C copy";
  }

  @Override
  public String description() throws IOException, InterruptedException {
    String compiler =
        ProxyProcesses.output(List.of(program().toString(), "--version"))
            .lines()
            .findFirst()
            .orElse("");
    return SOURCE
        + " by "
        + compiler
        + (splicing ? " -O2 -DSPLICE; splice(2), pipes of 1 MiB" : " -O2; recv, send, 1 MiB");
  }

  @Override
  public Optional<String> missing() {
    return ProxyProcesses.installed("gcc").isPresent()
        ? Optional.empty()
        : Optional.of(name() + " cannot be compiled: apt-get install gcc libc6-dev");
  }

  @Override
  public Running start(ProxyProcesses processes, int destinationPort)
      throws IOException, InterruptedException {
    Path folder = processes.newFolder(name());
    Path source = folder.resolve(SOURCE);
    try (InputStream text = NativeLoop.class.getResourceAsStream(SOURCE)) {
      if (text == null) {
        throw new IllegalStateException(SOURCE + " is not among the resources");
      }
      Files.copy(text, source);
    }
    Path binary = folder.resolve("loop");
    ProxyProcesses.output(
        List.of(
            program().toString(),
            "-O2",
            splicing ? "-DSPLICE" : "-USPLICE",
            "-o",
            binary.toString(),
            source.toString()));
    int port = ProxyProcesses.freePort();
    Process process =
        processes.start(
            new ProcessBuilder(
                binary.toString(), Integer.toString(port), Integer.toString(destinationPort)),
            folder.resolve("log"));
    return Forwarding.await(name(), port, folder.resolve("log"), process);
  }

  private static Path program() {
    return ProxyProcesses.installed("gcc").orElseThrow();
  }
}
