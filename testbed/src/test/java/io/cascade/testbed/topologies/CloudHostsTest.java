package io.cascade.testbed.topologies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class CloudHostsTest {

  private final CloudHosts hosts = new CloudHosts();

  @Test
  void hostsStandInRegionsThatHaveBothValues() {
    assertThat(hosts.regions())
        .hasSize(60)
        .contains("aws:sa-east-1", "azure:koreacentral")
        .doesNotContain("aws:eu-west-3");
  }

  @Test
  void linksDifferFromTheRegionsByUpToATenth() {
    assertThat(hosts.link("aws:eu-north-1", "azure:eastus", new Random(1)).rtt().toNanos() / 1e6)
        .isEqualTo(105.9, within(10.6));
    assertThat(hosts.link("aws:eu-north-1", "aws:eu-north-1", new Random(1)).rtt().toNanos() / 1e6)
        .isEqualTo(1, within(0.1));
  }

  @Test
  void linksAreTheSameForTheSameSeed() {
    assertThat(hosts.link("aws:eu-north-1", "azure:eastus", new Random(1)))
        .isEqualTo(hosts.link("aws:eu-north-1", "azure:eastus", new Random(1)));
  }
}
