package io.cascade.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.stream.Stream;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Has these tests, and the labs and benchmarks that they start, run verbs by the launcher that a
 * user has. Most such processes live for seconds: the caches for a quick start are made first,
 * where what was built is newer.
 */
public final class LauncherWithCaches implements LauncherSessionListener {
  static final Path LAUNCHER = Path.of("..", "cascade").toAbsolutePath().normalize();

  private static final Path BUILT = LAUNCHER.resolveSibling("dist/target/cascade");

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    System.setProperty("cascade.launcher", LAUNCHER.toString());
    // Two forks begin at the same time.
    try (FileChannel file =
            FileChannel.open(
                Path.of("target", "caches.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock _ = file.lock()) {
      if (newest(BUILT.resolve("aot")).compareTo(newest(BUILT.resolve("lib"))) < 0) {
        int exit = new ProcessBuilder(LAUNCHER.toString(), "caches").inheritIO().start().waitFor();
        if (exit != 0) {
          System.out.println("Verbs start slowly: ./cascade caches exited with " + exit);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static FileTime newest(Path folder) throws IOException {
    FileTime newest = FileTime.fromMillis(0);
    if (Files.isDirectory(folder)) {
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : (Iterable<Path>) files::iterator) {
          FileTime time = Files.getLastModifiedTime(file);
          newest = time.compareTo(newest) > 0 ? time : newest;
        }
      }
    }
    return newest;
  }
}
