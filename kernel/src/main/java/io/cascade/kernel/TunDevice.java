package io.cascade.kernel;

import io.cascade.command.CommandException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * A network device whose packets this process reads and writes. It belongs to the network namespace
 * of the thread that made it and is removed when its descriptor is closed, however the process
 * ends.
 *
 * @param descriptor does not block
 * @param hasOffloads whether a {@code virtio_net_hdr} precedes each packet, in both directions, and
 *     the kernel leaves checksums and TCP segmentation to the reader
 */
public record TunDevice(String name, int descriptor, boolean hasOffloads) {
  private static final long TUNSETIFF = 0x400454caL;
  private static final int IFF_TUN = 0x0001;
  private static final int IFF_NO_PI = 0x1000;
  private static final int IFF_VNET_HDR = 0x4000;
  private static final long TUNSETOFFLOAD = 0x400454d0L;

  /** TUN_F_CSUM, TUN_F_TSO4, TUN_F_TSO6, TUN_F_TSO_ECN. */
  private static final int CHECKSUMS_AND_TCP_SEGMENTS = 0x0f;

  private static final int O_RDWR = 2;
  private static final int O_NONBLOCK = 0x800;
  private static final int O_CLOEXEC = 0x80000;
  private static final int NAME_BYTES = 16;

  /**
   * Makes a device whose packets are complete.
   *
   * @param name at most 15 bytes
   */
  public static TunDevice make(String name) {
    int fd = open();
    int answer = name(fd, name, IFF_TUN | IFF_NO_PI);
    if (answer < 0) {
      Kernel.close(fd);
      throw new CommandException(
          "cannot make the device " + name + ": " + Kernel.explain(-answer) + ". Run it as root");
    }
    return new TunDevice(name, fd, false);
  }

  /**
   * Makes a device with offloads, or one without if the kernel does not support them.
   *
   * @param name at most 15 bytes
   */
  public static TunDevice makeWithOffloads(String name) {
    int fd = open();
    if (name(fd, name, IFF_TUN | IFF_NO_PI | IFF_VNET_HDR) < 0) {
      Kernel.close(fd);
      return make(name);
    }
    // The argument is a number, unlike the addresses of other requests.
    MemorySegment offloads = MemorySegment.ofAddress(CHECKSUMS_AND_TCP_SEGMENTS);
    if (Kernel.ioctl(fd, TUNSETOFFLOAD, offloads) < 0) {
      Kernel.close(fd);
      return make(name);
    }
    return new TunDevice(name, fd, true);
  }

  private static int open() {
    int fd = Kernel.open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
      throw new CommandException(
          "cannot open /dev/net/tun: %s. Load the module with: modprobe tun; in a container, run it with"
                  .formatted(Kernel.explain(-fd))
              + " --device /dev/net/tun --cap-add NET_ADMIN");
    }
    return fd;
  }

  private static int name(int fd, String name, int flags) {
    byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
    if (bytes.length >= NAME_BYTES) {
      Kernel.close(fd);
      throw new IllegalArgumentException("name: " + name + " (expected: at most 15 bytes)");
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment request = arena.allocate(40);
      MemorySegment.copy(bytes, 0, request, ValueLayout.JAVA_BYTE, 0, bytes.length);
      request.set(ValueLayout.JAVA_SHORT, NAME_BYTES, (short) flags);
      return Kernel.ioctl(fd, TUNSETIFF, request);
    }
  }
}
