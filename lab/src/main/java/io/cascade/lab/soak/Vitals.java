package io.cascade.lab.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Memory, descriptors and threads of a process, as the kernel counts them. */
record Vitals(long residentBytes, long descriptors, long threads) {
  static final Vitals NONE = new Vitals(0, 0, 0);

  static Vitals of(long pid) {
    Path proc = Path.of("/proc", Long.toString(pid));
    try (Stream<Path> descriptors = Files.list(proc.resolve("fd"))) {
      List<String> status = Files.readAllLines(proc.resolve("status"));
      return new Vitals(
          number(status, "VmRSS:") * 1_024, descriptors.count(), number(status, "Threads:"));
    } catch (IOException e) {
      return NONE; // The process is being killed.
    }
  }

  private static long number(List<String> status, String name) {
    return status.stream()
        .filter(line -> line.startsWith(name))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
        .findFirst()
        .orElse(0);
  }

  Vitals most(Vitals other) {
    return new Vitals(
        Math.max(residentBytes, other.residentBytes),
        Math.max(descriptors, other.descriptors),
        Math.max(threads, other.threads));
  }
}
