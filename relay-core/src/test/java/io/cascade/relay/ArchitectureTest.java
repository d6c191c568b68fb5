package io.cascade.relay;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Dependencies go one way, from the root down to the kernel's sockets. */
class ArchitectureTest {
  private static final JavaClasses RELAY =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.cascade.relay");

  @Test
  void theDataPlaneIsLayered() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("transport")
        .definedBy("io.cascade.relay.transport")
        .layer("pump")
        .definedBy("io.cascade.relay.pump")
        .layer("socket")
        .definedBy("io.cascade.relay.socket")
        .layer("tls")
        .definedBy("io.cascade.relay.tls")
        .layer("destination")
        .definedBy("io.cascade.relay.destination")
        .layer("stream")
        .definedBy("io.cascade.relay.stream")
        .layer("ends")
        .definedBy("io.cascade.relay.hop", "io.cascade.relay.ingress", "io.cascade.relay.egress")
        .layer("chain")
        .definedBy("io.cascade.relay.chain")
        .layer("throughput")
        .definedBy("io.cascade.relay.throughput")
        .layer("proxy")
        .definedBy("io.cascade.relay.proxy")
        .layer("control")
        .definedBy("io.cascade.relay.control")
        .layer("root")
        .definedBy("io.cascade.relay")
        .whereLayer("root")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("control")
        .mayOnlyBeAccessedByLayers("root")
        .whereLayer("proxy")
        .mayOnlyBeAccessedByLayers("root")
        .whereLayer("throughput")
        .mayOnlyBeAccessedByLayers("control", "root")
        .whereLayer("chain")
        .mayOnlyBeAccessedByLayers("control", "proxy", "root")
        .whereLayer("ends")
        .mayOnlyBeAccessedByLayers("chain", "throughput", "proxy", "root")
        .whereLayer("destination")
        .mayOnlyBeAccessedByLayers("ends", "chain", "proxy", "root")
        .whereLayer("stream")
        .mayOnlyBeAccessedByLayers("ends", "chain", "proxy", "root")
        .whereLayer("tls")
        .mayOnlyBeAccessedByLayers("stream", "ends", "chain", "root")
        .whereLayer("pump")
        .mayOnlyBeAccessedByLayers(
            "socket", "tls", "stream", "ends", "chain", "throughput", "proxy", "root")
        .check(RELAY);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("io.cascade.relay.(*)..").should().beFreeOfCycles().check(RELAY);
  }

  @Test
  void aRelayKnowsNoFrameworkAndNoneOfTheOthers() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.springframework..",
            "io.cascade.model..",
            "io.cascade.orchestrator..",
            "io.cascade.client..")
        .check(RELAY);
  }
}
