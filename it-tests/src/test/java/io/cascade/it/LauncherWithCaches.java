package io.cascade.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Has these tests, and the labs and benchmarks that they start, run verbs by the launcher that a
 * user has. Most such processes live for seconds: the caches for a quick start are made first,
 * where what was built is newer.
 */
public final class LauncherWithCaches implements LauncherSessionListener {
  /** This module's folder for what is built; Maven, which looks for tests, works in another. */
  private static final Path TARGET = target();

  static final Path LAUNCHER = TARGET.resolve("../../cascade").normalize();

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    System.setProperty("cascade.launcher", LAUNCHER.toString());
    // Two forks begin at the same time.
    try (FileChannel file =
            FileChannel.open(
                TARGET.resolve("caches.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock _ = file.lock()) {
      int exit =
          new ProcessBuilder(LAUNCHER.toString(), "caches", "--if-stale")
              .inheritIO()
              .start()
              .waitFor();
      if (exit != 0) {
        System.out.println("Verbs start slowly: ./cascade caches exited with " + exit);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Path target() {
    try {
      Path classes =
          Path.of(
              LauncherWithCaches.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return Objects.requireNonNull(classes.getParent());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
