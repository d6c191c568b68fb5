package io.cascade.studies.study;

import io.cascade.command.StopHook;
import io.cascade.lab.process.CascadeCommand;
import io.cascade.lab.process.WorkFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.Predicate;

/** A temporary folder for measured processes; a signal ends them and removes it. */
public final class Workplace implements AutoCloseable {
  private final WorkFolder folder;
  private final StopHook hook;
  private boolean kept;

  private Workplace(WorkFolder folder) {
    this.folder = folder;
    // After a signal there is no time for code that runs after an interrupt.
    this.hook = StopHook.install(this::removeWithProcesses);
  }

  /**
   * Creates the folder.
   *
   * @param name of the measurement, which becomes part of the folder's name
   */
  public static Workplace make(String name) throws IOException {
    return new Workplace(WorkFolder.make(name));
  }

  public Path path() {
    return folder.path();
  }

  /** Command that runs parts of Cascade without the user's settings. */
  public CascadeCommand command() {
    return folder.command();
  }

  /**
   * Measures; if that fails, or the result is not as required, the folder with its logs is kept.
   *
   * @param err receives the path of the logs
   */
  public <R> R measured(Callable<R> measurement, Predicate<R> holds, PrintWriter err)
      throws Exception {
    boolean held = false;
    try {
      R result = measurement.call();
      held = holds.test(result);
      return result;
    } finally {
      if (!held) {
        kept = true;
        folder.leave(false, err);
      }
    }
  }

  private void removeWithProcesses() {
    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
    folder.remove();
  }

  @Override
  public void close() {
    hook.close();
    if (!kept) {
      folder.remove();
    }
  }
}
