package io.cascade.studies.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * Starts proxies with their files on their processor, and stops all of them. Every proxy ends with
 * this process, even if this process is killed.
 */
final class ProxyProcesses implements AutoCloseable {
  private static final int GRACE_SECONDS = 5;

  private final Path folder;
  private final Processors processors;
  private final List<Process> running;

  ProxyProcesses(Path folder, Processors processors) {
    this(folder, processors, new CopyOnWriteArrayList<>());
  }

  private ProxyProcesses(Path folder, Processors processors, List<Process> running) {
    this.folder = folder;
    this.processors = processors;
    this.running = running;
  }

  /** The same folder, but with proxies on every processor. */
  ProxyProcesses everywhere() {
    return on(processors.proxiesEverywhere());
  }

  /** The same folder, but with proxies on the processors of another division. */
  ProxyProcesses on(Processors division) {
    return new ProxyProcesses(folder, division, running);
  }

  /** A new folder for one proxy's files. */
  Path newFolder(String name) throws IOException {
    return Files.createTempDirectory(folder, name.replaceAll("[^a-z0-9]+", "-") + "-");
  }

  /** Finds a port that is free at this moment. */
  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** The first of some programs that is installed, also if it is only in root's search path. */
  static Optional<Path> installed(String program) {
    String path = System.getenv("PATH") + ":/usr/sbin:/sbin:/usr/local/sbin";
    return Stream.of(path.split(":", -1))
        .map(directory -> Path.of(directory, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Runs a program to its end and returns its output on both streams. */
  static String output(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes());
    int exit = process.waitFor();
    if (exit != 0) {
      throw new IOException(String.join(" ", command) + " exited with " + exit + ": " + output);
    }
    return output;
  }

  /**
   * Starts a proxy on its processor; its output is written to {@code log}. It is always called on
   * the same thread, because the kernel kills the proxy when that thread ends.
   */
  Process start(ProcessBuilder proxy, Path log) throws IOException {
    List<String> command = new ArrayList<>();
    installed("setpriv")
        .ifPresent(setpriv -> command.addAll(List.of(setpriv.toString(), "--pdeathsig", "TERM")));
    command.addAll(processors.prefixOfProxies());
    command.addAll(proxy.command());
    Process process =
        proxy
            .command(command)
            .redirectErrorStream(true)
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(log.toFile())
            .start();
    running.add(process);
    return process;
  }

  /** Stops a proxy with all processes that it started. */
  void stop(Process process) {
    stopAll(List.of(process));
  }

  @Override
  public void close() {
    stopAll(List.copyOf(running));
  }

  private void stopAll(List<Process> processes) {
    List<ProcessHandle> all = new ArrayList<>();
    for (Process process : processes) {
      process.descendants().forEach(all::add);
      all.add(process.toHandle());
    }
    all.forEach(ProcessHandle::destroy);
    if (!ended(all)) {
      all.forEach(ProcessHandle::destroyForcibly);
      boolean ignored = ended(all);
    }
    running.removeAll(processes);
  }

  /** Waits for a limited time until all have ended; returns whether they have. */
  private static boolean ended(List<ProcessHandle> handles) {
    CompletableFuture<Void> all =
        CompletableFuture.allOf(
            handles.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new));
    try {
      all.get(GRACE_SECONDS, TimeUnit.SECONDS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException | TimeoutException e) {
      return false;
    }
  }
}
