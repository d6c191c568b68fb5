package io.cascade.model;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ModelArchitectureTest {

  private final JavaClasses model =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.cascade.model");

  @Test
  void dependsOnTheJdkJSpecifyAndHipparchusOnly() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("io.cascade.model..", "java..", "org.jspecify..", "org.hipparchus..")
        .check(model);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("io.cascade.model.(*)..").should().beFreeOfCycles().check(model);
  }

  @Test
  void packagesDependOneWay() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("units")
        .definedBy("io.cascade.model.units")
        .layer("uncertainty")
        .definedBy("io.cascade.model.uncertainty")
        .layer("tcp")
        .definedBy("io.cascade.model.tcp")
        .layer("cascade")
        .definedBy("io.cascade.model.cascade")
        .layer("routing")
        .definedBy("io.cascade.model.routing")
        .layer("planning")
        .definedBy("io.cascade.model.planning")
        .layer("estimate")
        .definedBy("io.cascade.model.estimate")
        .whereLayer("estimate")
        .mayNotBeAccessedByAnyLayer()
        .layer("multipath")
        .definedBy("io.cascade.model.multipath")
        .layer("calibration")
        .definedBy("io.cascade.model.calibration")
        .whereLayer("calibration")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("multipath")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("planning")
        .mayOnlyBeAccessedByLayers("multipath", "calibration")
        .whereLayer("routing")
        .mayOnlyBeAccessedByLayers("planning")
        .whereLayer("cascade")
        .mayOnlyBeAccessedByLayers("routing", "planning", "estimate", "multipath")
        .whereLayer("tcp")
        .mayOnlyBeAccessedByLayers("cascade", "planning", "estimate", "multipath", "calibration")
        .whereLayer("uncertainty")
        .mayOnlyBeAccessedByLayers("planning", "estimate", "multipath", "calibration")
        .check(model);
  }
}
