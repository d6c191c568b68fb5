package io.cascade.siting;

import com.sun.jna.Platform;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/**
 * Loads the solver's native libraries, once, and leaves no file behind.
 *
 * <p>The loader that comes with the solver unpacks 70 MB into a temporary folder and removes them
 * when the virtual machine exits normally; a killed one leaves them there. This class removes the
 * files as soon as the system has mapped them, if it allows that.
 */
final class SolverLibrary {

  private static final String FOLDER = "ortools-" + Platform.RESOURCE_PREFIX;

  private static boolean loaded;

  private SolverLibrary() {}

  /**
   * Loads the solver.
   *
   * @throws SolverUnavailable if there is none for this platform
   */
  static synchronized void load() {
    if (loaded) {
      return;
    }
    URL folder = SolverLibrary.class.getClassLoader().getResource(FOLDER + "/");
    if (folder == null) {
      throw SolverUnavailable.missing(FOLDER);
    }
    try {
      unpackAndLoad(folder);
    } catch (IOException e) {
      throw new UncheckedIOException("the solver's libraries could not be unpacked", e);
    } catch (UnsatisfiedLinkError e) {
      throw SolverUnavailable.refused(FOLDER, e);
    }
    loaded = true;
  }

  @SuppressWarnings("restricted") // a native library cannot be had otherwise
  private static void unpackAndLoad(URL folder) throws IOException {
    if (!(folder.openConnection() instanceof JarURLConnection connection)) {
      throw SolverUnavailable.missing(FOLDER);
    }
    connection.setUseCaches(false);
    Path target = Files.createTempDirectory("cascade-solver");
    List<Path> files = new ArrayList<>();
    try (JarFile jar = connection.getJarFile()) {
      Path main = null;
      for (JarEntry entry : jar.stream().filter(SolverLibrary::isLibrary).toList()) {
        Path file = target.resolve(entry.getName().substring(FOLDER.length() + 1));
        files.add(file);
        try (InputStream bytes = jar.getInputStream(entry)) {
          Files.copy(bytes, file);
        }
        if (file.endsWith(System.mapLibraryName("jniortools"))) {
          main = file;
        }
      }
      if (main == null) {
        throw SolverUnavailable.missing(FOLDER);
      }
      System.load(main.toString());
    } finally {
      files.add(target);
      files.forEach(SolverLibrary::remove);
    }
  }

  private static boolean isLibrary(@Nullable JarEntry entry) {
    return entry != null
        && !entry.isDirectory()
        && entry.getName().startsWith(FOLDER + "/")
        && entry.getName().indexOf('/', FOLDER.length() + 1) < 0;
  }

  private static void remove(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // On a system that does not delete files in use, they are removed when the virtual machine
      // exits.
      file.toFile().deleteOnExit();
    }
  }
}
