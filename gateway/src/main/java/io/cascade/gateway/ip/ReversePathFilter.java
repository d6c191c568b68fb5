package io.cascade.gateway.ip;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The kernel's reverse-path filter of IPv4 (RFC 3704), in the calling thread's network namespace.
 */
public final class ReversePathFilter {
  private static final Path SETTINGS = Path.of("/proc/sys/net/ipv4/conf");
  private static final int STRICT = 1;

  /** The setting for all devices; the greater of this one and the device's applies. */
  public static final String ALL = "all";

  private ReversePathFilter() {}

  /**
   * Whether a packet is dropped that arrives by another device than the kernel's route to its
   * source.
   */
  public static boolean isStrict(String device) {
    return Math.max(setting(ALL), setting(device)) == STRICT;
  }

  private static int setting(String device) {
    try {
      Path filter = SETTINGS.resolve(device).resolve("rp_filter");
      return Integer.parseInt(Files.readString(filter).strip());
    } catch (IOException | NumberFormatException e) {
      return 0; // No such device: reported elsewhere.
    }
  }
}
