package io.cascade.studies.bench;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.cascade.kernel.CLibrary;
import io.cascade.kernel.Kernel;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A blocking TCP socket over IPv4 that makes the same system calls as a C program, so that the ends
 * of a measured connection cost little, and the same for every contender. Linux only. On loopback,
 * reads and writes time out after {@link #PATIENCE_SECONDS}, and small segments are not delayed.
 * Sockets of the kernel's Multipath TCP (RFC 8684), which Java does not offer, keep the kernel's
 * defaults.
 */
public final class TcpSocket implements AutoCloseable {
  /** Time without progress after which a read or a write fails. */
  static final int PATIENCE_SECONDS = 20;

  private static final int AF_INET = 2;
  private static final int SOCK_STREAM_CLOEXEC = 1 | 0x80000;
  private static final int SOL_SOCKET = 1;
  private static final int SO_REUSEADDR = 2;
  private static final int SO_LINGER = 13;
  private static final int SO_RCVTIMEO = 20;
  private static final int SO_SNDTIMEO = 21;
  private static final int IPPROTO_TCP = 6;
  private static final int IPPROTO_MPTCP = 262;
  private static final int TCP_NODELAY = 1;
  private static final int MPTCP_BACKLOG = 4;
  private static final int SHUT_WR = 1;
  private static final int SHUT_RDWR = 2;
  private static final int SOCK_CLOEXEC = 0x80000;
  private static final int MSG_NOSIGNAL = 0x4000;
  private static final int EINTR = 4;
  private static final int EAGAIN = 11;
  private static final int ADDRESS_BYTES = 16;
  private static final ValueLayout.OfShort PORT_IN_NETWORK_ORDER =
      JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

  private static final MethodHandle LISTEN = handle("listen", JAVA_INT, JAVA_INT);
  private static final MethodHandle NAME = handle("getsockname", JAVA_INT, ADDRESS, ADDRESS);
  private static final MethodHandle ACCEPT =
      handle("accept4", JAVA_INT, ADDRESS, ADDRESS, JAVA_INT);
  private static final MethodHandle SET =
      handle("setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle SHUTDOWN = handle("shutdown", JAVA_INT, JAVA_INT);
  private static final MethodHandle RECV = transfer("recv");
  private static final MethodHandle SEND = transfer("send");

  /** Scratch memory of a thread for errno, an address, and an option's value. */
  private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

  private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

  private final int descriptor;
  private final int protocol;
  private final AtomicBoolean closed = new AtomicBoolean();

  private TcpSocket(int descriptor, int protocol) {
    this.descriptor = descriptor;
    this.protocol = protocol;
  }

  /** Listens on a free port of 127.0.0.1. */
  static TcpSocket listen(int backlog) throws IOException {
    return listen(IPPROTO_TCP, LOOPBACK, 0, backlog);
  }

  /** Listens for Multipath TCP in the network of the calling thread. */
  public static TcpSocket listenMultipath(InetAddress address, int port) throws IOException {
    return listen(IPPROTO_MPTCP, address, port, MPTCP_BACKLOG);
  }

  private static TcpSocket listen(int protocol, InetAddress address, int port, int backlog)
      throws IOException {
    TcpSocket socket = open(protocol);
    try {
      if (protocol == IPPROTO_TCP) {
        socket.set(SOL_SOCKET, SO_REUSEADDR, 1);
      }
      Scratch scratch = SCRATCH.get();
      check(
          "bind",
          Kernel.bind(scratch.state, socket.descriptor, scratch.address(address, port)),
          scratch);
      check("listen", call(LISTEN, scratch, socket.descriptor, backlog), scratch);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** Connects to a port of 127.0.0.1. */
  static TcpSocket connect(int port) throws IOException {
    return connect(IPPROTO_TCP, LOOPBACK, port);
  }

  /** Connects by Multipath TCP from the network of the calling thread. */
  public static TcpSocket connectMultipath(InetAddress address, int port) throws IOException {
    return connect(IPPROTO_MPTCP, address, port);
  }

  private static TcpSocket connect(int protocol, InetAddress address, int port) throws IOException {
    TcpSocket socket = open(protocol);
    try {
      socket.prepare();
      Scratch scratch = SCRATCH.get();
      check(
          "connect",
          Kernel.connect(scratch.state, socket.descriptor, scratch.address(address, port)),
          scratch);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** Waits for a connection without a time limit. */
  public TcpSocket accept() throws IOException {
    Scratch scratch = SCRATCH.get();
    int accepted;
    do {
      accepted =
          call(ACCEPT, scratch, descriptor, MemorySegment.NULL, MemorySegment.NULL, SOCK_CLOEXEC);
    } while (accepted < 0 && scratch.errno() == EINTR);
    check("accept", accepted, scratch);
    TcpSocket socket = new TcpSocket(accepted, protocol);
    socket.prepare();
    return socket;
  }

  int port() throws IOException {
    Scratch scratch = SCRATCH.get();
    scratch.value.set(JAVA_INT, 0, ADDRESS_BYTES);
    check("getsockname", call(NAME, scratch, descriptor, scratch.address, scratch.value), scratch);
    return Short.toUnsignedInt(scratch.address.get(PORT_IN_NETWORK_ORDER, 2));
  }

  /**
   * @return number of bytes read; 0 at the end of the stream
   */
  public int read(MemorySegment into) throws IOException {
    return (int) transfer("read", RECV, into, 0);
  }

  /** Reads until {@code into} is full; fails if the stream ends before. */
  void readFully(MemorySegment into) throws IOException {
    long done = 0;
    while (done < into.byteSize()) {
      int got = read(into.asSlice(done));
      if (got == 0) {
        throw new IOException("the end came after " + done + " of " + into.byteSize() + " bytes");
      }
      done += got;
    }
  }

  /** Writes all bytes, repeating partial writes. */
  public void writeFully(MemorySegment from) throws IOException {
    long done = transfer("write", SEND, from, MSG_NOSIGNAL);
    while (done < from.byteSize()) {
      done += transfer("write", SEND, from.asSlice(done), MSG_NOSIGNAL);
    }
  }

  void shutdownOutput() throws IOException {
    Scratch scratch = SCRATCH.get();
    check("shutdown", call(SHUTDOWN, scratch, descriptor, SHUT_WR), scratch);
  }

  /** Unblocks a thread that waits in a read, a write or an accept of this socket. */
  public void interrupt() {
    Scratch scratch = SCRATCH.get();
    int ignored = call(SHUTDOWN, scratch, descriptor, SHUT_RDWR);
  }

  /** Closes with a reset, so that no port stays in TIME_WAIT. */
  void reset() {
    try {
      set(SOL_SOCKET, SO_LINGER, 1L);
    } catch (IOException e) {
      // The socket is broken already; only closing remains.
    }
    close();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      int ignored = Kernel.close(descriptor);
    }
  }

  private static TcpSocket open(int protocol) throws IOException {
    Scratch scratch = SCRATCH.get();
    int made = Kernel.socket(scratch.state, AF_INET, SOCK_STREAM_CLOEXEC, protocol);
    check(protocol == IPPROTO_MPTCP ? "MPTCP socket" : "socket", made, scratch);
    return new TcpSocket(made, protocol);
  }

  private void prepare() throws IOException {
    if (protocol != IPPROTO_TCP) {
      return;
    }
    set(IPPROTO_TCP, TCP_NODELAY, 1);
    Scratch scratch = SCRATCH.get();
    scratch.value.set(JAVA_LONG, 0, PATIENCE_SECONDS);
    scratch.value.set(JAVA_LONG, 8, 0);
    check(
        "setsockopt",
        call(SET, scratch, descriptor, SOL_SOCKET, SO_RCVTIMEO, scratch.value, 16),
        scratch);
    check(
        "setsockopt",
        call(SET, scratch, descriptor, SOL_SOCKET, SO_SNDTIMEO, scratch.value, 16),
        scratch);
  }

  private void set(int level, int option, int value) throws IOException {
    Scratch scratch = SCRATCH.get();
    scratch.value.set(JAVA_INT, 0, value);
    check("setsockopt", call(SET, scratch, descriptor, level, option, scratch.value, 4), scratch);
  }

  /** Sets an option of two ints, the low one first. */
  private void set(int level, int option, long value) throws IOException {
    Scratch scratch = SCRATCH.get();
    scratch.value.set(JAVA_LONG, 0, value);
    check("setsockopt", call(SET, scratch, descriptor, level, option, scratch.value, 8), scratch);
  }

  private long transfer(String what, MethodHandle handle, MemorySegment bytes, int flags)
      throws IOException {
    Scratch scratch = SCRATCH.get();
    long moved;
    do {
      try {
        moved =
            (long) handle.invokeExact(scratch.state, descriptor, bytes, bytes.byteSize(), flags);
      } catch (Throwable e) {
        throw new AssertionError(e);
      }
    } while (moved < 0 && scratch.errno() == EINTR);
    if (moved < 0) {
      throw failure(what, scratch.errno());
    }
    return moved;
  }

  private static int call(MethodHandle handle, Scratch scratch, Object... arguments) {
    Object[] all = new Object[arguments.length + 1];
    all[0] = scratch.state;
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    try {
      return (int) handle.invokeExact(all);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private static int check(String what, int result, Scratch scratch) throws IOException {
    if (result < 0) {
      throw failure(what, scratch.errno());
    }
    return result;
  }

  private static IOException failure(String what, int errno) {
    return new IOException(
        errno == EAGAIN
            ? what + " stood still for " + PATIENCE_SECONDS + " s"
            : what + " failed with errno " + errno);
  }

  private static MethodHandle handle(String name, MemoryLayout... parameters) {
    return CLibrary.bind(name, FunctionDescriptor.of(JAVA_INT, parameters))
        .asSpreader(Object[].class, parameters.length + 1);
  }

  private static MethodHandle transfer(String name) {
    return CLibrary.bind(
        name, FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
  }

  private static final class Scratch {
    final MemorySegment state = CLibrary.newState();
    final MemorySegment address = Arena.ofAuto().allocate(ADDRESS_BYTES, 8);
    final MemorySegment value = Arena.ofAuto().allocate(16, 8);

    int errno() {
      return CLibrary.errno(state);
    }

    MemorySegment address(InetAddress host, int port) {
      byte[] octets = ((Inet4Address) host).getAddress();
      address.fill((byte) 0);
      address.set(JAVA_SHORT, 0, (short) AF_INET);
      address.set(PORT_IN_NETWORK_ORDER, 2, (short) port);
      MemorySegment.copy(octets, 0, address, JAVA_BYTE, 4, octets.length);
      return address;
    }
  }
}
