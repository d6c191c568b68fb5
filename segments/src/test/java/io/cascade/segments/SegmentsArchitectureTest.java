package io.cascade.segments;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class SegmentsArchitectureTest {
  private final JavaClasses segments =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.cascade.segments");

  @Test
  void dependsOnTheJdkAndJSpecifyOnly() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("io.cascade.segments..", "java..", "javax.crypto..", "org.jspecify..")
        .check(segments);
  }

  @Test
  void hasNoClockThreadOrIo() {
    noClasses()
        .should()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "java.io..",
            "java.net..",
            "java.nio.channels..",
            "java.time..",
            "java.util.concurrent..")
        .check(segments);
  }
}
