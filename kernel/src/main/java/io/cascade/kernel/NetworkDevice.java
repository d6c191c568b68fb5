package io.cascade.kernel;

import io.cascade.command.CommandException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * Network device of the calling thread's network namespace, with or without an address: Java finds
 * only those that have one.
 */
public record NetworkDevice(String name) {
  private static final long SIOCGIFFLAGS = 0x8913;
  private static final long SIOCGIFMTU = 0x8921;
  private static final long SIOCGIFINDEX = 0x8933;
  private static final int IFF_UP = 0x1;
  private static final int IFF_RUNNING = 0x40;
  private static final int AF_INET = 2;
  private static final int SOCK_DGRAM = 2;
  private static final int SOCK_CLOEXEC = 0x80000;
  private static final int NAME_BYTES = 16;
  private static final int REQUEST_BYTES = 40;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

  /**
   * The largest packet that it sends, in bytes.
   *
   * @throws CommandException if there is no device of that name
   */
  public int mtu() {
    int found = number(SIOCGIFMTU);
    if (found < 0) {
      throw new CommandException("no network device " + name + " here; ip link lists them");
    }
    return found;
  }

  /**
   * Number by which the kernel identifies it, to which sockets are bound; a device that is created
   * again has another. Negative if there is none of that name.
   */
  public int index() {
    return number(SIOCGIFINDEX);
  }

  /** Does the same through an open socket, so that no further descriptor is needed. */
  public int index(int socket) {
    return number(socket, SIOCGIFINDEX);
  }

  private int number(long request) {
    int socket = open();
    if (socket < 0) {
      return socket;
    }
    try {
      return number(socket, request);
    } finally {
      Kernel.close(socket);
    }
  }

  private int number(int socket, long request) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment answer = arena.allocate(REQUEST_BYTES, 8);
      int error = ask(socket, request, answer);
      return error < 0 ? error : answer.get(INT, NAME_BYTES);
    }
  }

  /**
   * Whether it exists, is up, and has a carrier.
   *
   * @param socket an open socket in the device's network namespace, through which the kernel is
   *     queried: a caller that opened one each time would take the device for down when the process
   *     has no free descriptor
   */
  public boolean isUp(int socket) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment answer = arena.allocate(REQUEST_BYTES, 8);
      int both = IFF_UP | IFF_RUNNING;
      return ask(socket, SIOCGIFFLAGS, answer) >= 0
          && (answer.get(ValueLayout.JAVA_SHORT, NAME_BYTES) & both) == both;
    }
  }

  private int ask(int socket, long request, MemorySegment answer) {
    byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
    MemorySegment.copy(
        bytes, 0, answer, ValueLayout.JAVA_BYTE, 0, Math.min(bytes.length, NAME_BYTES - 1));
    return Kernel.ioctl(socket, request, answer);
  }

  private static int open() {
    return Kernel.socket(CLibrary.newState(), AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  }
}
