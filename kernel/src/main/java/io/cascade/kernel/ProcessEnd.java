package io.cascade.kernel;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.NoSuchElementException;

/**
 * Ends a process at once when its work is done. {@link System#exit} waits up to 0.3 s for threads
 * that are in a system call, and the virtual machine always has one once a virtual thread has
 * waited for a socket.
 */
public final class ProcessEnd {
  private ProcessEnd() {}

  /**
   * Ends the process after flushing its output. If the process is already ending because of a
   * signal, or the C library cannot be called, it ends through {@link System#exit}, with its hooks.
   *
   * <p>For a process whose hooks have nothing left to do: they do not run.
   *
   * @param code 0 to 255
   */
  public static void now(int code) {
    System.out.flush();
    System.err.flush();
    if (!isEnding()) {
      exit(code);
    }
    System.exit(code);
  }

  /** Whether hooks already run, whose work must end first. */
  private static boolean isEnding() {
    Thread hook = new Thread(() -> {});
    try {
      Runtime.getRuntime().addShutdownHook(hook);
      return !Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return true;
    }
  }

  private static void exit(int code) {
    try {
      MethodHandle exit = CLibrary.bind("_exit", FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT));
      MemorySegment state = CLibrary.newState();
      exit.invokeExact(state, code);
    } catch (NoSuchElementException e) {
      // System.exit follows.
    } catch (Throwable e) {
      throw new AssertionError("a call of a function without a result does not fail", e);
    }
  }
}
