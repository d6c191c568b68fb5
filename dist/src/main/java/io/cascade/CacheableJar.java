package io.cascade;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassHierarchyResolver.ClassHierarchyInfo;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.constant.ClassDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites jars whose classes the cache for quicker starts (AOT cache) does not accept. It makes
 * two changes:
 *
 * <ul>
 *   <li>Classes of a format from before Java 6, which the virtual machine verifies by the slower
 *       old verifier, get a newer one, with the stack maps that it requires (JVMS, section 4.7.4).
 *       Picocli, with which every verb starts, has such classes.
 *   <li>Signatures are removed, with the digests of every class in the manifest, which take longer
 *       to read than the classes. Bouncy Castle's jar is signed, which is required only for a
 *       provider of the JDK.
 * </ul>
 */
final class CacheableJar {
  private static final ClassTransform RENEWAL =
      ((ClassTransform)
              (renewed, element) -> {
                if (element instanceof ClassFileVersion) {
                  renewed.withVersion(ClassFile.JAVA_8_VERSION, 0);
                } else {
                  renewed.with(element);
                }
              })
          .andThen(ClassTransform.transformingMethodBodies((code, element) -> code.with(element)));

  private static final Pattern SIGNATURE =
      Pattern.compile("META-INF/[^/]+\\.(SF|RSA|DSA|EC)", Pattern.CASE_INSENSITIVE);

  private CacheableJar() {}

  /**
   * @param arguments paths of jars
   */
  public static void main(String[] arguments) throws IOException {
    for (String jar : arguments) {
      renew(Path.of(jar));
    }
  }

  /** Replaces a jar that is signed or has old classes, and leaves any other unchanged. */
  static void renew(Path jar) throws IOException {
    try (JarFile from = new JarFile(jar.toFile())) {
      if (from.stream()
          .noneMatch(entry -> isSignature(entry) || isOld(entry, content(from, entry)))) {
        return;
      }
      Path renewed = jar.resolveSibling(jar.getFileName() + "." + ProcessHandle.current().pid());
      try (JarOutputStream to = new JarOutputStream(Files.newOutputStream(renewed))) {
        renew(from, to);
      }
      Files.move(renewed, jar, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  private static void renew(JarFile from, JarOutputStream to) throws IOException {
    ClassFile format =
        ClassFile.of(
            StackMapsOption.GENERATE_STACK_MAPS,
            ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(name -> source(from, name))
                    .orElse(ClassHierarchyResolver.defaultResolver())
                    .orElse(_ -> ClassHierarchyInfo.ofInterface()) // Absent, and not needed.
                    .cached()));
    boolean isSigned = from.stream().anyMatch(CacheableJar::isSignature);
    for (JarEntry entry : List.copyOf(from.stream().toList())) {
      if (isSignature(entry)) {
        continue;
      }
      byte[] content = content(from, entry);
      JarEntry copy = new JarEntry(entry.getName());
      copy.setLastModifiedTime(entry.getLastModifiedTime());
      to.putNextEntry(copy);
      if (isSigned && entry.getName().equals(JarFile.MANIFEST_NAME)) {
        to.write(withoutDigests(from.getManifest()));
      } else if (isOld(entry, content)) {
        ClassModel old = format.parse(content);
        to.write(format.transformClass(old, RENEWAL));
      } else {
        to.write(content);
      }
    }
  }

  /** Whether it is a signature file beside the manifest (JAR File Specification). */
  private static boolean isSignature(JarEntry entry) {
    return SIGNATURE.matcher(entry.getName()).matches();
  }

  private static byte[] withoutDigests(Manifest manifest) throws IOException {
    Manifest plain = new Manifest();
    plain.getMainAttributes().putAll(manifest.getMainAttributes());
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    plain.write(bytes);
    return bytes.toByteArray();
  }

  private static boolean isOld(JarEntry entry, byte[] content) {
    return entry.getName().endsWith(".class")
        && ClassFile.of().parse(content).majorVersion() < ClassFile.JAVA_6_VERSION;
  }

  private static @Nullable InputStream source(JarFile from, ClassDesc name) {
    String descriptor = name.descriptorString(); // Such as Lio/cascade/Cascade;
    JarEntry entry = from.getJarEntry(descriptor.substring(1, descriptor.length() - 1) + ".class");
    try {
      return entry == null ? null : from.getInputStream(entry);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] content(JarFile from, JarEntry entry) {
    try (InputStream content = from.getInputStream(entry)) {
      return content.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
