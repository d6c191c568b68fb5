package io.cascade.kernel;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/**
 * An open file or folder by its number (openat(2)), which is closed once. Names are bytes, as in
 * the kernel. Linux only.
 */
public final class Descriptor implements AutoCloseable {
  public static final int O_RDWR = 2;
  public static final int O_NONBLOCK = 0x800;
  public static final int O_CLOEXEC = 0x80000;
  public static final int O_PATH = 0x200000;

  /** O_DIRECTORY and O_NOFOLLOW are the two flags whose numbers differ between processors. */
  private static final boolean IS_ARM = System.getProperty("os.arch", "").equals("aarch64");

  public static final int O_DIRECTORY = IS_ARM ? 0x4000 : 0x10000;
  public static final int O_NOFOLLOW = IS_ARM ? 0x8000 : 0x20000;

  private static final int AT_FDCWD = -100;
  private static final int ENOENT = 2;
  private static final int EACCES = 13;
  private static final int EEXIST = 17;
  private static final int ENOTDIR = 20;
  private static final int ELOOP = 40;

  private final int number;
  private boolean closed;

  private Descriptor(int number) {
    this.number = number;
  }

  /** Bound at the first use, since not all systems have them. */
  private static final class Calls {
    private static final MethodHandle OPENAT =
        CLibrary.bindVariadic(
            "openat", 3, FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle MKDIRAT =
        CLibrary.bind("mkdirat", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle CLOSE =
        CLibrary.bind("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    private Calls() {}
  }

  /**
   * Opens a path. O_CLOEXEC is added to the flags.
   *
   * @param told the path, for messages
   * @throws IOException if it cannot be opened
   */
  public static Descriptor open(byte[] path, int flags, String told) throws IOException {
    return open(AT_FDCWD, path, flags, told);
  }

  /**
   * Opens a name in this folder. O_CLOEXEC is added to the flags.
   *
   * @param told the name, for messages
   * @throws NotDirectoryException if O_DIRECTORY or O_NOFOLLOW finds something else
   */
  public Descriptor openIn(byte[] name, int flags, String told) throws IOException {
    return open(number(), name, flags, told);
  }

  private static Descriptor open(int folder, byte[] name, int flags, String told)
      throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = CLibrary.newState(arena);
      int opened =
          (int) Calls.OPENAT.invokeExact(state, folder, text(arena, name), flags | O_CLOEXEC);
      if (opened < 0) {
        throw failure(CLibrary.errno(state), told);
      }
      return new Descriptor(opened);
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw Kernel.unexpected(e);
    }
  }

  /**
   * Makes a folder in this one (mkdirat(2)).
   *
   * @param mode permission bits, and the sticky bit
   * @param told the name, for messages
   * @throws FileAlreadyExistsException if the name exists
   */
  public void makeFolder(byte[] name, int mode, String told) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = CLibrary.newState(arena);
      int answer = (int) Calls.MKDIRAT.invokeExact(state, number(), text(arena, name), mode);
      if (answer < 0) {
        throw failure(CLibrary.errno(state), told);
      }
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw Kernel.unexpected(e);
    }
  }

  private static MemorySegment text(Arena arena, byte[] name) {
    MemorySegment text = arena.allocate(name.length + 1L);
    MemorySegment.copy(name, 0, text, JAVA_BYTE, 0, name.length);
    return text;
  }

  private static IOException failure(int error, String told) {
    return switch (error) {
      case ENOENT -> new NoSuchFileException(told);
      case EACCES -> new AccessDeniedException(told);
      case EEXIST -> new FileAlreadyExistsException(told);
      case ENOTDIR, ELOOP -> new NotDirectoryException(told);
      default -> new IOException(told + ": " + Kernel.explain(error));
    };
  }

  /**
   * Its number while it is open.
   *
   * @throws IllegalStateException if it is closed, since another file may already have the number
   */
  public synchronized int number() {
    if (closed) {
      throw new IllegalStateException("descriptor " + number + " is closed");
    }
    return number;
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return; // Another file may already have the number.
    }
    closed = true;
    try (Arena arena = Arena.ofConfined()) {
      int _ = (int) Calls.CLOSE.invokeExact(CLibrary.newState(arena), number);
    } catch (Throwable e) {
      throw Kernel.unexpected(e);
    }
  }
}
