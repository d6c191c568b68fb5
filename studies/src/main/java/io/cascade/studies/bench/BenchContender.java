package io.cascade.studies.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A way from a client to the {@link Destination}, to be compared. */
interface BenchContender {
  /**
   * Bytes that each of them reads at a time where that can be chosen: as much as this project's
   * relay does. Peers that copied 256 KiB at a time cost up to a third more.
   */
  int READ_BYTES = 1 << 20;

  /** Short, for tables. */
  String name();

  /** Describes the contender, its version and its settings for the report. */
  String description() throws IOException, InterruptedException;

  /** Why it cannot take part on this machine, with what fixes it; empty where it can. */
  default Optional<String> missing() {
    return Optional.empty();
  }

  /** Why it sits a trial out; empty where it takes part. */
  default Optional<String> sitsOut(Trial trial) {
    return Optional.empty();
  }

  /** Starts it in front of a port; returns once it forwards. On the same thread every time. */
  Running start(ProxyProcesses proxies, int destinationPort)
      throws IOException, InterruptedException;

  /**
   * A contender that forwards.
   *
   * @param port where clients connect
   * @param processes what it consists of; none where there is nothing in between
   * @param garbage what it allocates, where it says so
   * @param pauses of its collector, one log for each process; none where there is no collector
   * @param startSeconds from its start until it carried a message; 0 where that was not taken
   */
  record Running(
      int port,
      List<Process> processes,
      HeapAllocations garbage,
      List<PauseLog> pauses,
      double startSeconds) {
    Running(int port, List<Process> processes) {
      this(port, processes, HeapAllocations.UNKNOWN, List.of(), 0);
    }

    Running startedWithin(double seconds) {
      return new Running(port, processes, garbage, pauses, seconds);
    }

    ProcessTree tree() {
      return new ProcessTree(processes.stream().map(Process::pid).toList());
    }

    boolean isJava() {
      return !garbage.controls().isEmpty();
    }

    /**
     * Time after which memory is at rest: a relay gives back every ten seconds what compilers took.
     */
    Duration settling() {
      return isJava() ? Duration.ofSeconds(12) : Duration.ofMillis(300);
    }

    boolean isDirect() {
      return processes.isEmpty();
    }

    void stop(ProxyProcesses proxies) {
      processes.forEach(proxies::stop);
    }
  }
}
