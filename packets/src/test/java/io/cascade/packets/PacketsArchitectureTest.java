package io.cascade.packets;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class PacketsArchitectureTest {
  private final JavaClasses packets =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.cascade.packets");

  @Test
  void dependsOnTheJdkAndJSpecifyOnly() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("io.cascade.packets..", "java..", "org.jspecify..")
        .check(packets);
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
            "java.nio.file..",
            "java.time..",
            "java.util.concurrent..")
        .check(packets);
    noClasses().should().dependOnClassesThat().belongToAnyOf(Thread.class).check(packets);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("io.cascade.packets.(*)..").should().beFreeOfCycles().check(packets);
  }
}
