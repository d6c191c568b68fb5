package io.cascade.kernel;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Watches whether a pipe or a socket still has a reader (poll(2)). Linux only. */
public final class PipeReader {
  public static final int STANDARD_OUTPUT = 1;

  private static final short POLLERR = 8;
  private static final int FOR_EVER = -1;
  private static final int EINTR = 4;

  /** Offset of {@code revents} in a {@code struct pollfd}, after an int and a short. */
  private static final long REVENTS = 6;

  private static final long POLLFD_BYTES = 8;

  private PipeReader() {}

  /** Bound at the first use, since not all systems have it. */
  private static final class Calls {
    private static final MethodHandle POLL =
        CLibrary.bind("poll", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));

    private Calls() {}
  }

  /**
   * Blocks until the last reader has closed its end, so that a write would reach no process. Never
   * returns for a file, or a terminal that stays open.
   *
   * @param descriptor number of the end for writing
   * @throws IOException if it cannot be waited for
   */
  public static void awaitGone(int descriptor) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = CLibrary.newState(arena);
      MemorySegment asked = arena.allocate(POLLFD_BYTES, Integer.BYTES);
      asked.set(JAVA_INT, 0, descriptor);
      while ((asked.get(JAVA_SHORT, REVENTS) & POLLERR) == 0) {
        int answer = (int) Calls.POLL.invokeExact(state, asked, 1L, FOR_EVER);
        int error = CLibrary.errno(state);
        if (answer < 0 && error != EINTR) {
          throw new IOException("poll: " + Kernel.explain(error));
        }
        if (answer > 0 && (asked.get(JAVA_SHORT, REVENTS) & POLLERR) == 0) {
          throw new IOException("poll: descriptor " + descriptor + " is closed");
        }
      }
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw Kernel.unexpected(e);
    }
  }
}
