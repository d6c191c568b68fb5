package io.cascade.studies.study;

import io.cascade.command.StopHook;
import io.cascade.lab.process.CascadeCommand;
import io.cascade.lab.process.WorkFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.Predicate;

/** A temporary folder in which processes are measured; a signal ends them and removes it. */
public final class Workplace implements AutoCloseable {
  private final WorkFolder folder;
  private final StopHook hook;
  private boolean kept;

  private Workplace(WorkFolder folder) {
    this.folder = folder;
    // A signal leaves no time for what comes after an interrupt.
    this.hook = StopHook.install(this::removeWithProcesses);
  }

  /**
   * Makes one.
   *
   * @param name of what is measured, which the folder's name has
   */
  public static Workplace make(String name) throws IOException {
    return new Workplace(WorkFolder.make(name));
  }

  public Path path() {
    return folder.path();
  }

  /** Runs parts of Cascade without the user's own settings. */
  public CascadeCommand command() {
    return folder.command();
  }

  /**
   * Measures; where that fails, or its result is not as it has to be, the folder stays for its
   * logs.
   *
   * @param err is told where they are
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
