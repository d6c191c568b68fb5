package io.cascade.kernel.settings;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Settings of this host's kernel, as sysctl(8) has them.
 *
 * @param folder of the settings, one file each
 */
public record KernelSettings(Path folder) {

  /** Those that the kernel shows under /proc. */
  public static KernelSettings ofThisHost() {
    return new KernelSettings(Path.of("/proc/sys"));
  }

  /**
   * Congestion control of connections that ask for none, such as {@code cubic}; null if unknown.
   */
  public static @Nullable String congestionControl() {
    String name = ofThisHost().read("net.ipv4.tcp_congestion_control");
    return name.isEmpty() ? null : name;
  }

  /** Reads a setting as text; empty where it cannot be read. */
  public String read(String name) {
    try (var in = Files.newInputStream(folder.resolve(name.replace('.', '/')))) {
      // In one go: such files give their value once.
      return new String(in.readNBytes(200), StandardCharsets.US_ASCII).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
