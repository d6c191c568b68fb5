package io.cascade;

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
import org.jspecify.annotations.Nullable;

/**
 * Writes jars anew whose classes have a format from before Java 6. No cache for a quicker start
 * takes such classes, and the virtual machine verifies them the long way; picocli's are so, and
 * every verb begins with picocli. Nothing changes but the format: code gets the stack maps that
 * newer classes must have (JVMS, section 4.7.4).
 */
final class ClassFormat {
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

  private ClassFormat() {}

  /**
   * @param arguments paths of jars
   */
  public static void main(String[] arguments) throws IOException {
    for (String jar : arguments) {
      renew(Path.of(jar));
    }
  }

  /** Replaces a jar that has such classes, and leaves any other as it is. */
  static void renew(Path jar) throws IOException {
    try (JarFile from = new JarFile(jar.toFile())) {
      if (from.stream().noneMatch(entry -> isOld(entry, content(from, entry)))) {
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
                    .orElse(_ -> ClassHierarchyInfo.ofInterface()) // not there, and not needed
                    .cached()));
    for (JarEntry entry : List.copyOf(from.stream().toList())) {
      byte[] content = content(from, entry);
      JarEntry copy = new JarEntry(entry.getName());
      copy.setLastModifiedTime(entry.getLastModifiedTime());
      to.putNextEntry(copy);
      if (isOld(entry, content)) {
        ClassModel old = format.parse(content);
        to.write(format.transformClass(old, RENEWAL));
      } else {
        to.write(content);
      }
    }
  }

  private static boolean isOld(JarEntry entry, byte[] content) {
    return entry.getName().endsWith(".class")
        && ClassFile.of().parse(content).majorVersion() < ClassFile.JAVA_6_VERSION;
  }

  private static @Nullable InputStream source(JarFile from, ClassDesc name) {
    String descriptor = name.descriptorString(); // such as Lio/cascade/Cascade;
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
