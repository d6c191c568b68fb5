package io.cascade.studies.coded;

import io.cascade.studies.study.MachineLoad;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A coded session between two processes on loopback, which measures the cost of its code. The sink
 * drops a share of the datagrams after the kernel has received them.
 *
 * @param number of the run
 * @param loss share that is dropped, 0 to 1
 * @param kernel implementation of the multiplication in GF(2^8) at both ends: scalar or vector
 * @param payloadBits per second, in order
 * @param sourceCpu processor seconds per GiB of payload
 * @param load threads that ran or waited for a processor on the machine, over the last minute
 */
record LoopbackRun(
    int number,
    double loss,
    String kernel,
    double payloadBits,
    double sourceCpu,
    double sinkCpu,
    double load) {
  static final String SCALAR = "scalar";
  static final String VECTOR = "vector";

  private static final Duration WARM_UP = Duration.ofSeconds(8);
  private static final Duration COUNTED = Duration.ofSeconds(5);

  String key() {
    return key(loss, kernel, number);
  }

  static String key(double loss, String kernel, int number) {
    return loss + " " + kernel + " #" + number;
  }

  /** Measures a session with new processes. */
  static LoopbackRun measure(int number, double loss, String kernel)
      throws IOException, InterruptedException {
    try (RemotePeer source = RemotePeer.here(kernel);
        RemotePeer sink = RemotePeer.here(kernel)) {
      RemotePeer.connect(source, sink, number, loss);
      TimeUnit.NANOSECONDS.sleep(WARM_UP.toNanos());
      PeerReport sourceBefore = source.report();
      PeerReport before = sink.report();
      TimeUnit.NANOSECONDS.sleep(COUNTED.toNanos());
      PeerReport sourceAfter = source.report();
      PeerReport after = sink.report();
      if (after.wrong() || !after.closed().isEmpty()) {
        throw new IOException("a session on loopback failed: " + after);
      }
      double bytes = Math.max(1, after.bytes() - before.bytes());
      double gibibytes = bytes / (1 << 30);
      return new LoopbackRun(
          number,
          loss,
          kernel,
          8e9 * bytes / (after.nanos() - before.nanos()),
          (sourceAfter.cpuNanos() - sourceBefore.cpuNanos()) / 1e9 / gibibytes,
          (after.cpuNanos() - before.cpuNanos()) / 1e9 / gibibytes,
          MachineLoad.oneMinute());
    }
  }
}
