package io.cascade.relay.transport;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.netty.channel.unix.Errors;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A pipe in the kernel through which bytes go from socket to socket without coming into this
 * process: {@code splice(2)}. Nothing here blocks. A pipe belongs to one event loop.
 *
 * <p>Pipes are kept for the next user while they are empty, a few for each event loop.
 */
public final class KernelPipe {
  /** {@link #fill} and {@link #drain} could move nothing now. */
  public static final long TRY_AGAIN = -1;

  /** {@link #fill} found the source at its end. */
  public static final long END = 0;

  /** What each is asked to hold, as fs.pipe-max-size comes. */
  public static final int WANTED_BYTES = 1 << 20;

  /** Through less than this, copying is cheaper. */
  private static final int LEAST_BYTES = 256 << 10;

  /** How many an event loop keeps for the next user. */
  public static final int MOST_SPARE = 64;

  private static final int O_NONBLOCK_CLOEXEC = 0x800 | 0x80000;
  private static final int F_SETPIPE_SZ = 1_031;
  private static final int MOVE_NONBLOCK = 1 | 2;
  private static final int EINTR = 4;
  private static final int EAGAIN = 11;

  private static final ThreadLocal<ArrayDeque<KernelPipe>> SPARE =
      ThreadLocal.withInitial(ArrayDeque::new);

  private final int out;
  private final int in;
  private long held;

  private KernelPipe(int out, int in) {
    this.out = out;
    this.in = in;
  }

  /** Why there are none on this machine; null where there are. */
  public static @Nullable String missing() {
    return Calls.MISSING;
  }

  /**
   * An empty pipe.
   *
   * @throws IOException when no more descriptors can be had, or only a small pipe: where
   *     fs.pipe-max-size is smaller, or the user has many already (fs.pipe-user-pages-soft)
   */
  public static KernelPipe take() throws IOException {
    KernelPipe spare = SPARE.get().poll();
    return spare == null ? open() : spare;
  }

  /** Done with it: kept where it is empty, closed with what it holds where it is not. */
  public void giveBack() {
    ArrayDeque<KernelPipe> spare = SPARE.get();
    if (held == 0 && spare.size() < MOST_SPARE) {
      spare.push(this);
    } else {
      close();
    }
  }

  /** Closes the pipes that this thread keeps. */
  static void closeSpare() {
    SPARE.get().forEach(KernelPipe::close);
    SPARE.remove();
  }

  /** Bytes in it. */
  public long held() {
    return held;
  }

  /**
   * Takes bytes from a socket.
   *
   * @return how many, {@link #END}, or {@link #TRY_AGAIN} where none are there or the pipe may be
   *     full
   * @throws IOException the socket's error
   */
  public long fill(int socket, long most) throws IOException {
    long moved = Calls.splice(socket, in, most);
    if (moved > 0) {
      held += moved;
    }
    return moved;
  }

  /**
   * Gives bytes to a socket.
   *
   * @return how many, or {@link #TRY_AGAIN} where it has no room
   * @throws IOException the socket's error
   */
  public long drain(int socket) throws IOException {
    long moved = Calls.splice(out, socket, held);
    if (moved > 0) {
      held -= moved;
    }
    return moved == 0 ? TRY_AGAIN : moved;
  }

  private void close() {
    Calls.close(out);
    Calls.close(in);
  }

  private static KernelPipe open() throws IOException {
    MemorySegment ends = Calls.scratch().ends;
    Calls.check("pipe2", Calls.pipe(ends));
    KernelPipe pipe = new KernelPipe(ends.get(JAVA_INT, 0), ends.get(JAVA_INT, Integer.BYTES));
    if (Calls.resize(pipe.in) < LEAST_BYTES) {
      pipe.close();
      throw new IOException(
          "this user may have no larger pipes: sysctl -w fs.pipe-user-pages-soft=0"
              + " fs.pipe-max-size="
              + WANTED_BYTES);
    }
    return pipe;
  }

  /** The system calls. Apart, so that other systems can load the class around it. */
  private static final class Calls {
    private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

    static final @Nullable String MISSING;
    private static final @Nullable MethodHandle SPLICE;
    private static final @Nullable MethodHandle PIPE;
    private static final @Nullable MethodHandle FCNTL;
    private static final @Nullable MethodHandle CLOSE;

    static {
      boolean found =
          System.getProperty("os.name", "").equals("Linux") && SystemCall.exists("splice");
      MISSING = found ? null : "this system has no splice(2)";
      SPLICE =
          found
              ? SystemCall.handle(
                  "splice",
                  FunctionDescriptor.of(
                      JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT))
              : null;
      PIPE =
          found
              ? SystemCall.handle("pipe2", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT))
              : null;
      FCNTL =
          found
              ? SystemCall.handle(
                  "fcntl",
                  FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT),
                  Linker.Option.firstVariadicArg(2))
              : null;
      CLOSE = found ? SystemCall.handle("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT)) : null;
    }

    private Calls() {}

    static Scratch scratch() {
      return SCRATCH.get();
    }

    static long splice(int from, int to, long most) throws IOException {
      MemorySegment state = scratch().state;
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
                          MOVE_NONBLOCK);
        } catch (Throwable e) {
          throw new AssertionError(e);
        }
        if (moved >= 0) {
          return moved;
        }
        int errno = SystemCall.errno(state);
        if (errno == EAGAIN) {
          return TRY_AGAIN;
        }
        if (errno != EINTR) {
          throw Errors.newIOException("splice", -errno);
        }
      }
    }

    static int pipe(MemorySegment ends) {
      try {
        return (int) present(PIPE).invokeExact(scratch().state, ends, O_NONBLOCK_CLOEXEC);
      } catch (Throwable e) {
        throw new AssertionError(e);
      }
    }

    /** Answers what size it has, or a negative number where it may not have the one wanted. */
    static int resize(int pipe) {
      try {
        return (int) present(FCNTL).invokeExact(scratch().state, pipe, F_SETPIPE_SZ, WANTED_BYTES);
      } catch (Throwable e) {
        throw new AssertionError(e);
      }
    }

    static void close(int descriptor) {
      try {
        int ignored = (int) present(CLOSE).invokeExact(scratch().state, descriptor);
      } catch (Throwable e) {
        throw new AssertionError(e);
      }
    }

    static void check(String what, int result) throws IOException {
      if (result < 0) {
        throw Errors.newIOException(what, -SystemCall.errno(scratch().state));
      }
    }

    private static MethodHandle present(@Nullable MethodHandle handle) {
      if (handle == null) {
        throw new UnsupportedOperationException(String.valueOf(MISSING));
      }
      return handle;
    }
  }

  /** Memory of one thread's calls. */
  private static final class Scratch {
    final MemorySegment state = SystemCall.newState(Arena.ofAuto());
    final MemorySegment ends = Arena.ofAuto().allocate(JAVA_INT, 2);
  }
}
