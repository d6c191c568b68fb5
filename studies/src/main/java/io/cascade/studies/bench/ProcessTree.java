package io.cascade.studies.bench;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Resource usage of some processes and their descendants from {@code /proc} (proc(5)). Linux only.
 */
final class ProcessTree {
  /** sysconf(_SC_CLK_TCK), which is 100 on every Linux architecture that runs Java. */
  private static final double TICKS_PER_SECOND = 100;

  private final List<Long> roots;

  ProcessTree(List<Long> roots) {
    this.roots = List.copyOf(roots);
  }

  static ProcessTree ofThisProcess() {
    return new ProcessTree(List.of(ProcessHandle.current().pid()));
  }

  /**
   * Processor time of the roots, of their running descendants, and of terminated descendants that
   * they have waited for.
   */
  Cpu cpu() {
    Cpu sum = Cpu.NONE;
    for (long root : roots) {
      sum = sum.plus(cpu(root, true));
      for (long pid : descendants(root)) {
        sum = sum.plus(cpu(pid, true));
      }
    }
    return sum;
  }

  /** Processor time of the roots only. */
  Cpu cpuOfRoots() {
    return roots.stream().map(pid -> cpu(pid, false)).reduce(Cpu.NONE, Cpu::plus);
  }

  /** Processor time of the roots' just-in-time compilers; 0 if they have none. */
  double compilerSeconds() {
    return roots.stream().mapToDouble(ProcessTree::compilerSeconds).sum();
  }

  Memory memory() {
    Memory sum = new Memory(0, 0);
    for (long root : roots) {
      sum = sum.plus(memory(root));
      for (long pid : descendants(root)) {
        sum = sum.plus(memory(pid));
      }
    }
    return sum;
  }

  /** Least soft limit of open descriptors of the roots. */
  long descriptorLimit() {
    return roots.stream().mapToLong(ProcessTree::descriptorLimit).min().orElse(0);
  }

  static long descriptorLimit(long pid) {
    try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/limits"))) {
      String limit =
          lines
              .filter(line -> line.startsWith("Max open files"))
              .map(line -> line.split("\\s+", -1)[3])
              .findFirst()
              .orElse("0");
      return limit.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(limit);
    } catch (IOException e) {
      return 0;
    }
  }

  private static List<Long> descendants(long root) {
    return ProcessHandle.of(root)
        .map(handle -> handle.descendants().map(ProcessHandle::pid).toList())
        .orElse(List.of());
  }

  private static double compilerSeconds(long pid) {
    double sum = 0;
    try (DirectoryStream<Path> threads =
        Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
      for (Path thread : threads) {
        if (Files.readString(thread.resolve("comm")).contains("CompilerThre")) {
          sum += cpu(thread.resolve("stat"), false).seconds();
        }
      }
    } catch (IOException e) {
      return sum; // A thread, or the process, ended during the read.
    }
    return sum;
  }

  private static Cpu cpu(long pid, boolean withBuried) {
    return cpu(Path.of("/proc/" + pid + "/stat"), withBuried);
  }

  private static Cpu cpu(Path file, boolean withBuried) {
    try {
      String stat = Files.readString(file);
      // The second field is a name in parentheses, which may contain blanks and parentheses.
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      double user = Long.parseLong(fields[11]) + (withBuried ? Long.parseLong(fields[13]) : 0);
      double system = Long.parseLong(fields[12]) + (withBuried ? Long.parseLong(fields[14]) : 0);
      return new Cpu(user / TICKS_PER_SECOND, system / TICKS_PER_SECOND);
    } catch (IOException e) {
      return Cpu.NONE; // The process ended; its parent counts its time.
    }
  }

  private static Memory memory(long pid) {
    List<String> lines = new ArrayList<>();
    try {
      lines.addAll(Files.readAllLines(Path.of("/proc/" + pid + "/smaps_rollup")));
    } catch (IOException e) {
      return new Memory(0, 0);
    }
    return new Memory(kibibytes(lines, "Pss:"), kibibytes(lines, "Rss:"));
  }

  private static double kibibytes(List<String> lines, String name) {
    return lines.stream()
        .filter(line -> line.startsWith(name))
        .mapToDouble(line -> Double.parseDouble(line.split("\\s+", -1)[1]))
        .findFirst()
        .orElse(0);
  }

  /** Processor time. */
  record Cpu(double userSeconds, double systemSeconds) {
    static final Cpu NONE = new Cpu(0, 0);

    double seconds() {
      return userSeconds + systemSeconds;
    }

    Cpu plus(Cpu other) {
      return new Cpu(userSeconds + other.userSeconds, systemSeconds + other.systemSeconds);
    }

    Cpu minus(Cpu earlier) {
      return new Cpu(userSeconds - earlier.userSeconds, systemSeconds - earlier.systemSeconds);
    }
  }

  /**
   * Memory.
   *
   * @param pssKib proportional set size: shared pages are divided among their processes
   * @param rssKib resident set size: shared pages count in full for each process
   */
  record Memory(double pssKib, double rssKib) {
    Memory plus(Memory other) {
      return new Memory(pssKib + other.pssKib, rssKib + other.rssKib);
    }
  }
}
