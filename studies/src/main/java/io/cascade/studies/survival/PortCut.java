package io.cascade.studies.survival;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * Drops every TCP segment to and from a port of this host, as a cut cable does: neither end
 * receives a reset. Requires the permission to change the kernel's packet filter.
 */
final class PortCut implements AutoCloseable {
  private static final int MOST_SECONDS = 10;

  private final String table;

  private PortCut(String table) {
    this.table = table;
  }

  /** Whether this process has the permission to cut ports. */
  static boolean isPossible() throws InterruptedException {
    String table = "cascade_probe_" + ProcessHandle.current().pid();
    try {
      nft("add table inet %1$s\ndelete table inet %1$s\n".formatted(table));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  static PortCut of(int port) throws IOException, InterruptedException {
    String table = "cascade_cut_" + ProcessHandle.current().pid() + "_" + port;
    nft(
        """
        add table inet %1$s
        add chain inet %1$s out { type filter hook output priority 0; }
        add rule inet %1$s out tcp dport %2$d drop
        add rule inet %1$s out tcp sport %2$d drop
        """
            .formatted(table, port));
    return new PortCut(table);
  }

  private static void nft(String script) throws IOException, InterruptedException {
    Process process = new ProcessBuilder("nft", "-f", "-").redirectErrorStream(true).start();
    try (var in = process.getOutputStream()) {
      in.write(script.getBytes(StandardCharsets.UTF_8));
    }
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IOException("nft: " + said.strip());
    }
  }

  @Override
  public void close() throws IOException {
    try {
      nft("delete table inet " + table + "\n");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
