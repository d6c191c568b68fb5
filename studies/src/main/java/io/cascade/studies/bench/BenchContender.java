package io.cascade.studies.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A way from a client to the {@link Destination} that is compared with others. */
interface BenchContender {
  /**
   * Bytes that each contender reads at a time, if that can be set: as many as this project's relay
   * reads. Peers that copied 256 KiB at a time cost up to a third more.
   */
  int READ_BYTES = 1 << 20;

  /** Short name for tables. */
  String name();

  /** Describes the contender, its version and its settings for the report. */
  String description() throws IOException, InterruptedException;

  /** Reason why the contender cannot run on this machine, with its fix; empty if it can run. */
  default Optional<String> missing() {
    return Optional.empty();
  }

  /** Reason why the contender does not take part in a trial; empty if it does. */
  default Optional<String> sitsOut(Trial trial) {
    return Optional.empty();
  }

  /**
   * Starts the contender in front of a port and returns once it forwards. It is always called on
   * the same thread.
   */
  Running start(ProxyProcesses proxies, int destinationPort)
      throws IOException, InterruptedException;

  /**
   * A contender that forwards.
   *
   * @param port where clients connect
   * @param processes of the contender; none without a proxy
   * @param garbage counter of its allocations, if it has one
   * @param pauses one log of garbage collection for each process; none without a collector
   * @param startSeconds from its start until it carried a message; 0 if that was not measured
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
     * Time until memory is at rest: every ten seconds a relay returns the memory that its compilers
     * used.
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
