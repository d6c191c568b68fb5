package io.cascade.studies.bench;

import io.cascade.studies.study.MachineLoad;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The machine of a run.
 *
 * @param loadBefore the one-minute load average before the run; above zero, other processes ran
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
    io.cascade.lab.process.Machine here = io.cascade.lab.process.Machine.here();
    return new Machine(
        here.processor(),
        processors,
        System.getProperty("os.version"),
        System.getProperty("java.runtime.version", "?"),
        Files.readString(Path.of("/proc/sys/net/ipv4/tcp_congestion_control")).strip(),
        division.described(),
        MachineLoad.oneMinute(),
        here.day());
  }
}
