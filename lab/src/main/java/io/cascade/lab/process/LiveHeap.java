package io.cascade.lab.process;

import java.io.IOException;
import java.util.List;
import java.util.OptionalDouble;

/** Live part of a Java process's heap, measured by the JDK's own {@code jcmd}. */
public final class LiveHeap {
  private LiveHeap() {}

  /**
   * Measures the heap after a collection, which the query triggers.
   *
   * @param processes of Java; the query's signal would end any other one
   * @return empty where this Java is not a development kit
   */
  public static OptionalDouble bytes(List<Process> processes)
      throws IOException, InterruptedException {
    if (!Jcmd.installed()) {
      return OptionalDouble.empty();
    }
    double sum = 0;
    for (Process process : processes) {
      OptionalDouble one = bytes(process.pid());
      if (one.isEmpty()) {
        return one;
      }
      sum += one.getAsDouble();
    }
    return OptionalDouble.of(sum);
  }

  /** The histogram's last line reads {@code Total 123456 7890123}: objects, then bytes. */
  private static OptionalDouble bytes(long pid) throws IOException, InterruptedException {
    Process asking =
        new ProcessBuilder(Jcmd.command(pid, "GC.class_histogram"))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    asking.getOutputStream().close();
    List<String> lines = asking.inputReader().lines().toList();
    if (asking.waitFor() != 0) {
      return OptionalDouble.empty();
    }
    return lines.stream()
        .filter(line -> line.startsWith("Total "))
        .mapToDouble(line -> Double.parseDouble(line.split("\\s+", -1)[2]))
        .findFirst();
  }
}
