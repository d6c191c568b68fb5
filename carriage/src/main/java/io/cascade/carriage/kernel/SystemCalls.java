package io.cascade.carriage.kernel;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.cascade.kernel.CLibrary;
import io.netty.channel.unix.Errors;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * System calls on pipes, through the C library: {@code splice(2)}, {@code pipe2(2)}, {@code
 * fcntl(2)} and {@code close(2)}. None blocks. Linux only: they may be called only if {@link
 * #missing()} is null.
 */
public final class SystemCalls {
  /** {@link #splice} could move no bytes at present. */
  public static final long TRY_AGAIN = -1;

  private static final int O_NONBLOCK_CLOEXEC = 0x800 | 0x80000;
  private static final int F_SETPIPE_SZ = 1_031;
  private static final int SPLICE_F_MOVE_NONBLOCK = 1 | 2;
  private static final int EINTR = 4;
  private static final int EAGAIN = 11;

  private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

  private static final @Nullable String MISSING;
  private static final @Nullable MethodHandle SPLICE;
  private static final @Nullable MethodHandle PIPE;
  private static final @Nullable MethodHandle FCNTL;
  private static final @Nullable MethodHandle CLOSE;

  static {
    boolean found = System.getProperty("os.name", "").equals("Linux") && CLibrary.has("splice");
    MISSING = found ? null : "this system has no splice(2)";
    SPLICE =
        found
            ? CLibrary.bind(
                "splice",
                FunctionDescriptor.of(
                    JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT))
            : null;
    PIPE =
        found ? CLibrary.bind("pipe2", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT)) : null;
    FCNTL =
        found
            ? CLibrary.bindVariadic(
                "fcntl", 2, FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT))
            : null;
    CLOSE = found ? CLibrary.bind("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT)) : null;
  }

  private SystemCalls() {}

  /** Reason for which they cannot be called on this machine; null if they can. */
  public static @Nullable String missing() {
    return MISSING;
  }

  /**
   * Moves bytes between a pipe and another descriptor.
   *
   * @param most bytes to move at most
   * @return the number of bytes, 0 at the source's end, or {@link #TRY_AGAIN}
   * @throws IOException an error of either descriptor, with its number
   */
  public static long splice(int from, int to, long most) throws IOException {
    MemorySegment state = SCRATCH.get().state;
    while (true) {
      long moved;
      try {
        moved =
            (long)
                present(SPLICE)
                    .invokeExact(
                        state,
                        from,
                        MemorySegment.NULL,
                        to,
                        MemorySegment.NULL,
                        most,
                        SPLICE_F_MOVE_NONBLOCK);
      } catch (Throwable e) {
        throw new AssertionError(e);
      }
      if (moved >= 0) {
        return moved;
      }
      int errno = CLibrary.errno(state);
      if (errno == EAGAIN) {
        return TRY_AGAIN;
      }
      if (errno != EINTR) {
        throw Errors.newIOException("splice", -errno);
      }
    }
  }

  /**
   * Opens a pipe whose ends do not block.
   *
   * @throws IOException if no descriptor is free
   */
  public static PipeEnds pipe() throws IOException {
    Scratch scratch = SCRATCH.get();
    int result;
    try {
      result = (int) present(PIPE).invokeExact(scratch.state, scratch.ends, O_NONBLOCK_CLOEXEC);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    if (result < 0) {
      throw Errors.newIOException("pipe2", -CLibrary.errno(scratch.state));
    }
    return new PipeEnds(scratch.ends.get(JAVA_INT, 0), scratch.ends.get(JAVA_INT, Integer.BYTES));
  }

  /**
   * Requests another size for a pipe.
   *
   * @return the resulting size; negative if this user may not have a pipe of that size
   */
  public static int resizePipe(int descriptor, int bytes) {
    try {
      return (int) present(FCNTL).invokeExact(SCRATCH.get().state, descriptor, F_SETPIPE_SZ, bytes);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  public static void close(int descriptor) {
    try {
      int ignored = (int) present(CLOSE).invokeExact(SCRATCH.get().state, descriptor);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** The descriptors of a pipe: bytes written to {@code in} are read from {@code out}. */
  public record PipeEnds(int out, int in) {}

  static MethodHandle present(@Nullable MethodHandle handle) {
    if (handle == null) {
      throw new UnsupportedOperationException(String.valueOf(MISSING));
    }
    return handle;
  }

  /** Memory in which calls of this thread store their error number: the first argument of each. */
  static MemorySegment state() {
    return SCRATCH.get().state;
  }

  /** Memory of one thread's calls. */
  private static final class Scratch {
    final MemorySegment state = CLibrary.newState();
    final MemorySegment ends = Arena.ofAuto().allocate(JAVA_INT, 2);
  }
}
