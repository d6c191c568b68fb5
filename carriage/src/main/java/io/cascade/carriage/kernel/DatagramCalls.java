package io.cascade.carriage.kernel;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.cascade.kernel.CLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * System calls for many datagrams at a time: {@code recvmmsg(2)}, {@code sendmmsg(2)}, and {@code
 * clock_gettime(2)} for the clock by which the kernel stamps them. None blocks. Linux only, as
 * {@link SystemCalls#missing()} says.
 */
public final class DatagramCalls {
  private static final int MSG_DONTWAIT = 0x40;
  private static final int CLOCK_REALTIME = 0;
  private static final int EINTR = 4;

  private static final @Nullable MethodHandle RECEIVE;
  private static final @Nullable MethodHandle SEND;
  private static final @Nullable MethodHandle CLOCK;
  private static final ThreadLocal<MemorySegment> TIME =
      ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(JAVA_LONG, 2));

  static {
    boolean found = SystemCalls.missing() == null;
    RECEIVE =
        found
            ? CLibrary.bind(
                "recvmmsg",
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS))
            : null;
    SEND =
        found
            ? CLibrary.bind(
                "sendmmsg", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT))
            : null;
    CLOCK =
        found
            ? CLibrary.bind("clock_gettime", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS))
            : null;
  }

  private DatagramCalls() {}

  /**
   * Receives the available datagrams.
   *
   * @param messages {@code struct mmsghdr}s
   * @return their number, or an error number as a negative one
   */
  public static int receive(int descriptor, MemorySegment messages, int most) {
    MemorySegment state = SystemCalls.state();
    while (true) {
      int received;
      try {
        received =
            (int)
                SystemCalls.present(RECEIVE)
                    .invokeExact(
                        state, descriptor, messages, most, MSG_DONTWAIT, MemorySegment.NULL);
      } catch (Throwable e) {
        throw new AssertionError(e);
      }
      int errno = received < 0 ? CLibrary.errno(state) : 0;
      if (errno != EINTR) {
        return received < 0 ? -errno : received;
      }
    }
  }

  /**
   * Sends datagrams.
   *
   * @param messages {@code struct mmsghdr}s
   * @return how many the kernel accepted, from the first; or the error number of the first as a
   *     negative one
   */
  public static int send(int descriptor, MemorySegment messages, int count) {
    MemorySegment state = SystemCalls.state();
    while (true) {
      int sent;
      try {
        sent =
            (int)
                SystemCalls.present(SEND)
                    .invokeExact(state, descriptor, messages, count, MSG_DONTWAIT);
      } catch (Throwable e) {
        throw new AssertionError(e);
      }
      int errno = sent < 0 ? CLibrary.errno(state) : 0;
      if (errno != EINTR) {
        return sent < 0 ? -errno : sent;
      }
    }
  }

  /** The time of day in ns since 1970, by which the kernel stamps datagrams. */
  public static long timeOfDayNanos() {
    MemorySegment time = TIME.get();
    try {
      int ignored =
          (int) SystemCalls.present(CLOCK).invokeExact(SystemCalls.state(), CLOCK_REALTIME, time);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    return time.get(JAVA_LONG, 0) * 1_000_000_000L + time.get(JAVA_LONG, Long.BYTES);
  }
}
