package io.cascade.carriage;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

/** What relays, gateways and ends have in common knows none of them. */
class ArchitectureTest {
  private static final JavaClasses CARRIAGE =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.cascade.carriage");

  @Test
  void carriageIsLayered() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("kernel")
        .definedBy("io.cascade.carriage.kernel")
        .layer("transport")
        .definedBy("io.cascade.carriage.transport")
        .layer("users")
        .definedBy(
            "io.cascade.carriage.coded",
            "io.cascade.carriage.junction",
            "io.cascade.carriage.socket",
            "io.cascade.carriage.tls",
            "io.cascade.carriage.blocking",
            "io.cascade.carriage.preamble",
            "io.cascade.carriage.rendezvous")
        .whereLayer("kernel")
        .mayOnlyBeAccessedByLayers("transport")
        .whereLayer("users")
        .mayNotBeAccessedByAnyLayer()
        .check(CARRIAGE);
  }

  @Test
  void systemCallsAreMadeInOnePlace() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.cascade.carriage.kernel")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.cascade.kernel")
        .check(CARRIAGE);
  }

  @Test
  void carriageKnowsNoneOfItsUsers() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.cascade.relay..",
            "io.cascade.gateway..",
            "io.cascade.client..",
            "io.cascade.api..",
            "io.cascade.command", // of which it uses the making of certificates alone
            "io.cascade.command.names")
        .check(CARRIAGE);
  }

  /** Every duration is measured by the monotonic clock: the time of day may be set. */
  @Test
  void theTimeOfDayIsNotRead() {
    noClasses()
        .should()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethodWhere(target(owner(assignableTo(Clock.class))))
        .orShould()
        .callMethodWhere(target(owner(assignableTo(InstantSource.class))))
        .check(CARRIAGE);
  }
}
