package io.cascade.lab;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The processes of a lab, identified by a mark in their environment: only processes that were
 * started with it are ended, even if process numbers were reused.
 */
final class LabProcesses {
  static final String MARK = "CASCADE_LAB_PROCESS";
  private static final Duration GRACE = Duration.ofSeconds(8);

  private LabProcesses() {}

  static List<ProcessHandle> of(String id) {
    byte[] mark = (MARK + "=" + id).getBytes(StandardCharsets.UTF_8);
    long self = ProcessHandle.current().pid();
    return ProcessHandle.allProcesses()
        .filter(process -> process.pid() != self && carries(process.pid(), mark))
        .toList();
  }

  /** Sends SIGTERM to all but one, waits, and kills the remaining ones. */
  static void end(String id, long except) {
    List<ProcessHandle> asked = of(id).stream().filter(process -> process.pid() != except).toList();
    asked.forEach(ProcessHandle::destroy);
    long deadline = System.nanoTime() + GRACE.toNanos();
    for (ProcessHandle process : asked) {
      await(process, deadline - System.nanoTime());
    }
    // Found by the mark again: processes started meanwhile have it too.
    for (ProcessHandle process : of(id)) {
      if (process.pid() != except) {
        process.destroyForcibly();
        await(process, GRACE.toNanos());
      }
    }
  }

  private static void await(ProcessHandle process, long nanos) {
    try {
      process.onExit().get(Math.max(nanos, 1), TimeUnit.NANOSECONDS);
    } catch (TimeoutException | ExecutionException e) {
      // The caller continues with the next method.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean carries(long pid, byte[] mark) {
    byte[] environment;
    try {
      environment = Files.readAllBytes(Path.of("/proc", Long.toString(pid), "environ"));
    } catch (IOException e) {
      return false; // Ended, or another user's.
    }
    int start = 0;
    for (int i = 0; i <= environment.length; i++) {
      if (i == environment.length || environment[i] == 0) {
        if (java.util.Arrays.equals(environment, start, i, mark, 0, mark.length)) {
          return true;
        }
        start = i + 1;
      }
    }
    return false;
  }
}
