package io.cascade.studies.measured;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Time of the machine's processors since its start, in the kernel's ticks (proc(5), /proc/stat).
 * Time of processes with a nice value above 0 does not count as busy, because they yield to all
 * others.
 */
public record ProcessorTime(long busy, long all) {
  private static final Path STATISTICS = Path.of("/proc/stat");
  private static final int NICE = 1;
  private static final int IDLE = 3;
  private static final int WAITING_FOR_DISKS = 4;

  /** The fields after this one are included in earlier ones. */
  private static final int STOLEN = 7;

  public static ProcessorTime now() {
    try (var lines = Files.lines(STATISTICS)) {
      return parse(lines.findFirst().orElse(""));
    } catch (IOException e) {
      return new ProcessorTime(0, 0);
    }
  }

  static ProcessorTime parse(String line) {
    String[] fields = line.strip().split("\\s+", -1);
    long all = 0;
    long idle = 0;
    for (int i = 1; i < Math.min(fields.length, STOLEN + 2); i++) {
      long ticks = Long.parseLong(fields[i]);
      all += ticks;
      if (i - 1 == NICE || i - 1 == IDLE || i - 1 == WAITING_FOR_DISKS) {
        idle += ticks;
      }
    }
    return new ProcessorTime(all - idle, all);
  }

  /**
   * Share of the processors that was busy since another reading, 0 to 1; 0 if no time has passed.
   */
  public double busySince(ProcessorTime then) {
    return all == then.all ? 0 : (double) (busy - then.busy) / (all - then.all);
  }
}
