package io.cascade.lab;

import io.cascade.command.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Properties that this machine must have for a lab. */
final class LabRequirements {
  private static final List<String> FOLDERS =
      List.of("/usr/sbin", "/sbin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/local/bin");

  private LabRequirements() {}

  static int userId() {
    try {
      return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    } catch (IOException | UnsupportedOperationException e) {
      throw new CommandException("a lab needs Linux", e);
    }
  }

  /**
   * @throws CommandException that says what to install
   */
  static void check() {
    List<String> missing = new ArrayList<>();
    if (!has("ip")) {
      missing.add("iproute2 (ip)");
    }
    for (String program : List.of("nsenter", "unshare", "setsid", "mount")) {
      if (!has(program)) {
        missing.add("util-linux (" + program + ")");
      }
    }
    if (!missing.isEmpty()) {
      throw new CommandException(
          "a lab needs %s. On Debian: apt install iproute2 util-linux mount"
              .formatted(String.join(", ", missing)));
    }
    if (!Files.exists(Path.of("/dev/net/tun"))) {
      throw new CommandException(
          "a lab needs /dev/net/tun: modprobe tun; in a container, run it with"
              + " --device /dev/net/tun --cap-add NET_ADMIN --cap-add SYS_ADMIN");
    }
  }

  private static boolean has(String program) {
    return FOLDERS.stream().anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }
}
