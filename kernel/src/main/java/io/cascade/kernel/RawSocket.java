package io.cascade.kernel;

import io.cascade.command.CommandException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/**
 * Sends whole IPv4 packets, including headers, over one network device, whatever their source
 * address. The routes over the device determine the next hop. Used by one thread.
 */
public final class RawSocket implements AutoCloseable {
  private static final int AF_INET = 2;
  private static final int SOCK_RAW = 3;
  private static final int SOCK_CLOEXEC = 0x80000;
  private static final int IPPROTO_RAW = 255;
  private static final int SOL_SOCKET = 1;
  private static final int SO_BINDTODEVICE = 25;
  private static final int MSG_DONTWAIT = 0x40;
  private static final int SEND_BUFFER = 4 << 20;
  private static final int MOST_BYTES = 65_535;
  private static final int LEAST_BYTES = 20;
  private static final int ADDRESS_BYTES = 16;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final MethodHandle SENDTO =
      CLibrary.bind("sendto", FunctionDescriptor.of(LONG, INT, LONG, LONG, INT, LONG, INT));

  private final int descriptor;
  private final MemorySegment state = CLibrary.newState();
  private final MemorySegment packet = Arena.ofAuto().allocate(MOST_BYTES);
  private final MemorySegment address = Arena.ofAuto().allocate(ADDRESS_BYTES, 4);

  private RawSocket(int descriptor) {
    this.descriptor = descriptor;
    address.set(ValueLayout.JAVA_SHORT, 0, (short) AF_INET);
  }

  /**
   * Opens a socket whose packets are sent over a device of the calling thread's network namespace.
   *
   * @throws CommandException that names what is missing
   */
  public static RawSocket on(String device) {
    int fd = Kernel.socket(CLibrary.newState(), AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_RAW);
    if (fd < 0) {
      throw new CommandException(
          "cannot open a raw socket: " + Kernel.explain(-fd) + ". Run it as root");
    }
    try (Arena arena = Arena.ofConfined()) {
      RawSocket socket = new RawSocket(fd);
      byte[] name = device.getBytes(StandardCharsets.US_ASCII);
      MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, name);
      int bound = socket.set(SO_BINDTODEVICE, bytes, name.length);
      if (bound < 0) {
        socket.close();
        throw new CommandException(
            "cannot send by the device %s: %s. ip link lists the devices"
                .formatted(device, Kernel.explain(-bound)));
      }
      // If this fails, the device's queue drops more packets.
      Kernel.setSendBuffer(socket.state, fd, arena.allocateFrom(INT, SEND_BUFFER));
      return socket;
    }
  }

  /** The descriptor, for queries to the kernel. */
  public int descriptor() {
    return descriptor;
  }

  private int set(int option, MemorySegment value, int length) {
    return Kernel.setOption(state, descriptor, SOL_SOCKET, option, value, length);
  }

  /**
   * Sends a packet to the destination in its header.
   *
   * @return 0, or the kernel's error number; then the packet is lost
   */
  public int send(byte[] bytes) {
    if (bytes.length < LEAST_BYTES || bytes.length > MOST_BYTES || bytes[0] >>> 4 != 4) {
      return Kernel.EINVAL;
    }
    MemorySegment.copy(bytes, 0, packet, ValueLayout.JAVA_BYTE, 0, bytes.length);
    MemorySegment.copy(bytes, 16, address, ValueLayout.JAVA_BYTE, 4, 4);
    try {
      long sent =
          (long)
              SENDTO.invokeExact(
                  state,
                  descriptor,
                  packet.address(),
                  (long) bytes.length,
                  MSG_DONTWAIT,
                  address.address(),
                  ADDRESS_BYTES);
      return sent < 0 ? CLibrary.errno(state) : 0;
    } catch (Throwable e) {
      throw Kernel.unexpected(e);
    }
  }

  @Override
  public void close() {
    Kernel.close(descriptor);
  }
}
