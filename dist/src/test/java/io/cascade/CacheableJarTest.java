package io.cascade;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.bouncycastle.crypto.agreement.ecjpake.ECJPAKEParticipant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The jar that every verb begins with, made fit for a cache. */
class CacheableJarTest {
  private static final Path ORIGINAL =
      Path.of(CommandLine.class.getProtectionDomain().getCodeSource().getLocation().getPath());

  @TempDir Path folder;
  private Path jar;

  @BeforeEach
  void copy() throws IOException {
    jar = Files.copy(ORIGINAL, folder.resolve("picocli.jar"));
    CacheableJar.main(new String[] {jar.toString()});
  }

  @Test
  void noClassIsTooOldForACache() throws IOException {
    try (JarFile renewed = new JarFile(jar.toFile())) {
      assertThat(classes(renewed)).hasSizeGreaterThan(100);
      for (JarEntry entry : classes(renewed)) {
        byte[] content = renewed.getInputStream(entry).readAllBytes();
        assertThat(ClassFile.of().parse(content).majorVersion())
            .as(entry.getName())
            .isGreaterThanOrEqualTo(ClassFile.JAVA_8_VERSION);
      }
    }
  }

  @Test
  void nothingIsLost() throws IOException {
    try (JarFile original = new JarFile(ORIGINAL.toFile());
        JarFile renewed = new JarFile(jar.toFile())) {
      assertThat(renewed.stream().map(JarEntry::getName))
          .containsExactlyElementsOf(original.stream().map(JarEntry::getName).toList());
    }
  }

  /** Which would find wrong stack maps. */
  @Test
  void theVirtualMachineVerifiesEveryClass() throws Exception {
    try (URLClassLoader alone =
            new URLClassLoader(
                new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
        JarFile renewed = new JarFile(jar.toFile())) {
      int verified = 0;
      for (JarEntry entry : classes(renewed)) {
        String name = entry.getName().replace('/', '.').replaceAll("\\.class$", "");
        Class<?> loaded = Class.forName(name, false, alone);
        assertThat(loaded.getClassLoader()).isEqualTo(alone);
        try {
          verified += loaded.getDeclaredMethods().length; // asking for them links it
        } catch (NoClassDefFoundError e) {
          assertThat(e).hasMessageContaining("groovy"); // which picocli can do without
        }
      }
      assertThat(verified).isGreaterThan(1_000);
    }
  }

  @Test
  void aJarThatIsFitIsLeftAsItIs() throws IOException {
    byte[] before = Files.readAllBytes(jar);
    CacheableJar.main(new String[] {jar.toString()});
    assertThat(Files.readAllBytes(jar)).isEqualTo(before);
  }

  @Test
  void aSignedJarLosesItsSignatureAndNothingElse() throws IOException {
    Path signed =
        Path.of(
            ECJPAKEParticipant.class.getProtectionDomain().getCodeSource().getLocation().getPath());
    Path renewed = Files.copy(signed, folder.resolve("signed.jar"));

    CacheableJar.main(new String[] {renewed.toString()});

    try (JarFile from = new JarFile(signed.toFile());
        JarFile to = new JarFile(renewed.toFile())) {
      assertThat(to.getManifest().getEntries()).isEmpty();
      assertThat(to.getManifest().getMainAttributes())
          .isEqualTo(from.getManifest().getMainAttributes());
      assertThat(to.stream().map(JarEntry::getName))
          .containsExactlyElementsOf(
              from.stream()
                  .map(JarEntry::getName)
                  .filter(name -> !name.matches("META-INF/BC[0-9A-Z]*\\.(SF|DSA|RSA)"))
                  .toList());
    }
  }

  private static List<JarEntry> classes(JarFile from) {
    return from.stream().filter(entry -> entry.getName().matches("picocli/.*\\.class")).toList();
  }
}
