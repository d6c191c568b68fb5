package io.cascade.relay;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.cascade.carriage.transport.TcpInfo;
import io.cascade.relay.chain.RelayClock;
import io.cascade.relay.chain.StreamAdmission;
import io.cascade.relay.probe.LinkProbes;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
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
        .layer("pump")
        .definedBy("io.cascade.relay.pump")
        .layer("destination")
        .definedBy("io.cascade.relay.destination")
        .layer("admission")
        .definedBy("io.cascade.relay.admission")
        .layer("balancer")
        .definedBy("io.cascade.relay.balancer")
        .layer("names")
        .definedBy("io.cascade.relay.names")
        .layer("stream")
        .definedBy("io.cascade.relay.stream")
        .layer("ends")
        .definedBy("io.cascade.relay.hop", "io.cascade.relay.ingress", "io.cascade.relay.egress")
        .layer("junction")
        .definedBy("io.cascade.relay.junction")
        .layer("chain")
        .definedBy("io.cascade.relay.chain")
        .layer("throughput")
        .definedBy("io.cascade.relay.throughput")
        .layer("proxy")
        .definedBy("io.cascade.relay.proxy")
        .layer("rendezvous")
        .definedBy("io.cascade.relay.rendezvous")
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
        .whereLayer("rendezvous")
        .mayOnlyBeAccessedByLayers("root")
        .whereLayer("throughput")
        .mayOnlyBeAccessedByLayers("control", "root")
        .whereLayer("chain")
        .mayOnlyBeAccessedByLayers("control", "proxy", "rendezvous", "root")
        .whereLayer("junction")
        .mayOnlyBeAccessedByLayers("chain", "root")
        .whereLayer("ends")
        .mayOnlyBeAccessedByLayers("junction", "chain", "throughput", "proxy", "rendezvous", "root")
        .whereLayer("balancer")
        .mayOnlyBeAccessedByLayers("ends", "chain", "proxy", "root")
        .whereLayer("admission")
        .mayOnlyBeAccessedByLayers("balancer", "ends", "chain", "proxy", "rendezvous", "root")
        .whereLayer("names")
        .mayOnlyBeAccessedByLayers("ends", "proxy", "root")
        .whereLayer("destination")
        .mayOnlyBeAccessedByLayers("ends", "chain", "throughput", "proxy", "root")
        .whereLayer("stream")
        .mayOnlyBeAccessedByLayers("ends", "junction", "chain", "proxy", "rendezvous", "root")
        .whereLayer("pump")
        .mayOnlyBeAccessedByLayers(
            "stream", "ends", "junction", "chain", "throughput", "proxy", "rendezvous", "root")
        .check(RELAY);
  }

  /** But for a word to the service manager, once in a process. */
  @Test
  void systemCallsAreNotMadeHere() {
    noClasses()
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("io.cascade.kernel", "io.cascade.carriage.kernel")
                .and(not(simpleName("ServiceNotice"))))
        .check(RELAY);
  }

  /** What is to be known of a connection is asked of it. */
  @Test
  void connectionsAreSpokenToThroughTheirSeam() {
    noClasses()
        .should()
        .callMethod(ChannelConfig.class, "getRecvByteBufAllocator")
        .orShould()
        .callMethod(TcpInfo.class, "of", Channel.class)
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

  /** Every duration is measured by the monotonic clock: the time of day may be set. */
  @Test
  void theTimeOfDayIsReadOnlyToBeShownOrSent() {
    noClasses()
        .should()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethodWhere(target(owner(assignableTo(Clock.class))))
        .check(RELAY);
    noClasses()
        .that()
        .doNotBelongToAnyOf(HopPort.class, RelayClock.class) // which make the clocks
        .and()
        .doNotHaveFullyQualifiedName("io.cascade.relay.chain.Leases") // shows when leases end
        .and()
        .doNotBelongToAnyOf(StreamAdmission.class) // shows when streams began
        .and()
        .doNotBelongToAnyOf(LinkProbes.class) // the time stamps of RFC 8762
        .should()
        .callMethodWhere(target(owner(assignableTo(InstantSource.class))))
        .check(RELAY);
  }
}
