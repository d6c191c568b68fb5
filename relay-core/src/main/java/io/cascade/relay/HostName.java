package io.cascade.relay;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** This machine's name and address. */
final class HostName {
  private static final Path FILE = Path.of("/etc/hostname");

  private HostName() {}

  /** This machine's name, in the form of a relay's name. */
  static String asRelayName() {
    return sanitised(read());
  }

  /**
   * Returns the first label of {@code host}, with each character that a relay's name must not
   * contain replaced by a hyphen.
   */
  static String sanitised(String host) {
    String label = host.strip().toLowerCase(Locale.ROOT).replaceFirst("\\..*", "");
    String hyphened = label.replaceAll("[^a-z0-9]+", "-");
    String cut = hyphened.substring(0, Math.min(63, hyphened.length()));
    String trimmed = cut.replaceAll("^-+|-+$", "");
    return trimmed.isEmpty() ? "relay" : trimmed;
  }

  /** An address of this machine. */
  static String address() {
    try {
      return InetAddress.getLocalHost().getHostAddress();
    } catch (UnknownHostException e) {
      return InetAddress.getLoopbackAddress().getHostAddress();
    }
  }

  private static String read() {
    try {
      return Files.readString(FILE);
    } catch (IOException e) {
      return hostName();
    }
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "";
    }
  }
}
