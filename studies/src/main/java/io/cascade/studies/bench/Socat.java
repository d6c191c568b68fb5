package io.cascade.studies.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** socat, which forks a process for each connection. */
record Socat() implements BenchContender {
  private static final int MOST_STREAMS = 1_000;

  @Override
  public String name() {
    return "socat";
  }

  @Override
  public String description() throws IOException, InterruptedException {
    String version =
        ProxyProcesses.output(List.of(program().toString(), "-V"))
            .lines()
            .filter(line -> line.startsWith("socat version"))
            .findFirst()
            .orElse("socat");
    return version.replaceAll(" on .*", "")
        + "; -b "
        + READ_BYTES
        + ", a process for each connection";
  }

  @Override
  public Optional<String> missing() {
    return ProxyProcesses.installed("socat").isPresent()
        ? Optional.empty()
        : Optional.of("socat is not installed: apt-get install socat");
  }

  @Override
  public Optional<String> sitsOut(Trial trial) {
    return trial instanceof Trial.Idle idle && idle.streams() > MOST_STREAMS
        ? Optional.of("socat would need " + idle.streams() + " processes")
        : Optional.empty();
  }

  @Override
  public Running start(ProxyProcesses proxies, int destinationPort)
      throws IOException, InterruptedException {
    Path folder = proxies.newFolder(name());
    int port = ProxyProcesses.freePort();
    Process process =
        proxies.start(
            new ProcessBuilder(
                program().toString(),
                "-b",
                Integer.toString(READ_BYTES),
                "-t",
                "10",
                "TCP-LISTEN:" + port + ",bind=127.0.0.1,fork,reuseaddr,backlog=4096,nodelay",
                "TCP:127.0.0.1:" + destinationPort + ",nodelay"),
            folder.resolve("log"));
    return Forwarding.await(name(), port, folder.resolve("log"), process);
  }

  private static Path program() {
    return ProxyProcesses.installed("socat").orElseThrow();
  }
}
