package io.cascade.studies.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** nginx's stream module with one worker and large buffers. */
record NginxStream() implements BenchContender {
  private static final String MODULE = "ngx_stream_module.so";
  private static final List<String> MODULE_FOLDERS =
      List.of("/usr/lib/nginx/modules", "/usr/lib64/nginx/modules", "/usr/share/nginx/modules");

  @Override
  public String name() {
    return "nginx";
  }

  @Override
  public String description() throws IOException, InterruptedException {
    String version = ProxyProcesses.output(List.of(program().toString(), "-v")).strip();
    return version.replace("nginx version: ", "")
        + " stream; worker_processes 1, proxy_buffer_size "
        + READ_BYTES;
  }

  @Override
  public Optional<String> missing() {
    if (ProxyProcesses.installed("nginx").isEmpty()) {
      return Optional.of("nginx is not installed: apt-get install nginx libnginx-mod-stream");
    }
    try {
      String build = ProxyProcesses.output(List.of(program().toString(), "-V"));
      boolean builtIn = build.contains("--with-stream ") || build.contains("--with-stream\n");
      return builtIn || module().isPresent()
          ? Optional.empty()
          : Optional.of("nginx has no stream module: apt-get install libnginx-mod-stream");
    } catch (IOException e) {
      return Optional.of("nginx does not run: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of("interrupted");
    }
  }

  @Override
  public Running start(ProxyProcesses processes, int destinationPort)
      throws IOException, InterruptedException {
    Path folder = processes.newFolder(name());
    int port = ProxyProcesses.freePort();
    long descriptors = ProcessTree.descriptorLimit(ProcessHandle.current().pid());
    String configuration =
        """
        %sdaemon off;
        worker_processes 1;
        pid %s/pid;
        error_log stderr error;
        events { worker_connections %d; }
        stream {
          server {
            listen 127.0.0.1:%d backlog=4096;
            proxy_pass 127.0.0.1:%d;
            proxy_buffer_size %d;
            proxy_half_close on;
            proxy_timeout 1h;
          }
        }
        """
            .formatted(
                module().map(path -> "load_module " + path + ";\n").orElse(""),
                folder,
                Math.min(descriptors - 100, 50_000),
                port,
                destinationPort,
                READ_BYTES);
    Path file = Files.writeString(folder.resolve("nginx.conf"), configuration);
    Process process =
        processes.start(
            new ProcessBuilder(
                program().toString(),
                "-p",
                folder.toString(),
                "-e",
                "stderr",
                "-c",
                file.toString()),
            folder.resolve("log"));
    return Forwarding.await(name(), port, folder.resolve("log"), process);
  }

  private static Path program() {
    return ProxyProcesses.installed("nginx").orElseThrow();
  }

  private static Optional<Path> module() {
    return Stream.concat(MODULE_FOLDERS.stream(), Stream.of("/usr/local/nginx/modules"))
        .map(folder -> Path.of(folder, MODULE))
        .filter(Files::isReadable)
        .findFirst();
  }
}
