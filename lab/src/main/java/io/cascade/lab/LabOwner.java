package io.cascade.lab;

import java.time.Instant;

/**
 * A process that a lab is up for.
 *
 * @param startMillis when it started, in milliseconds since 1970, or 0 where the system does not
 *     say; process numbers are used again
 * @param lab the lab's id
 */
record LabOwner(long pid, long startMillis, String lab) {
  static LabOwner thisProcess(String lab) {
    ProcessHandle self = ProcessHandle.current();
    return new LabOwner(self.pid(), startMillis(self), lab);
  }

  /** Returns whether the owner has not ended. */
  boolean runs() {
    return ProcessHandle.of(pid)
        .filter(process -> process.isAlive() && startMillis(process) == startMillis)
        .isPresent();
  }

  private static long startMillis(ProcessHandle process) {
    return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
  }
}
