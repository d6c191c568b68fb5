package io.cascade.lab.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;

/**
 * The machine of a measurement.
 *
 * @param day of the measurement
 */
public record Machine(
    String kernel, String processor, int processors, long memoryGib, String java, String day) {

  /** This machine, today. */
  public static Machine here() {
    return new Machine(
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        line("/proc/cpuinfo", "model name").replaceAll("\\s+", " "),
        Runtime.getRuntime().availableProcessors(),
        Math.round(kibibytes(line("/proc/meminfo", "MemTotal")) / 1048576.0),
        System.getProperty("java.version"),
        LocalDate.now(ZoneOffset.UTC).toString());
  }

  private static double kibibytes(String text) {
    String digits = text.replaceAll("[^0-9]", "");
    return digits.isEmpty() ? 0 : Double.parseDouble(digits);
  }

  private static String line(String file, String name) {
    try {
      for (String line : Files.readAllLines(Path.of(file))) {
        if (line.startsWith(name)) {
          return line.substring(line.indexOf(':') + 1).strip();
        }
      }
    } catch (IOException e) {
      return "unknown";
    }
    return "unknown";
  }

  /** Describes the machine in a sentence. */
  public String words() {
    return String.format(
        Locale.ROOT,
        "Measured on %s with %d processors (%s), %d GiB, %s, JDK %s.",
        day,
        processors,
        processor,
        memoryGib,
        kernel,
        java);
  }
}
