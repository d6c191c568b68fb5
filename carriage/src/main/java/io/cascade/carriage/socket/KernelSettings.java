package io.cascade.carriage.socket;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Settings of this host's kernel, as sysctl(8) has them.
 *
 * @param folder of the settings, one file each
 */
record KernelSettings(Path folder) {

  static KernelSettings ofThisHost() {
    return new KernelSettings(Path.of("/proc/sys"));
  }

  /** Reads a setting as text; empty where it cannot be read. */
  String read(String name) {
    try (var in = Files.newInputStream(folder.resolve(name.replace('.', '/')))) {
      // In one go: such files give their value once.
      return new String(in.readNBytes(200), StandardCharsets.US_ASCII).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
