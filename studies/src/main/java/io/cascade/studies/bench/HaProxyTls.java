package io.cascade.studies.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Two HAProxies with TLS 1.3 between them. Each presents a certificate and verifies that of the
 * other. The cipher is that of this project's relays.
 *
 * @param large with buffers of the size that this project's relay reads
 */
record HaProxyTls(boolean large) implements BenchContender {
  private static final String CIPHER = "TLS_AES_128_GCM_SHA256";

  @Override
  public String name() {
    return large ? "2 x haproxy tls 1m" : "2 x haproxy tls";
  }

  @Override
  public String description() throws IOException, InterruptedException {
    return new HaProxy(large ? HaProxy.Way.LARGE : HaProxy.Way.DEFAULT).description()
        + "; two in a row, TLS 1.3 with "
        + CIPHER
        + " between them, both certificates checked";
  }

  @Override
  public Optional<String> missing() {
    return new HaProxy(HaProxy.Way.DEFAULT)
        .missing()
        .or(() ->
            ProxyProcesses.installed("openssl").isPresent()
                ? Optional.empty()
                : Optional.of(
                    name() + " needs a certificate and openssl makes it: apt-get install openssl"));
  }

  @Override
  public Running start(ProxyProcesses processes, int destinationPort)
      throws IOException, InterruptedException {
    Path folder = processes.newFolder(name());
    Path certificate = folder.resolve("certificate.pem");
    Path pair = pair(folder, certificate);
    String shown = "crt " + pair + " ca-file " + certificate + " verify required";
    int between = ProxyProcesses.freePort();
    Process far =
        start(
            processes,
            folder,
            "far",
            "bind 127.0.0.1:" + between + " ssl " + shown,
            "server destination 127.0.0.1:" + destinationPort);
    int port = ProxyProcesses.freePort();
    Process near =
        start(
            processes,
            folder,
            "near",
            "bind 127.0.0.1:" + port,
            "server far 127.0.0.1:" + between + " ssl " + shown);
    return Forwarding.await(name(), port, folder.resolve("near.log"), near, far);
  }

  private Process start(
      ProxyProcesses processes, Path folder, String which, String bind, String server)
      throws IOException {
    long most = (ProcessTree.descriptorLimit(ProcessHandle.current().pid()) - 200) / 2;
    String configuration =
        """
        global
          nbthread 1
          maxconn %d
          %s
          ssl-default-bind-options ssl-min-ver TLSv1.3
          ssl-default-bind-ciphersuites %s
          ssl-default-server-options ssl-min-ver TLSv1.3
          ssl-default-server-ciphersuites %s
        defaults
          mode tcp
          timeout connect 10s
          timeout client 1h
          timeout server 1h
        listen relay
          %s
          %s
        """
            .formatted(
                Math.min(most, 20_000),
                large ? "tune.bufsize " + READ_BYTES : "",
                CIPHER,
                CIPHER,
                bind,
                server);
    Path file = Files.writeString(folder.resolve(which + ".cfg"), configuration);
    Path program = ProxyProcesses.installed("haproxy").orElseThrow();
    return processes.start(
        new ProcessBuilder(program.toString(), "-db", "-f", file.toString()),
        folder.resolve(which + ".log"));
  }

  /** Makes a key and a self-signed certificate for it, in one file as HAProxy requires. */
  private static Path pair(Path folder, Path certificate) throws IOException, InterruptedException {
    Path key = folder.resolve("key.pem");
    String ignored =
        ProxyProcesses.output(
            List.of(
                ProxyProcesses.installed("openssl").orElseThrow().toString(),
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:prime256v1",
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=bench",
                "-keyout",
                key.toString(),
                "-out",
                certificate.toString()));
    return Files.writeString(
        folder.resolve("pair.pem"), Files.readString(certificate) + Files.readString(key));
  }
}
