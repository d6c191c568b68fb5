package io.cascade.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Makes system calls that Java does not offer. Each returns what the C library's function returns,
 * with {@code -errno} in place of -1. None allocates: an emulator's thread calls them for every
 * packet.
 */
public final class Kernel {
  public static final int EAGAIN = 11;
  public static final int EPERM = 1;
  static final int EINVAL = 22;
  static final int CLONE_NEWNET = 0x4000_0000;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

  private static final MethodHandle OPEN = variadic("open", 2, INT, LONG, INT);
  private static final MethodHandle IOCTL = variadic("ioctl", 2, INT, INT, LONG, LONG);
  private static final MethodHandle CLOSE = handle("close", INT, INT);
  private static final MethodHandle READ = handle("read", LONG, INT, LONG, LONG);
  private static final MethodHandle WRITE = handle("write", LONG, INT, LONG, LONG);
  private static final MethodHandle PPOLL = handle("ppoll", INT, LONG, LONG, LONG, LONG);
  private static final MethodHandle EVENTFD = handle("eventfd", INT, INT, INT);
  private static final MethodHandle MMAP = handle("mmap", LONG, LONG, LONG, INT, INT, INT, LONG);
  private static final MethodHandle UNSHARE = handle("unshare", INT, INT);
  private static final MethodHandle SETNS = handle("setns", INT, INT, INT);
  private static final MethodHandle GETTID = handle("gettid", INT);
  private static final MethodHandle SCHEDULER = handle("sched_setscheduler", INT, INT, INT, LONG);
  private static final MethodHandle SOCKET = handle("socket", INT, INT, INT, INT);
  private static final MethodHandle SETSOCKOPT =
      handle("setsockopt", INT, INT, INT, INT, LONG, INT);
  private static final MethodHandle BIND = handle("bind", INT, INT, LONG, INT);
  private static final MethodHandle CONNECT = handle("connect", INT, INT, LONG, INT);
  private static final MethodHandle PRCTL = variadic("prctl", 1, INT, INT, LONG, LONG, LONG, LONG);

  private static final ThreadLocal<MemorySegment> CAPTURED =
      ThreadLocal.withInitial(CLibrary::newState);

  private Kernel() {}

  static int open(String path, int flags) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = CAPTURED.get();
      int fd = (int) OPEN.invokeExact(state, arena.allocateFrom(path).address(), flags);
      return fd < 0 ? -CLibrary.errno(state) : fd;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int ioctl(int fd, long request, MemorySegment argument) {
    try {
      MemorySegment state = CAPTURED.get();
      int answer = (int) IOCTL.invokeExact(state, fd, request, argument.address());
      return answer < 0 ? -CLibrary.errno(state) : answer;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  public static int close(int fd) {
    try {
      MemorySegment state = CAPTURED.get();
      int answer = (int) CLOSE.invokeExact(state, fd);
      return answer < 0 ? -CLibrary.errno(state) : answer;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /**
   * @param state from {@link CLibrary#newState}
   */
  public static long read(MemorySegment state, int fd, long address, long length) {
    try {
      long answer = (long) READ.invokeExact(state, fd, address, length);
      return answer < 0 ? -CLibrary.errno(state) : answer;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /**
   * @param state from {@link CLibrary#newState}
   */
  public static long write(MemorySegment state, int fd, long address, long length) {
    try {
      long answer = (long) WRITE.invokeExact(state, fd, address, length);
      return answer < 0 ? -CLibrary.errno(state) : answer;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /**
   * @param descriptors {@code struct pollfd}s
   * @param timeout {@code struct timespec}, which the kernel does not write to
   */
  public static int poll(
      MemorySegment state, MemorySegment descriptors, long count, MemorySegment timeout) {
    try {
      int answer =
          (int) PPOLL.invokeExact(state, descriptors.address(), count, timeout.address(), 0L);
      return answer < 0 ? -CLibrary.errno(state) : answer;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /**
   * Opens a socket in the calling thread's network namespace.
   *
   * @param kind its type, with flags
   */
  public static int socket(MemorySegment state, int family, int kind, int protocol) {
    try {
      int fd = (int) SOCKET.invokeExact(state, family, kind, protocol);
      return fd < 0 ? -CLibrary.errno(state) : fd;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  public static int setOption(
      MemorySegment state, int fd, int level, int option, MemorySegment value, int length) {
    try {
      int answer = (int) SETSOCKOPT.invokeExact(state, fd, level, option, value.address(), length);
      return answer < 0 ? -CLibrary.errno(state) : answer;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /**
   * Sets the size of a socket's send buffer, which root may set beyond {@code net.core.wmem_max}.
   *
   * @param bytes an int
   */
  static void setSendBuffer(MemorySegment state, int fd, MemorySegment bytes) {
    setBuffer(state, fd, 32, 7, bytes);
  }

  /** Sets the size of a socket's receive buffer, likewise beyond {@code net.core.rmem_max}. */
  static void setReceiveBuffer(MemorySegment state, int fd, MemorySegment bytes) {
    setBuffer(state, fd, 33, 8, bytes);
  }

  /**
   * @param forced SO_SNDBUFFORCE or SO_RCVBUFFORCE
   * @param option SO_SNDBUF or SO_RCVBUF
   */
  private static void setBuffer(
      MemorySegment state, int fd, int forced, int option, MemorySegment bytes) {
    int solSocket = 1;
    if (setOption(state, fd, solSocket, forced, bytes, Integer.BYTES) < 0) {
      int ignored = setOption(state, fd, solSocket, option, bytes, Integer.BYTES);
    }
  }

  /**
   * Binds a socket to an address.
   *
   * @param address {@code struct sockaddr}
   */
  public static int bind(MemorySegment state, int fd, MemorySegment address) {
    try {
      int answer = (int) BIND.invokeExact(state, fd, address.address(), (int) address.byteSize());
      return answer < 0 ? -CLibrary.errno(state) : answer;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /**
   * Connects a socket.
   *
   * @param address {@code struct sockaddr}
   */
  public static int connect(MemorySegment state, int fd, MemorySegment address) {
    try {
      int answer =
          (int) CONNECT.invokeExact(state, fd, address.address(), (int) address.byteSize());
      return answer < 0 ? -CLibrary.errno(state) : answer;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Makes a descriptor that is readable once anything was written to it; does not block. */
  public static int eventDescriptor() {
    try {
      MemorySegment state = CAPTURED.get();
      int fd = (int) EVENTFD.invokeExact(state, 0, 0x800);
      return fd < 0 ? -CLibrary.errno(state) : fd;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Reserves memory that occupies no RAM until it is written to; never returned. */
  @SuppressWarnings("restricted") // The launcher allows native access.
  public static MemorySegment reserve(long bytes) {
    try {
      MemorySegment state = CAPTURED.get();
      // PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
      long address = (long) MMAP.invokeExact(state, 0L, bytes, 3, 0x4022, -1, 0L);
      if (address == -1) {
        throw new IllegalStateException(
            "mmap of " + bytes + " bytes: errno " + CLibrary.errno(state));
      }
      return MemorySegment.ofAddress(address).reinterpret(bytes);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Moves the calling thread into a new network namespace. */
  static int unshareNetwork() {
    try {
      MemorySegment state = CAPTURED.get();
      int answer = (int) UNSHARE.invokeExact(state, CLONE_NEWNET);
      return answer < 0 ? -CLibrary.errno(state) : answer;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Moves the calling thread into a network namespace. */
  static int enterNetwork(int fd) {
    try {
      MemorySegment state = CAPTURED.get();
      int answer = (int) SETNS.invokeExact(state, fd, CLONE_NEWNET);
      return answer < 0 ? -CLibrary.errno(state) : answer;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static int threadId() {
    try {
      return (int) GETTID.invokeExact(CAPTURED.get());
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /**
   * Gives the calling thread precedence over all threads that share the processor by time
   * (SCHED_FIFO), and lets its timers fire with nanosecond resolution.
   *
   * @param priority 1 to 99; of two such threads the higher one runs first
   * @return whether the kernel allowed the priority
   */
  public static boolean becomeRealTime(int priority) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = CAPTURED.get();
      int slack = (int) PRCTL.invokeExact(state, 29, 1L, 0L, 0L, 0L); // PR_SET_TIMERSLACK
      int scheduled =
          (int) SCHEDULER.invokeExact(state, 0, 1, arena.allocateFrom(INT, priority).address());
      return scheduled == 0 && slack == 0;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Describes an error number, for the few that users meet. */
  public static String explain(int errno) {
    return switch (errno) {
      case 1, 13 -> "not permitted (errno " + errno + ")";
      case 2 -> "no such file (errno 2)";
      case 16 -> "busy (errno 16)";
      case 19 -> "no such device (errno 19)";
      default -> "errno " + errno;
    };
  }

  private static MethodHandle handle(String name, MemoryLayout answer, MemoryLayout... parameters) {
    return CLibrary.bind(name, FunctionDescriptor.of(answer, parameters));
  }

  private static MethodHandle variadic(
      String name, int fixed, ValueLayout answer, ValueLayout... parameters) {
    return CLibrary.bindVariadic(name, fixed, FunctionDescriptor.of(answer, parameters));
  }

  static RuntimeException unexpected(Throwable e) {
    return switch (e) {
      case RuntimeException known -> known;
      case Error fatal -> throw fatal;
      default -> new IllegalStateException(e);
    };
  }
}
