package io.cascade.kernel.settings;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Settings of this host's kernel, as in sysctl(8).
 *
 * @param folder of the settings, one file each
 */
public record KernelSettings(Path folder) {

  /** Returns those under /proc. */
  public static KernelSettings ofThisHost() {
    return new KernelSettings(Path.of("/proc/sys"));
  }

  /** Default congestion control of connections, such as {@code cubic}; null if unknown. */
  public static @Nullable String congestionControl() {
    String name = ofThisHost().read("net.ipv4.tcp_congestion_control");
    return name.isEmpty() ? null : name;
  }

  /** Reads a setting as text; empty if it cannot be read. */
  public String read(String name) {
    try (var in = Files.newInputStream(folder.resolve(name.replace('.', '/')))) {
      // In one read: such files return their value once.
      return new String(in.readNBytes(200), StandardCharsets.US_ASCII).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
