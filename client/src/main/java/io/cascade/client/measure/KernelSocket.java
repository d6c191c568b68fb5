package io.cascade.client.measure;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.cascade.kernel.CLibrary;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A connection's socket, for kernel data that the JDK does not expose: {@code TCP_INFO} and {@code
 * TCP_CONGESTION} (tcp(7)). The JDK does not expose the socket's descriptor either; it is found as
 * the open one whose ends have the connection's addresses. Linux only.
 */
public final class KernelSocket {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final int IPPROTO_TCP = 6;
  private static final int TCP_INFO = 11;
  private static final int TCP_CONGESTION = 13;
  private static final int AF_INET = 2;
  private static final int AF_INET6 = 10;
  private static final int ADDRESS_BYTES = 28;
  private static final int NAME_BYTES = 16;
  private static final int NO_DESCRIPTOR = -1;
  private static final ValueLayout.OfShort PORT = JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

  private static final @Nullable Calls CALLS = Calls.find();

  private final SocketChannel connection;
  private final Calls calls;
  private final int descriptor;

  private KernelSocket(SocketChannel connection, Calls calls, int descriptor) {
    this.connection = connection;
    this.calls = calls;
    this.descriptor = descriptor;
  }

  /**
   * Binds and links the native calls of this class, so that no connection waits for that: it takes
   * some thirty milliseconds once per process. Meant for a background thread.
   */
  public static void warmUp() {
    Calls calls = CALLS;
    if (calls != null) {
      try (Arena arena = Arena.ofConfined()) {
        End _ = calls.end(calls.local, NO_DESCRIPTOR, arena);
        End _ = calls.end(calls.remote, NO_DESCRIPTOR, arena);
        byte[] _ = calls.option(NO_DESCRIPTOR, TCP_CONGESTION, NAME_BYTES);
        boolean _ = calls.setOption(NO_DESCRIPTOR, TCP_CONGESTION, new byte[1]);
      }
    }
  }

  /** The socket of a connected channel; empty where it cannot be found. */
  public static Optional<KernelSocket> of(SocketChannel connection) {
    Calls calls = CALLS;
    if (calls == null) {
      return Optional.empty();
    }
    try (DirectoryStream<Path> open = Files.newDirectoryStream(DESCRIPTORS);
        Arena arena = Arena.ofConfined()) {
      End local = End.of((InetSocketAddress) connection.getLocalAddress());
      End remote = End.of((InetSocketAddress) connection.getRemoteAddress());
      for (Path name : open) {
        int descriptor = Integer.parseInt(name.getFileName().toString());
        if (local.equals(calls.end(calls.local, descriptor, arena))
            && remote.equals(calls.end(calls.remote, descriptor, arena))) {
          return Optional.of(new KernelSocket(connection, calls, descriptor));
        }
      }
    } catch (IOException | RuntimeException e) {
      return Optional.empty(); // The connection is closed already, or there is no /proc.
    }
    return Optional.empty();
  }

  /** Counters of the connection; empty once it is closed. */
  public Optional<TcpCounters> counters() {
    return option(TCP_INFO, TcpCounters.MOST_BYTES).flatMap(TcpCounters::of);
  }

  /** Name of the connection's congestion control, such as {@code cubic}. */
  public Optional<String> congestionControl() {
    return option(TCP_CONGESTION, NAME_BYTES).map(KernelSocket::name);
  }

  /**
   * Sets the connection's congestion control.
   *
   * @return false where the kernel does not have it or does not let this process choose it
   */
  public boolean setCongestionControl(String name) {
    return connection.isOpen()
        && calls.setOption(descriptor, TCP_CONGESTION, name.getBytes(StandardCharsets.US_ASCII));
  }

  private static String name(byte[] value) {
    int length = 0;
    while (length < value.length && value[length] != 0) {
      length++;
    }
    return new String(value, 0, length, StandardCharsets.US_ASCII);
  }

  private Optional<byte[]> option(int option, int most) {
    byte[] value = calls.option(descriptor, option, most);
    // If the connection was closed meanwhile, the descriptor may have belonged to another one.
    return value == null || !connection.isOpen() ? Optional.empty() : Optional.of(value);
  }

  /** An address and a port; an IPv4 address stays one even if the socket is an IPv6 one. */
  private record End(String address, int port) {
    static End of(InetSocketAddress address) {
      return new End(Arrays.toString(address.getAddress().getAddress()), address.getPort());
    }
  }

  /** Functions of the C library. */
  private record Calls(
      MethodHandle local, MethodHandle remote, MethodHandle option, MethodHandle setOption) {
    static @Nullable Calls find() {
      if (!System.getProperty("os.name", "").equals("Linux")) {
        return null;
      }
      FunctionDescriptor name = FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
      return new Calls(
          CLibrary.bind("getsockname", name),
          CLibrary.bind("getpeername", name),
          CLibrary.bind(
              "getsockopt",
              FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS)),
          CLibrary.bind(
              "setsockopt",
              FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT)));
    }

    /** One end of a socket; null where the descriptor is not an internet socket. */
    @Nullable End end(MethodHandle which, int descriptor, Arena arena) {
      MemorySegment address = arena.allocate(ADDRESS_BYTES, Integer.BYTES);
      MemorySegment length = arena.allocateFrom(JAVA_INT, ADDRESS_BYTES);
      int result;
      try {
        result = (int) which.invokeExact(CLibrary.newState(arena), descriptor, address, length);
      } catch (Throwable e) {
        throw new AssertionError(e);
      }
      if (result != 0) {
        return null;
      }
      byte[] bytes =
          switch (address.get(JAVA_SHORT_UNALIGNED, 0)) {
            case AF_INET -> address.asSlice(4, 4).toArray(JAVA_BYTE);
            case AF_INET6 -> unmapped(address.asSlice(8, 16).toArray(JAVA_BYTE));
            default -> null;
          };
      return bytes == null
          ? null
          : new End(Arrays.toString(bytes), Short.toUnsignedInt(address.get(PORT, 2)));
    }

    /** The IPv4 address in an IPv4-mapped one (RFC 4291, 2.5.5.2). */
    private static byte[] unmapped(byte[] address) {
      for (int i = 0; i < 10; i++) {
        if (address[i] != 0) {
          return address;
        }
      }
      boolean mapped = address[10] == -1 && address[11] == -1;
      return mapped ? Arrays.copyOfRange(address, 12, 16) : address;
    }

    /** Sets a TCP option; false where the kernel refuses. */
    boolean setOption(int descriptor, int name, byte[] to) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment value = arena.allocateFrom(JAVA_BYTE, to);
        int result;
        try {
          result =
              (int)
                  setOption.invokeExact(
                      CLibrary.newState(arena), descriptor, IPPROTO_TCP, name, value, to.length);
        } catch (Throwable e) {
          throw new AssertionError(e);
        }
        return result == 0;
      }
    }

    /** The value of a TCP option in the length that the kernel returned; null where it refuses. */
    byte @Nullable [] option(int descriptor, int name, int most) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment value = arena.allocate(most, Long.BYTES);
        MemorySegment length = arena.allocateFrom(JAVA_INT, most);
        int result;
        try {
          result =
              (int)
                  option.invokeExact(
                      CLibrary.newState(arena), descriptor, IPPROTO_TCP, name, value, length);
        } catch (Throwable e) {
          throw new AssertionError(e);
        }
        return result == 0 ? value.asSlice(0, length.get(JAVA_INT, 0)).toArray(JAVA_BYTE) : null;
      }
    }
  }
}
