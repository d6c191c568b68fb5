package io.cascade.client.entries;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.cascade.kernel.CLibrary;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/**
 * A folder that is held open, so that what is done in it is done in this folder, even if somebody
 * renames it or puts a symbolic link in its place.
 *
 * <p>The JDK's {@link java.nio.file.SecureDirectoryStream} has that, but makes neither folders nor
 * links. This one is opened by {@code openat} with O_NOFOLLOW, and its path is {@code
 * /proc/self/fd/N}, which the kernel resolves to the open folder itself (proc(5)). Linux only.
 */
final class HeldFolder implements AutoCloseable {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final int AT_FDCWD = -100;
  private static final int O_CLOEXEC = 0x80000;
  private static final int O_PATH = 0x200000;
  private static final int ENOENT = 2;
  private static final int ENOTDIR = 20;
  private static final int ELOOP = 40;

  /** O_DIRECTORY and O_NOFOLLOW are the two flags whose numbers differ between processors. */
  private static final boolean IS_ARM = System.getProperty("os.arch", "").equals("aarch64");

  private static final int O_DIRECTORY = IS_ARM ? 0x4000 : 0x10000;
  private static final int O_NOFOLLOW = IS_ARM ? 0x8000 : 0x20000;

  private final int descriptor;
  private final Path path;
  private boolean closed;

  private HeldFolder(int descriptor) {
    this.descriptor = descriptor;
    this.path = DESCRIPTORS.resolve(Integer.toString(descriptor));
  }

  /** Bound at the first use: nothing else needs them. */
  private static final class Calls {
    private static final MethodHandle OPENAT =
        CLibrary.bindVariadic(
            "openat", 3, FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle CLOSE =
        CLibrary.bind("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    private Calls() {}
  }

  /**
   * Opens a folder that the user named; symbolic links in its path are followed.
   *
   * @throws IOException where there is none, or the system is not Linux
   */
  static HeldFolder open(Path folder) throws IOException {
    if (!Files.isDirectory(DESCRIPTORS)) {
      throw new EntriesFailed(
          folder + " cannot be held open: folders need Linux with /proc; fix: mount it");
    }
    return open(AT_FDCWD, Names.rawBytes(folder.toAbsolutePath()), 0, folder.toString());
  }

  /**
   * Opens a folder in this one.
   *
   * @throws NotDirectoryException where something else stands there, such as a symbolic link
   */
  HeldFolder folder(String name) throws IOException {
    return open(descriptor, name.getBytes(StandardCharsets.UTF_8), O_NOFOLLOW, name);
  }

  /** Its path in this process, as long as it is open. */
  Path path() {
    return path;
  }

  /** The path of a name in it; to be used without following links. */
  Path at(String name) {
    return Names.child(path, name);
  }

  private static HeldFolder open(int parent, byte[] name, int flags, String told)
      throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = CLibrary.newState(arena);
      MemorySegment text = arena.allocate(name.length + 1L);
      MemorySegment.copy(name, 0, text, JAVA_BYTE, 0, name.length);
      int opened =
          (int)
              Calls.OPENAT.invokeExact(
                  state, parent, text, O_PATH | O_DIRECTORY | O_CLOEXEC | flags);
      if (opened >= 0) {
        return new HeldFolder(opened);
      }
      int error = CLibrary.errno(state);
      throw switch (error) {
        case ENOENT -> new NoSuchFileException(told);
        case ENOTDIR, ELOOP -> new NotDirectoryException(told);
        default -> new EntriesFailed(told + ": error " + error + " of openat");
      };
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("openat", e);
    }
  }

  @Override
  public void close() {
    if (closed) {
      return; // Its number may be another file's already.
    }
    closed = true;
    try (Arena arena = Arena.ofConfined()) {
      int _ = (int) Calls.CLOSE.invokeExact(CLibrary.newState(arena), descriptor);
    } catch (Throwable e) {
      throw new IllegalStateException("close", e);
    }
  }
}
