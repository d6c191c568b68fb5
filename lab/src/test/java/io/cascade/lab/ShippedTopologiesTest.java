package io.cascade.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.lab.Topology.SiteSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Topologies that need no file. */
class ShippedTopologiesTest {
  @SuppressWarnings("UnusedVariable") // by the test below
  private static final java.util.List<String> NAMES = ShippedTopologies.NAMES;

  @ParameterizedTest
  @FieldSource("NAMES")
  void everyOneIsReadableAndCalledByItsName(String name) {
    assertThat(ShippedTopologies.named(name).orElseThrow().name()).isEqualTo(name);
  }

  @Test
  void anotherNameIsNone() {
    assertThat(ShippedTopologies.named("../wan")).isEmpty();
  }

  @Test
  void bareCopyHasTheSameLinksAndRunsNothing() {
    Topology wan = ShippedTopologies.wan();
    Topology bare = wan.bare();

    assertThat(bare.links()).isEqualTo(wan.links());
    assertThat(bare.seed()).isEqualTo(wan.seed());
    assertThat(bare.orchestrator()).isNull();
    assertThat(bare.sites()).flatExtracting(SiteSpec::relays).isEmpty();
  }

  @Test
  void ownerThatIsAnotherProcessOfTheSameNumberHasEnded() {
    LabOwner self = LabOwner.thisProcess("lab");

    assertThat(self.runs()).isTrue();
    assertThat(new LabOwner(self.pid(), self.startMillis() - 1, "lab").runs()).isFalse();
  }
}
