package io.cascade.lab;

import java.time.Instant;

/**
 * A process for which a lab is up.
 *
 * @param startMillis when it started, in milliseconds since 1970, or 0 where the system does not
 *     say; process numbers are reused
 * @param lab the lab's id
 */
record LabOwner(long pid, long startMillis, String lab) {
  static LabOwner thisProcess(String lab) {
    ProcessHandle self = ProcessHandle.current();
    return new LabOwner(self.pid(), startMillis(self), lab);
  }

  /** Returns whether the owner is running. */
  boolean runs() {
    return ProcessHandle.of(pid)
        .filter(process -> process.isAlive() && startMillis(process) == startMillis)
        .isPresent();
  }

  private static long startMillis(ProcessHandle process) {
    return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
  }
}
