package io.cascade.client.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Congestion control that this host's connections use unless told otherwise. */
public final class CongestionControl {
  private static final Path SETTING = Path.of("/proc/sys/net/ipv4/tcp_congestion_control");

  private CongestionControl() {}

  /** This host's default, such as {@code cubic}; null where the system does not say. */
  public static @Nullable String ofThisHost() {
    try {
      String name = Files.readString(SETTING).strip();
      return name.isEmpty() ? null : name;
    } catch (IOException e) {
      return null;
    }
  }
}
