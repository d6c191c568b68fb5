package io.cascade;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Writes jars for an archive: accepted by caches ({@link CacheableJar}) and uncompressed, so that
 * the archive compresses all of them together, which is a quarter better, and nothing is inflated
 * at a start. The same contents produce the same bytes: entries are sorted and have one time.
 */
final class StoredJar {
  private static final FileTime TIME = FileTime.from(Instant.parse("2026-01-01T00:00:00Z"));

  /** The manifest and its folder come first, where stream readers expect them. */
  private static final Comparator<String> ORDER =
      Comparator.comparing((String name) -> !name.equals("META-INF/"))
          .thenComparing(name -> !name.equals(JarFile.MANIFEST_NAME))
          .thenComparing(Comparator.naturalOrder());

  private StoredJar() {}

  /**
   * @param arguments the folder to write to, then paths of jars, which are not changed
   */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    for (String jar : List.of(arguments).subList(1, arguments.length)) {
      write(Path.of(jar), folder);
    }
  }

  /** Writes a jar with the same name and contents into another folder. */
  static void write(Path jar, Path folder) throws IOException {
    Path copy = Files.copy(jar, folder.resolve(jar.getFileName() + ".copy"));
    CacheableJar.renew(copy);
    try (JarFile from = new JarFile(copy.toFile());
        ZipOutputStream to =
            new ZipOutputStream(Files.newOutputStream(folder.resolve(jar.getFileName())))) {
      to.setMethod(ZipOutputStream.STORED);
      for (String name : from.stream().map(JarEntry::getName).distinct().sorted(ORDER).toList()) {
        byte[] content = from.getInputStream(from.getEntry(name)).readAllBytes();
        to.putNextEntry(entry(name, content));
        to.write(content);
      }
    }
    Files.delete(copy);
  }

  private static ZipEntry entry(String name, byte[] content) {
    CRC32 checksum = new CRC32();
    checksum.update(content);
    ZipEntry entry = new ZipEntry(name);
    entry.setSize(content.length);
    entry.setCompressedSize(content.length);
    entry.setCrc(checksum.getValue());
    entry.setLastModifiedTime(TIME);
    return entry;
  }
}
