package io.cascade.studies.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Division of the processors: the last one that this process may use is for the proxies, the others
 * are for the ends. With fewer than two, or without {@code taskset}, all processes run on all
 * processors.
 */
record Processors(List<Integer> ends, List<Integer> proxies) {

  /**
   * Divides the processors that this process may use, and moves this process to those of the ends.
   */
  static Processors divide() throws IOException, InterruptedException {
    List<Integer> allowed = allowed();
    if (allowed.size() < 2 || ProxyProcesses.installed("taskset").isEmpty()) {
      return new Processors(List.of(), List.of());
    }
    Processors divided =
        new Processors(allowed.subList(0, allowed.size() - 1), List.of(allowed.getLast()));
    divided.settle();
    return divided;
  }

  /** Moves this process to the processors of the ends. */
  void settle() throws IOException, InterruptedException {
    String ignored =
        ProxyProcesses.output(
            List.of(
                "taskset",
                "--all-tasks",
                "--pid",
                "--cpu-list",
                listed(ends),
                Long.toString(ProcessHandle.current().pid())));
  }

  /** Words before the command of a proxy. */
  List<String> prefixOfProxies() {
    return proxies.isEmpty() ? List.of() : List.of("taskset", "--cpu-list", listed(proxies));
  }

  /** The same division, but with proxies on all processors. */
  Processors proxiesEverywhere() {
    return new Processors(ends, Stream.concat(ends.stream(), proxies.stream()).toList());
  }

  /** Describes the division. */
  String described() {
    return proxies.isEmpty()
        ? "not divided: proxies and ends run on every processor"
        : "proxies on processor %s, both ends on %s".formatted(listed(proxies), listed(ends));
  }

  /** A list of processors, such as {@code 0,1,2}. */
  static String listed(List<Integer> processors) {
    return processors.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  private static List<Integer> allowed() throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
      String list =
          lines
              .filter(line -> line.startsWith("Cpus_allowed_list:"))
              .map(line -> line.substring(line.indexOf(':') + 1).strip())
              .findFirst()
              .orElse("");
      return parse(list);
    }
  }

  /** A list of ranges of processors, such as {@code 0-2,5}. */
  static List<Integer> parse(String list) {
    List<Integer> processors = new ArrayList<>();
    for (String range : list.isEmpty() ? new String[0] : list.split(",", -1)) {
      String[] ends = range.split("-", -1);
      IntStream.rangeClosed(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]))
          .forEach(processors::add);
    }
    return processors;
  }
}
