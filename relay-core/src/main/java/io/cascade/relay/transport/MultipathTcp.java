package io.cascade.relay.transport;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.netty.channel.Channel;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.unix.IntegerUnixChannelOption;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.ConnectException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;

/**
 * Sockets of Multipath TCP (RFC 8684), which neither the JDK nor Netty can make. What comes out is
 * a descriptor, non-blocking, for Netty's epoll transport.
 *
 * <p>A listener takes plain TCP as well, and gives ordinary TCP sockets for it; a connection to a
 * peer or through a network that knows no Multipath TCP becomes plain TCP by itself.
 */
public final class MultipathTcp {
  private static final Path ENABLED = Path.of("/proc/sys/net/mptcp/enabled");

  private static final int IPPROTO_MPTCP = 262;
  private static final int AF_INET = 2;
  private static final int AF_INET6 = 10;
  private static final int SOCK_STREAM_NONBLOCK_CLOEXEC = 1 | 0x800 | 0x80000;
  private static final int SOL_SOCKET = 1;
  private static final int SO_REUSEADDR = 2;
  private static final int SO_ERROR = 4;
  private static final IntegerUnixChannelOption SO_PROTOCOL =
      new IntegerUnixChannelOption("SO_PROTOCOL", SOL_SOCKET, 38);
  private static final int EINTR = 4;
  private static final int EINPROGRESS = 115;
  private static final int ECONNREFUSED = 111;
  private static final short POLLOUT = 4;
  private static final int ADDRESS_BYTES = 28;
  private static final int SHORT_ADDRESS_BYTES = 16;
  private static final ValueLayout.OfShort NETWORK_SHORT =
      JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

  private MultipathTcp() {}

  /** Whether this kernel makes such sockets now. */
  public static boolean available() {
    if (!Transport.EPOLL.available() || !Files.exists(ENABLED)) {
      return false;
    }
    try (Calls kernel = new Calls()) {
      kernel.close(kernel.socket(AF_INET));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether that is a socket of Multipath TCP, whose connections may be plain TCP nonetheless. */
  public static boolean isSpokenBy(Channel channel) {
    return channel.config().getOption(SO_PROTOCOL) == IPPROTO_MPTCP;
  }

  /**
   * Listens.
   *
   * @return the descriptor
   */
  public static int listen(InetSocketAddress at, int backlog) throws IOException {
    try (Calls kernel = new Calls()) {
      int descriptor = kernel.socket(family(at.getAddress()));
      try {
        kernel.set(descriptor, SO_REUSEADDR, 1);
        kernel.check(kernel.address(Kernel.BIND, descriptor, at), "bind");
        kernel.check(kernel.call(Kernel.LISTEN, descriptor, backlog), "listen");
        return descriptor;
      } catch (IOException | RuntimeException e) {
        kernel.close(descriptor);
        throw e;
      }
    }
  }

  /**
   * Connects; blocks until it has, so never on an event loop and on a thread that may be pinned.
   *
   * @return the descriptor
   */
  public static int connect(InetSocketAddress to, Duration timeout) throws IOException {
    try (Calls kernel = new Calls()) {
      int descriptor = kernel.socket(family(to.getAddress()));
      try {
        if (kernel.address(Kernel.CONNECT, descriptor, to) != 0) {
          if (kernel.errno() != EINPROGRESS) {
            throw kernel.failure("connect", kernel.errno());
          }
          kernel.awaitWritable(descriptor, timeout, to);
        }
        return descriptor;
      } catch (IOException | RuntimeException e) {
        kernel.close(descriptor);
        throw e;
      }
    }
  }

  private static int family(InetAddress address) {
    return address instanceof Inet6Address ? AF_INET6 : AF_INET;
  }

  /**
   * The C library's functions; found when the first socket is made and not before. One shape for
   * all of them, as making a handle takes a starting relay some ten milliseconds: their arguments
   * are integers and addresses, and Linux passes each in a register of 64 bits.
   */
  private static final class Kernel {
    static final MemorySegment SOCKET = SystemCall.find("socket");
    static final MemorySegment BIND = SystemCall.find("bind");
    static final MemorySegment LISTEN = SystemCall.find("listen");
    static final MemorySegment CONNECT = SystemCall.find("connect");
    static final MemorySegment POLL = SystemCall.find("poll");
    static final MemorySegment CLOSE = SystemCall.find("close");
    static final MemorySegment SET = SystemCall.find("setsockopt");
    static final MemorySegment GET = SystemCall.find("getsockopt");

    private static final MethodHandle ANY =
        SystemCall.ofAny(
            FunctionDescriptor.of(
                JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));

    private Kernel() {}

    /** Answers what the function does; the upper half of its register means nothing. */
    static int call(MemorySegment function, MemorySegment state, long... arguments) {
      long[] five = Arrays.copyOf(arguments, 5);
      try {
        return (int)
            (long) ANY.invokeExact(function, state, five[0], five[1], five[2], five[3], five[4]);
      } catch (RuntimeException | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** System calls with memory of their own. */
  private static final class Calls implements AutoCloseable {
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment state = SystemCall.newState(arena);
    private final MemorySegment value = arena.allocate(JAVA_INT);
    private final MemorySegment length = arena.allocate(JAVA_INT);

    @Override
    public void close() {
      arena.close();
    }

    int socket(int family) throws IOException {
      return check(
          call(Kernel.SOCKET, family, SOCK_STREAM_NONBLOCK_CLOEXEC, IPPROTO_MPTCP), "socket");
    }

    void set(int descriptor, int option, int to) throws IOException {
      value.set(JAVA_INT, 0, to);
      check(
          call(Kernel.SET, descriptor, SOL_SOCKET, option, value.address(), Integer.BYTES),
          "setsockopt");
    }

    int address(MemorySegment bindOrConnect, int descriptor, InetSocketAddress address) {
      MemorySegment raw = arena.allocate(ADDRESS_BYTES, Integer.BYTES);
      byte[] ip = address.getAddress().getAddress();
      boolean six = address.getAddress() instanceof Inet6Address;
      raw.set(JAVA_SHORT, 0, (short) (six ? AF_INET6 : AF_INET));
      raw.set(NETWORK_SHORT, 2, (short) address.getPort());
      MemorySegment.copy(ip, 0, raw, JAVA_BYTE, six ? 8 : 4, ip.length);
      if (address.getAddress() instanceof Inet6Address scoped) {
        raw.set(JAVA_INT, 24, scoped.getScopeId());
      }
      return call(
          bindOrConnect, descriptor, raw.address(), six ? ADDRESS_BYTES : SHORT_ADDRESS_BYTES);
    }

    void awaitWritable(int descriptor, Duration timeout, InetSocketAddress to) throws IOException {
      MemorySegment poll = arena.allocate(8, Integer.BYTES);
      long deadline = System.nanoTime() + timeout.toNanos();
      int ready = 0;
      while (ready == 0) {
        long left = (deadline - System.nanoTime()) / 1_000_000;
        if (left <= 0) {
          throw new ConnectTimeoutException("connection timed out: " + to);
        }
        poll.set(JAVA_INT, 0, descriptor);
        poll.set(JAVA_SHORT, 4, POLLOUT);
        ready = call(Kernel.POLL, poll.address(), 1, left);
        if (ready < 0) {
          if (errno() != EINTR) {
            throw failure("poll", errno());
          }
          ready = 0;
        }
      }
      length.set(JAVA_INT, 0, Integer.BYTES);
      check(
          call(Kernel.GET, descriptor, SOL_SOCKET, SO_ERROR, value.address(), length.address()),
          "getsockopt");
      int error = value.get(JAVA_INT, 0);
      if (error != 0) {
        throw failure("connect", error);
      }
    }

    void close(int descriptor) {
      int ignored = call(Kernel.CLOSE, descriptor);
    }

    int errno() {
      return SystemCall.errno(state);
    }

    int check(int result, String what) throws IOException {
      if (result < 0) {
        throw failure(what, errno());
      }
      return result;
    }

    IOException failure(String what, int error) {
      return error == ECONNREFUSED
          ? new ConnectException("Connection refused")
          : new IOException(what + " of a Multipath TCP socket: error " + error);
    }

    int call(MemorySegment function, long... arguments) {
      return Kernel.call(function, state, arguments);
    }
  }
}
