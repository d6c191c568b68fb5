package io.cascade.kernel;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The holes of a file: ranges without blocks on the disk, which read as zeros (lseek(2), SEEK_DATA
 * and SEEK_HOLE). Linux only, see {@link #isAvailable}. Several threads may search for holes at
 * once.
 *
 * <p>It has its own descriptor. Closing it drops the locks that this process holds on the file
 * (fcntl(2)), so a process that holds one closes this only after the lock.
 */
public final class SparseFile implements AutoCloseable {
  private static final int SEEK_END = 2;
  private static final int SEEK_DATA = 3;
  private static final int SEEK_HOLE = 4;
  private static final int ENXIO = 6;

  /** FALLOC_FL_KEEP_SIZE and FALLOC_FL_PUNCH_HOLE. */
  private static final int PUNCH_HOLE = 3;

  private final Descriptor file;
  private final String told;
  private boolean closed;

  private SparseFile(Descriptor file, String told) {
    this.file = file;
    this.told = told;
  }

  /** Bound at the first use, since not all systems have them. */
  private static final class Calls {
    private static final MethodHandle LSEEK =
        CLibrary.bind("lseek", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle FALLOCATE =
        CLibrary.bind(
            "fallocate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle FTRUNCATE =
        CLibrary.bind("ftruncate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));

    private Calls() {}
  }

  /** Whether this system supports it. */
  public static boolean isAvailable() {
    return System.getProperty("os.name", "").equals("Linux");
  }

  /**
   * Opens a regular file to search for its holes. Symbolic links are followed.
   *
   * @throws IOException if it cannot be opened
   */
  public static SparseFile toRead(Path path) throws IOException {
    return open(path, 0);
  }

  /**
   * Opens a regular file to make holes in it. The last component of the path must not be a symbolic
   * link.
   *
   * @throws IOException if it cannot be opened
   */
  public static SparseFile toWrite(Path path) throws IOException {
    return open(path, Descriptor.O_RDWR | Descriptor.O_NOFOLLOW);
  }

  private static SparseFile open(Path path, int flags) throws IOException {
    requireAvailable(path.toString());
    byte[] name = path.toString().getBytes(StandardCharsets.UTF_8);
    return new SparseFile(
        Descriptor.open(name, flags | Descriptor.O_NONBLOCK, path.toString()), path.toString());
  }

  /**
   * Opens a regular file in a folder to search for its holes, or to make some. It must not be a
   * symbolic link.
   *
   * @param name bytes of its name
   * @param told its name, for messages
   * @throws IOException if it cannot be opened
   */
  public static SparseFile in(Descriptor folder, byte[] name, boolean toWrite, String told)
      throws IOException {
    requireAvailable(told);
    int flags = Descriptor.O_NOFOLLOW | Descriptor.O_NONBLOCK;
    return new SparseFile(
        folder.openIn(name, toWrite ? flags | Descriptor.O_RDWR : flags, told), told);
  }

  private static void requireAvailable(String told) throws IOException {
    if (!isAvailable()) {
      throw new IOException("holes of " + told + " need Linux");
    }
  }

  /** First byte of data from a position on; {@link Long#MAX_VALUE} if there is none. */
  public long nextData(long position) throws IOException {
    return seek(position, SEEK_DATA);
  }

  /**
   * First byte of a hole from a position on. The end of the file counts as a hole. {@link
   * Long#MAX_VALUE} after that.
   */
  public long nextHole(long position) throws IOException {
    return seek(position, SEEK_HOLE);
  }

  private synchronized long seek(long position, int whence) throws IOException {
    requireOpen();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = CLibrary.newState(arena);
      long found = (long) Calls.LSEEK.invokeExact(state, file.number(), position, whence);
      if (found >= 0) {
        return found;
      }
      int error = CLibrary.errno(state);
      if (error == ENXIO) {
        return Long.MAX_VALUE;
      }
      throw new IOException("%s: %s of lseek".formatted(told, Kernel.explain(error)));
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw Kernel.unexpected(e);
    }
  }

  /**
   * Makes a hole: these bytes become zeros and occupy no blocks. A shorter file is extended.
   *
   * @throws IOException if, for example, its file system does not support holes
   */
  public synchronized void clear(long offset, long length) throws IOException {
    requireOpen();
    long end = seek(0, SEEK_END);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = CLibrary.newState(arena);
      int answer = 0;
      if (offset < end) {
        answer =
            (int) Calls.FALLOCATE.invokeExact(state, file.number(), PUNCH_HOLE, offset, length);
      }
      if (answer == 0 && end < offset + length) {
        answer = (int) Calls.FTRUNCATE.invokeExact(state, file.number(), offset + length);
      }
      if (answer < 0) {
        throw new IOException(
            "%s: %s while a hole was made".formatted(told, Kernel.explain(CLibrary.errno(state))));
      }
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw Kernel.unexpected(e);
    }
  }

  private void requireOpen() throws IOException {
    if (closed) {
      throw new IOException(told + " is closed");
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    file.close();
  }
}
