package io.cascade.studies.bench;

import io.cascade.lab.process.Jcmd;
import java.io.IOException;
import java.nio.file.Path;

/** Recording of a Java process's allocations by its Flight Recorder. */
final class AllocationRecording {
  /**
   * Options of a process that is to be recorded. A sample is taken when a thread's allocation
   * buffer is full, and a process that allocates little would fill few buffers of the default size.
   * The options do not change what is allocated.
   */
  static final String JAVA_OPTIONS = "-XX:TLABSize=4k -XX:-ResizeTLAB";

  private static final String NAME = "name=allocations";

  private final long pid;

  private AllocationRecording(long pid) {
    this.pid = pid;
  }

  static AllocationRecording start(long pid) throws IOException, InterruptedException {
    String ignored =
        ProxyProcesses.output(
            Jcmd.command(
                pid,
                "JFR.start",
                NAME,
                "settings=none",
                "+" + AllocationSites.EVENT + "#enabled=true",
                "+" + AllocationSites.EVENT + "#stackTrace=true",
                "+" + AllocationSites.EVENT + "#throttle=off"));
    return new AllocationRecording(pid);
  }

  /** Ends the recording. */
  void stop(Path file) throws IOException, InterruptedException {
    String ignored =
        ProxyProcesses.output(
            Jcmd.command(pid, "JFR.stop", NAME, "filename=" + file.toAbsolutePath()));
  }
}
