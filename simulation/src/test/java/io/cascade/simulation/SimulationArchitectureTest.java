package io.cascade.simulation;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class SimulationArchitectureTest {
  private final JavaClasses module =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.cascade.simulation");

  @Test
  void isPure() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.cascade.simulation..",
            "io.cascade.links..",
            "io.cascade.coding..",
            "java..",
            "org.jspecify..")
        .check(module);
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.net..", "java.nio.channels..", "java.nio.file..")
        .check(module);
    noClasses().should().dependOnClassesThat().belongToAnyOf(Thread.class).check(module);
    noClasses().should().callMethod(System.class, "nanoTime").check(module);
    noClasses().should().callMethod(System.class, "currentTimeMillis").check(module);
  }
}
