package io.cascade.studies.multipath;

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

/**
 * A blocking socket of the kernel's Multipath TCP (RFC 8684), which Java's sockets do not offer.
 */
final class MptcpSocket implements AutoCloseable {
  private static final int AF_INET = 2;
  private static final int SOCK_STREAM = 1;
  private static final int IPPROTO_MPTCP = 262;
  private static final int SHUT_RDWR = 2;
  private static final int MSG_NOSIGNAL = 0x4000;
  private static final int ADDRESS_BYTES = 16;
  private static final ValueLayout.OfShort NETWORK_SHORT =
      JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);
  private static final MethodHandle LISTEN = handle("listen", JAVA_INT, JAVA_INT);
  private static final MethodHandle ACCEPT = handle("accept", JAVA_INT, ADDRESS, ADDRESS);
  private static final MethodHandle SHUTDOWN = handle("shutdown", JAVA_INT, JAVA_INT);
  private static final MethodHandle RECV = transfer("recv");
  private static final MethodHandle SEND = transfer("send");

  /** Memory in which a thread's calls leave their errors. */
  private static final ThreadLocal<MemorySegment> STATE =
      ThreadLocal.withInitial(CLibrary::newState);

  private final int descriptor;

  private MptcpSocket(int descriptor) {
    this.descriptor = descriptor;
  }

  private static MethodHandle handle(String name, MemoryLayout... arguments) {
    return CLibrary.bind(name, FunctionDescriptor.of(JAVA_INT, arguments))
        .asSpreader(Object[].class, arguments.length + 1);
  }

  private static MethodHandle transfer(String name) {
    return CLibrary.bind(
        name, FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
  }

  /** Listens in the network of the calling thread. */
  static MptcpSocket listen(InetAddress address, int port) throws IOException {
    MptcpSocket socket = open();
    try (Arena arena = Arena.ofConfined()) {
      check("bind", Kernel.bind(STATE.get(), socket.descriptor, address(arena, address, port)));
      check("listen", call(LISTEN, socket.descriptor, 4));
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** Connects from the network of the calling thread. */
  static MptcpSocket connect(InetAddress address, int port) throws IOException {
    MptcpSocket socket = open();
    try (Arena arena = Arena.ofConfined()) {
      check(
          "connect", Kernel.connect(STATE.get(), socket.descriptor, address(arena, address, port)));
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  MptcpSocket accept() throws IOException {
    int accepted = call(ACCEPT, descriptor, MemorySegment.NULL, MemorySegment.NULL);
    check("accept", accepted);
    return new MptcpSocket(accepted);
  }

  /** Returns how many bytes came; 0 at the end, less where the connection is broken. */
  long read(MemorySegment into) throws IOException {
    return transfer(RECV, into, 0);
  }

  /** Returns how many bytes were taken; less than 0 where the connection is broken. */
  long write(MemorySegment from) throws IOException {
    return transfer(SEND, from, MSG_NOSIGNAL);
  }

  private long transfer(MethodHandle how, MemorySegment bytes, int flags) throws IOException {
    try {
      return (long) how.invokeExact(STATE.get(), descriptor, bytes, bytes.byteSize(), flags);
    } catch (Throwable e) {
      throw new IOException(e);
    }
  }

  /** Ends both directions and closes. */
  @Override
  public void close() {
    try {
      int _ = call(SHUTDOWN, descriptor, SHUT_RDWR);
      int _ = Kernel.close(descriptor);
    } catch (IOException e) {
      // It is closed.
    }
  }

  private static MptcpSocket open() throws IOException {
    int made = Kernel.socket(STATE.get(), AF_INET, SOCK_STREAM, IPPROTO_MPTCP);
    check("socket", made);
    return new MptcpSocket(made);
  }

  private static MemorySegment address(Arena arena, InetAddress address, int port) {
    MemorySegment made = arena.allocate(ADDRESS_BYTES);
    made.set(JAVA_SHORT, 0, (short) AF_INET);
    made.set(NETWORK_SHORT, 2, (short) port);
    byte[] octets = ((Inet4Address) address).getAddress();
    MemorySegment.copy(octets, 0, made, JAVA_BYTE, 4, octets.length);
    return made;
  }

  private static void check(String what, int result) throws IOException {
    if (result < 0) {
      throw new IOException(
          "MPTCP: %s failed with errno %d".formatted(what, CLibrary.errno(STATE.get())));
    }
  }

  private static int call(MethodHandle function, Object... arguments) throws IOException {
    Object[] all = new Object[arguments.length + 1];
    all[0] = STATE.get();
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    try {
      return (int) function.invokeExact(all);
    } catch (Throwable e) {
      throw new IOException(e);
    }
  }
}
