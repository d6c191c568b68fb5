package io.cascade.carriage.transport;

import io.cascade.carriage.kernel.SystemCalls;
import java.io.IOException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A pipe in the kernel through which bytes are moved from socket to socket without passing through
 * this process: {@code splice(2)}. No method blocks. A pipe belongs to one event loop.
 *
 * <p>Empty pipes are kept for the next user, a few per event loop.
 */
public final class KernelPipe {
  /** {@link #fill} and {@link #drain} could move no bytes at present. */
  public static final long TRY_AGAIN = SystemCalls.TRY_AGAIN;

  /** {@link #fill} found the source at its end. */
  public static final long END = 0;

  /** Requested size, the default of fs.pipe-max-size. */
  public static final int WANTED_BYTES = 1 << 20;

  /** Least size at which splicing is cheaper than copying. */
  private static final int LEAST_BYTES = 256 << 10;

  /** Most pipes that an event loop keeps for the next user. */
  public static final int MOST_SPARE = 64;

  private static final ThreadLocal<ArrayDeque<KernelPipe>> SPARE =
      ThreadLocal.withInitial(ArrayDeque::new);

  private final int out;
  private final int in;
  private long held;

  private KernelPipe(int out, int in) {
    this.out = out;
    this.in = in;
  }

  /** Reason for which this machine has none; null if it has. */
  public static @Nullable String missing() {
    return SystemCalls.missing();
  }

  /**
   * Returns an empty pipe.
   *
   * @throws IOException if no descriptor is free, or only a small pipe is available: if
   *     fs.pipe-max-size is smaller, or the user has many already (fs.pipe-user-pages-soft)
   */
  public static KernelPipe take() throws IOException {
    KernelPipe spare = SPARE.get().poll();
    return spare == null ? open() : spare;
  }

  /** Returns it: an empty one is kept, another one is closed with what it holds. */
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

  /** Bytes that it holds. */
  public long held() {
    return held;
  }

  /**
   * Moves bytes from a socket into the pipe.
   *
   * @return the number of bytes, {@link #END}, or {@link #TRY_AGAIN} if none are available or the
   *     pipe may be full
   * @throws IOException the socket's error
   */
  public long fill(int socket, long most) throws IOException {
    long moved = SystemCalls.splice(socket, in, most);
    if (moved > 0) {
      held += moved;
    }
    return moved;
  }

  /**
   * Moves bytes from the pipe to a socket.
   *
   * @return the number of bytes, or {@link #TRY_AGAIN} if it has no room
   * @throws IOException the socket's error
   */
  public long drain(int socket) throws IOException {
    long moved = SystemCalls.splice(out, socket, held);
    if (moved > 0) {
      held -= moved;
    }
    return moved == 0 ? TRY_AGAIN : moved;
  }

  private void close() {
    SystemCalls.close(out);
    SystemCalls.close(in);
  }

  private static KernelPipe open() throws IOException {
    SystemCalls.PipeEnds ends = SystemCalls.pipe();
    KernelPipe pipe = new KernelPipe(ends.out(), ends.in());
    if (SystemCalls.resizePipe(pipe.in, WANTED_BYTES) < LEAST_BYTES) {
      pipe.close();
      throw new IOException(
          "this user may have no larger pipes; fix: sysctl -w fs.pipe-user-pages-soft=0"
              + " fs.pipe-max-size="
              + WANTED_BYTES);
    }
    return pipe;
  }
}
