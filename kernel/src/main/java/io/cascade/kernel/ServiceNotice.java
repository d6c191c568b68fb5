package io.cascade.kernel;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/**
 * Notifies a service manager such as systemd of this process's state: the protocol of sd_notify(3).
 */
public final class ServiceNotice {
  /** The process is ready. */
  public static final String READY = "READY=1";

  /** The process is stopping. */
  public static final String STOPPING = "STOPPING=1";

  /** Environment variable in which a service manager passes the address. */
  public static final String VARIABLE = "NOTIFY_SOCKET";

  private static final int AF_UNIX = 1;
  private static final int SOCK_DGRAM = 2;
  private static final int SOCK_CLOEXEC = 0x80000;
  private static final int MSG_NOSIGNAL = 0x4000;
  private static final int MOST_PATH_BYTES = 107;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final MethodHandle SENDTO =
      CLibrary.bind("sendto", FunctionDescriptor.of(LONG, INT, LONG, LONG, INT, LONG, INT));

  private ServiceNotice() {}

  /**
   * Another process becomes the service's main one; the service ends when that process ends.
   *
   * @param pid of that process
   */
  public static String mainProcess(long pid) {
    return "MAINPID=" + pid;
  }

  /**
   * Sends a notice if this process has a service manager.
   *
   * @throws IOException if it could not be delivered
   */
  public static void sendIfThereIsOne(String notice) throws IOException {
    String address = System.getenv(VARIABLE);
    if (address != null) {
      send(address, notice);
    }
  }

  /**
   * Sends a notice.
   *
   * @param address path of a datagram socket; one that begins with {@code @} is abstract
   * @param notice such as {@link #READY}
   * @throws IOException if it could not be delivered
   */
  public static void send(String address, String notice) throws IOException {
    byte[] path = address.getBytes(StandardCharsets.UTF_8);
    if (path.length < 2 || path.length > MOST_PATH_BYTES) {
      throw new IOException("no address of a local socket: " + address);
    }
    boolean isAbstract = path[0] == '@';
    if (isAbstract) {
      path[0] = 0;
    }
    byte[] text = notice.getBytes(StandardCharsets.UTF_8);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = CLibrary.newState(arena);
      MemorySegment to = arena.allocate(Short.BYTES + MOST_PATH_BYTES + 1, Short.BYTES);
      to.set(ValueLayout.JAVA_SHORT, 0, (short) AF_UNIX);
      MemorySegment.copy(path, 0, to, ValueLayout.JAVA_BYTE, Short.BYTES, path.length);
      int length = Short.BYTES + path.length + (isAbstract ? 0 : 1);
      MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, text);
      int socket = Kernel.socket(state, AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
      if (socket < 0) {
        throw new IOException(Kernel.explain(-socket));
      }
      try {
        long sent =
            (long)
                SENDTO.invokeExact(
                    state,
                    socket,
                    bytes.address(),
                    (long) text.length,
                    MSG_NOSIGNAL,
                    to.address(),
                    length);
        if (sent < 0) {
          throw new IOException(address + ": " + Kernel.explain(CLibrary.errno(state)));
        }
      } finally {
        Kernel.close(socket);
      }
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw Kernel.unexpected(e);
    }
  }
}
