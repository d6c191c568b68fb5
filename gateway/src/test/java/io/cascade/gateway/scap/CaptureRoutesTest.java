package io.cascade.gateway.scap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CaptureRoutesTest {
  /** So that the kernel answers a packet that does not fit the way on with ICMP. */
  @Test
  void whatIsCapturedFitsTheWayOn() {
    List<PipeSpec> pipes =
        List.of(PipeSpec.parse("wan0,rtt=40ms"), PipeSpec.parse("wan1,rtt=80ms"));
    CaptureRoutes routes =
        new CaptureRoutes("scap", "lan0", List.of("10.1.0.0/24"), List.of(), pipes, 7_700);

    assertThat(routes.setUp(1_400, 1_500))
        .contains(
            "link set scap-near mtu 1500 up",
            "link set scap-pipe0 mtu 1400 up",
            "link set scap-pipe1 mtu 1400 up");
    assertThat(routes.setUp(9_000, 1_452))
        .contains("link set scap-near mtu 1452 up", "link set scap-pipe0 mtu 9000 up");
  }
}
