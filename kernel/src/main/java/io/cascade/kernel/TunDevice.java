package io.cascade.kernel;

import io.cascade.command.CommandException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * A network device whose packets this process reads and writes. It belongs to the network of the
 * thread that made it and is gone when its descriptor is closed, however the process ends.
 *
 * @param descriptor does not block
 */
public record TunDevice(String name, int descriptor) {
  private static final long TUNSETIFF = 0x400454caL;
  private static final int IFF_TUN = 0x0001;
  private static final int IFF_NO_PI = 0x1000;
  private static final int O_RDWR = 2;
  private static final int O_NONBLOCK = 0x800;
  private static final int O_CLOEXEC = 0x80000;
  private static final int NAME_BYTES = 16;

  /**
   * @param name at most 15 bytes
   */
  public static TunDevice make(String name) {
    int fd = Kernel.open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
      throw new CommandException(
          "cannot open /dev/net/tun: %s. Load the module with: modprobe tun; in a container, run it with"
                  .formatted(Kernel.explain(-fd))
              + " --device /dev/net/tun --cap-add NET_ADMIN");
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment request = arena.allocate(40);
      byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
      if (bytes.length >= NAME_BYTES) {
        throw new IllegalArgumentException("name: " + name + " (expected: at most 15 bytes)");
      }
      MemorySegment.copy(bytes, 0, request, ValueLayout.JAVA_BYTE, 0, bytes.length);
      request.set(ValueLayout.JAVA_SHORT, NAME_BYTES, (short) (IFF_TUN | IFF_NO_PI));
      int answer = Kernel.ioctl(fd, TUNSETIFF, request);
      if (answer < 0) {
        Kernel.close(fd);
        throw new CommandException(
            "cannot make the device " + name + ": " + Kernel.explain(-answer) + ". Run it as root");
      }
    }
    return new TunDevice(name, fd);
  }
}
