package io.cascade;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Jars as an archive has them. */
class StoredJarTest {
  private static final Path ORIGINAL =
      Path.of(CommandLine.class.getProtectionDomain().getCodeSource().getLocation().getPath());

  @TempDir Path folder;

  @Test
  void hasTheSameEntriesUncompressedWithTheManifestFirst() throws IOException {
    StoredJar.write(ORIGINAL, folder);
    try (JarFile before = new JarFile(ORIGINAL.toFile());
        JarFile stored = new JarFile(folder.resolve(ORIGINAL.getFileName()).toFile())) {
      assertThat(names(stored)).containsExactlyInAnyOrderElementsOf(names(before));
      assertThat(names(stored)).startsWith("META-INF/", "META-INF/MANIFEST.MF");
      assertThat(stored.stream()).allMatch(entry -> entry.getMethod() == ZipEntry.STORED);
      assertThat(stored.getManifest().getMainAttributes())
          .isEqualTo(before.getManifest().getMainAttributes());
    }
  }

  @Test
  void whatWasMadeFitForCachesAlreadyMakesTheSameBytes() throws IOException {
    Path renewed = Files.createDirectory(folder.resolve("renewed")).resolve(ORIGINAL.getFileName());
    Files.copy(ORIGINAL, renewed);
    CacheableJar.renew(renewed);
    Path first = Files.createDirectory(folder.resolve("first"));
    Path second = Files.createDirectory(folder.resolve("second"));

    StoredJar.main(new String[] {first.toString(), ORIGINAL.toString()});
    StoredJar.main(new String[] {second.toString(), renewed.toString()});

    assertThat(second.resolve(ORIGINAL.getFileName()))
        .hasSameBinaryContentAs(first.resolve(ORIGINAL.getFileName()));
  }

  private static List<String> names(JarFile jar) {
    return jar.stream().map(JarEntry::getName).toList();
  }
}
