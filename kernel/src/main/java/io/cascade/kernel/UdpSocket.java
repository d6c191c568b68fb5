package io.cascade.kernel;

import io.cascade.command.CommandException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A UDP socket over IPv4 that sends over one network device, whatever the routes, and accepts
 * datagrams from one peer only. Java's own sockets cannot be bound to a device. Used by one thread.
 */
public final class UdpSocket implements AutoCloseable {
  private static final int AF_INET = 2;
  private static final int SOCK_DGRAM = 2;
  private static final int SOCK_NONBLOCK = 0x800;
  private static final int SOCK_CLOEXEC = 0x80000;
  private static final int SOL_SOCKET = 1;
  private static final int SO_BINDTODEVICE = 25;
  private static final int BUFFER = 4 << 20;
  private static final int MOST_BYTES = 65_507;
  private static final int ADDRESS_BYTES = 16;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfShort PORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final int descriptor;
  private final MemorySegment state = CLibrary.newState();
  private final MemorySegment datagram = Arena.ofAuto().allocate(MOST_BYTES);

  private UdpSocket(int descriptor) {
    this.descriptor = descriptor;
  }

  /**
   * Opens a socket in the calling thread's network namespace.
   *
   * @param device over which it sends and receives
   * @param port its port, at all of the device's addresses
   * @param peer with an IPv4 address
   * @throws CommandException that names what is missing
   */
  public static UdpSocket open(String device, int port, InetSocketAddress peer) {
    UdpSocket socket = bound(device, port);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment other = arena.allocate(ADDRESS_BYTES, 4);
      other.set(ValueLayout.JAVA_SHORT, 0, (short) AF_INET);
      other.set(PORT, 2, (short) peer.getPort());
      byte[] address = ((Inet4Address) peer.getAddress()).getAddress();
      MemorySegment.copy(address, 0, other, ValueLayout.JAVA_BYTE, 4, address.length);
      int connected = Kernel.connect(socket.state, socket.descriptor, other);
      socket.need(connected, "no way to " + peer + " by " + device);
      MemorySegment buffer = arena.allocateFrom(INT, BUFFER);
      Kernel.setSendBuffer(socket.state, socket.descriptor, buffer);
      Kernel.setReceiveBuffer(socket.state, socket.descriptor, buffer);
      return socket;
    }
  }

  /**
   * Checks that a port is free.
   *
   * @throws CommandException if the port is taken, or the device is missing
   */
  public static void checkFree(String device, int port) {
    bound(device, port).close();
  }

  private static UdpSocket bound(String device, int port) {
    int kind = SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC;
    int fd = Kernel.socket(CLibrary.newState(), AF_INET, kind, 0);
    if (fd < 0) {
      throw new CommandException("cannot open a UDP socket: " + Kernel.explain(-fd));
    }
    try (Arena arena = Arena.ofConfined()) {
      UdpSocket socket = new UdpSocket(fd);
      byte[] name = device.getBytes(StandardCharsets.US_ASCII);
      MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, name);
      MemorySegment own = arena.allocate(ADDRESS_BYTES, 4);
      own.set(ValueLayout.JAVA_SHORT, 0, (short) AF_INET);
      own.set(PORT, 2, (short) port);
      socket.need(
          socket.set(SO_BINDTODEVICE, bytes, name.length), "cannot send by the device " + device);
      int bound = Kernel.bind(socket.state, fd, own);
      socket.need(bound, "cannot take UDP port " + port);
      return socket;
    }
  }

  private int set(int option, MemorySegment value, int length) {
    return Kernel.setOption(state, descriptor, SOL_SOCKET, option, value, length);
  }

  private void need(int answer, String otherwise) {
    if (answer < 0) {
      close();
      throw new CommandException(otherwise + ": " + Kernel.explain(-answer));
    }
  }

  /** The descriptor, for {@link Kernel#poll} and {@link Kernel#read}. */
  public int descriptor() {
    return descriptor;
  }

  /**
   * Sends a datagram to the peer.
   *
   * @return 0, or the kernel's error number; then the datagram is lost
   */
  public int send(byte[] bytes) {
    MemorySegment.copy(bytes, 0, datagram, ValueLayout.JAVA_BYTE, 0, bytes.length);
    long sent = Kernel.write(state, descriptor, datagram.address(), bytes.length);
    return sent < 0 ? (int) -sent : 0;
  }

  @Override
  public void close() {
    Kernel.close(descriptor);
  }
}
