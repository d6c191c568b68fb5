package io.cascade.studies.study;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Load of the machine. */
public final class MachineLoad {
  private static final Path AVERAGES = Path.of("/proc/loadavg");

  private MachineLoad() {}

  /** Threads that ran or waited for a processor, averaged over the last minute; NaN if unknown. */
  public static double oneMinute() {
    try {
      String averages = Files.readString(AVERAGES);
      return Double.parseDouble(averages.substring(0, averages.indexOf(" ")));
    } catch (IOException e) {
      return Double.NaN;
    }
  }
}
