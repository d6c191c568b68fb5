package io.cascade.orchestrator;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import org.springframework.web.bind.annotation.RestController;

class ArchitectureTest {
  private static final JavaClasses ORCHESTRATOR =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.cascade.orchestrator");

  @Test
  void featuresHaveNoCycles() {
    slices()
        .matching("io.cascade.orchestrator.(*)..")
        .should()
        .beFreeOfCycles()
        .check(ORCHESTRATOR);
  }

  @Test
  void featuresDoNotKnowHowTheyArePutTogether() {
    noClasses()
        .that()
        .resideInAPackage("io.cascade.orchestrator.*..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.cascade.orchestrator")
        .check(ORCHESTRATOR);
  }

  @Test
  void noNettyAndNoRelay() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.netty..", "io.cascade.relay..")
        .check(ORCHESTRATOR);
  }

  @Test
  void controllersAreTheirFeaturesOwnBusiness() {
    classes()
        .that()
        .areAnnotatedWith(RestController.class)
        .should()
        .bePackagePrivate()
        .check(ORCHESTRATOR);
  }

  @Test
  void timeIsPassedIn() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName(Orchestrator.class.getName())
        .should()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(java.time.Instant.class, "now")
        .orShould()
        .callMethod(Thread.class, "sleep", long.class)
        .check(ORCHESTRATOR);
  }

  @Test
  void theDomainKnowsNoHttp() {
    noClasses()
        .that()
        .haveNameMatching(".*\\.(Chain|Part|Upkeep)\\w*")
        .and()
        .haveSimpleNameNotEndingWith("Controller")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.springframework.web..", "org.springframework.http..", "jakarta.servlet..")
        .check(
            new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("io.cascade.orchestrator.chains"));
  }

  @Test
  void theCommandIsCheapToLoad() {
    noClasses()
        .that()
        .haveSimpleNameStartingWith("OrchestratorCommand")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.springframework..")
        .check(ORCHESTRATOR);
  }
}
