package io.cascade;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.cascade.command.ParsedOption;
import org.junit.jupiter.api.Test;

/** A transfer's packages depend on each other in one direction, and verbs are above all. */
class ClientArchitectureTest {
  private static final JavaClasses CLIENT =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.cascade.client");

  /** What a verb does, and not only how it is asked, stands where a program finds it, too. */
  @Test
  void optionsAreParsedByVerbsAlone() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.cascade.client.verbs")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("picocli..", "io.cascade.client.verbs")
                .or(assignableTo(ParsedOption.class)))
        .check(CLIENT);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("io.cascade.client.(**)").should().beFreeOfCycles().check(CLIENT);
  }

  /**
   * Layers go from what both ends share up to the ends; the receiving end also uses {@code
   * transfer}.
   */
  @Test
  void aTransferIsLayered() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("content")
        .definedBy("io.cascade.client.transfer.content")
        .layer("connection")
        .definedBy("io.cascade.client.transfer.connection")
        .layer("wire")
        .definedBy("io.cascade.client.transfer.wire")
        .layer("coded")
        .definedBy("io.cascade.client.transfer.coded")
        .layer("schedule")
        .definedBy("io.cascade.client.transfer.schedule")
        .layer("transfer")
        .definedBy("io.cascade.client.transfer")
        .layer("receiver")
        .definedBy("io.cascade.client.transfer.receiver")
        .whereLayer("content")
        .mayOnlyBeAccessedByLayers("wire", "schedule", "transfer", "receiver")
        .whereLayer("connection")
        .mayOnlyBeAccessedByLayers("wire", "coded", "transfer", "receiver")
        .whereLayer("wire")
        .mayOnlyBeAccessedByLayers("coded", "schedule", "transfer", "receiver")
        .whereLayer("coded")
        .mayOnlyBeAccessedByLayers("receiver")
        .whereLayer("schedule")
        .mayOnlyBeAccessedByLayers("transfer")
        .whereLayer("transfer")
        .mayOnlyBeAccessedByLayers("receiver")
        .whereLayer("receiver")
        .mayNotBeAccessedByAnyLayer()
        .check(CLIENT);
  }
}
