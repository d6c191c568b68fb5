package io.cascade.testbed.experiment;

import io.cascade.command.Complaint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Allows every congestion control that the machine has to everybody for as long as an experiment
 * lasts: networks of sites may choose only from those, and each run chooses anew.
 */
final class AllowedControls implements AutoCloseable {
  private static final Path AVAILABLE =
      Path.of("/proc/sys/net/ipv4/tcp_available_congestion_control");
  private static final Path ALLOWED = Path.of("/proc/sys/net/ipv4/tcp_allowed_congestion_control");

  private final String before;

  private AllowedControls(String before) {
    this.before = before;
  }

  static AllowedControls all() {
    try {
      AllowedControls controls = new AllowedControls(Files.readString(ALLOWED).strip());
      Files.writeString(ALLOWED, Files.readString(AVAILABLE).strip());
      return controls;
    } catch (IOException e) {
      throw new Complaint(
          "experiments choose congestion controls, for which they need Linux and root ("
              + e.getMessage()
              + ")",
          e);
    }
  }

  @Override
  public void close() {
    try {
      Files.writeString(ALLOWED, before);
    } catch (IOException e) {
      throw new Complaint("cannot restore " + ALLOWED + ": " + e.getMessage(), e);
    }
  }
}
