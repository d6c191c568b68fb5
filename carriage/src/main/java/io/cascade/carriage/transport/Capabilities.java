package io.cascade.carriage.transport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Privileges of this process beyond those of other users (capabilities(7)).
 *
 * @param effective a bit for each
 */
public record Capabilities(long effective) {
  /** No capability. */
  public static final Capabilities NONE = new Capabilities(0);

  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String LINE = "CapEff:";
  private static final int SYS_ADMIN = 21;
  private static final int SYS_RESOURCE = 24;

  /** Capabilities of this process; none if they cannot be read. */
  public static Capabilities ofThisProcess() {
    try (Stream<String> lines = Files.lines(STATUS)) {
      return lines
          .filter(line -> line.startsWith(LINE))
          .map(line -> line.substring(LINE.length()).strip())
          .map(mask -> new Capabilities(Long.parseUnsignedLong(mask, 16)))
          .findFirst()
          .orElse(NONE);
    } catch (IOException e) {
      return NONE;
    }
  }

  /** Whether one of its pipes may be larger than {@code fs.pipe-max-size}. */
  public boolean liftPipeSize() {
    return has(SYS_RESOURCE);
  }

  /** Whether its pipes together may be larger than {@code fs.pipe-user-pages-soft}. */
  public boolean liftPipePages() {
    return has(SYS_RESOURCE) || has(SYS_ADMIN);
  }

  private boolean has(int capability) {
    return (effective >> capability & 1) != 0;
  }
}
