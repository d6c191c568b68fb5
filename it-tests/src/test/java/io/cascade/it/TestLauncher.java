package io.cascade.it;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Writes the script by which these tests, and the processes that they start, run verbs. Such a
 * process lives for seconds, so starting is most of its cost: it compiles once only, and shares the
 * classes that the first one of its verb wrote down when it ended.
 */
public final class TestLauncher implements LauncherSessionListener {
  static final Path SCRIPT = Path.of("target", "launcher").toAbsolutePath();

  /** Class path without this module's own folder: an archive of classes is of jars alone. */
  private static final String JARS =
      Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
          .filter(path -> path.endsWith(".jar"))
          .collect(Collectors.joining(File.pathSeparator));

  private static final String TEXT =
      """
      #!/bin/sh
      archive='%s'/classes-of-$1.jsa
      # Left by a process that was killed while it wrote: no later one would write it anew.
      [ -s "$archive" ] || rm -f "$archive" 2> /dev/null
      compiler=-XX:TieredStopAtLevel=1
      memory='-Xmx256m -XX:MaxDirectMemorySize=4g'
      case $1 in
        relay)
          memory='-Xms16m -Xmx256m -XX:MaxDirectMemorySize=4g -Xss512k -XX:ReservedCodeCacheSize=64m'
          memory="$memory -XX:+UseCompactObjectHeaders -XX:TrimNativeHeapInterval=10000"
          memory="$memory -XX:+UseTransparentHugePages -Xlog:pagesize=off"
          ;;
        bench) compiler= ;; # It drives all contenders.
      esac
      exec '%s' $compiler $memory -XX:+UseSerialGC \\
        --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \\
        -XX:+AutoCreateSharedArchive "-XX:SharedArchiveFile=$archive" -Xlog:cds=off -Xlog:cds+dynamic=off \\
        "-Dcascade.launcher=$0" -cp '%s' io.cascade.Cascade "$@"
      """;

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    try {
      // Another fork of these tests may run the script at this moment.
      Path written = Files.createTempFile(SCRIPT.getParent(), "launcher", "");
      Files.writeString(written, TEXT.formatted(SCRIPT.getParent(), java, JARS));
      Files.setPosixFilePermissions(written, PosixFilePermissions.fromString("rwxr-xr-x"));
      Files.move(written, SCRIPT, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    System.setProperty("cascade.launcher", SCRIPT.toString());
  }
}
