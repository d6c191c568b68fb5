package io.cascade.lab.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Memory and descriptors of a process, as the kernel counts them. */
record Vitals(long residentBytes, long descriptors) {
  static Vitals of(long pid) {
    Path proc = Path.of("/proc", Long.toString(pid));
    try (Stream<String> status = Files.lines(proc.resolve("status"));
        Stream<Path> descriptors = Files.list(proc.resolve("fd"))) {
      long kibibytes =
          status
              .filter(line -> line.startsWith("VmRSS:"))
              .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
              .findFirst()
              .orElse(0);
      return new Vitals(kibibytes * 1_024, descriptors.count());
    } catch (IOException e) {
      return new Vitals(0, 0); // being killed just now
    }
  }

  Vitals most(Vitals other) {
    return new Vitals(
        Math.max(residentBytes, other.residentBytes), Math.max(descriptors, other.descriptors));
  }
}
