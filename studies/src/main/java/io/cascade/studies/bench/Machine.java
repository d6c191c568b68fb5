package io.cascade.studies.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.stream.Stream;

/**
 * The machine of a run.
 *
 * @param loadBefore the one-minute load average when it began: above zero, others were at work
 */
record Machine(
    String processor,
    int processors,
    String kernel,
    String java,
    String congestionControl,
    String division,
    double loadBefore,
    String date) {

  static Machine look(Processors division, int processors) throws IOException {
    return new Machine(
        processorName(),
        processors,
        Files.readString(Path.of("/proc/sys/kernel/osrelease")).strip(),
        System.getProperty("java.runtime.version", "?"),
        Files.readString(Path.of("/proc/sys/net/ipv4/tcp_congestion_control")).strip(),
        division.described(),
        Double.parseDouble(Files.readString(Path.of("/proc/loadavg")).split(" ", 2)[0]),
        LocalDate.now(ZoneOffset.UTC).toString());
  }

  private static String processorName() throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("?");
    }
  }
}
