package io.cascade.coding;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class CodingArchitectureTest {
  private final JavaClasses coding =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.cascade.coding");

  @Test
  void dependsOnTheJdkAndJSpecifyOnly() {
    classes()
        .that()
        .doNotHaveSimpleName("VectorKernel")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("io.cascade.coding..", "java..", "javax.crypto..", "org.jspecify..")
        .check(coding);
  }

  /** It is loaded by name, so that everything works where its module is not. */
  @Test
  void nothingNeedsTheVectorKernel() {
    noClasses()
        .that()
        .doNotHaveSimpleName("VectorKernel")
        .should()
        .dependOnClassesThat()
        .haveSimpleName("VectorKernel")
        .check(coding);
  }

  @Test
  void hasNoInputOutputClockOrThread() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "java.net..",
            "java.io..",
            "java.nio.channels..",
            "java.nio.file..",
            "java.time..",
            "java.util.concurrent..")
        .check(
            coding.that(
                com.tngtech.archunit.base.DescribedPredicate.describe(
                    "other than exceptions, which are serializable",
                    type -> !type.isAssignableTo(Exception.class))));
    noClasses().should().dependOnClassesThat().belongToAnyOf(Thread.class).check(coding);
    noClasses().should().callMethod(System.class, "nanoTime").check(coding);
    noClasses().should().callMethod(System.class, "currentTimeMillis").check(coding);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("io.cascade.coding.(*)..").should().beFreeOfCycles().check(coding);
  }
}
