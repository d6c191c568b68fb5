package io.cascade.gateway.scap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.packets.pipes.PipeProperties;
import io.cascade.packets.pipes.PipeSelection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What people write on the command line. */
class ScapTextTest {
  @Test
  void readsPipes() {
    assertThat(PipeSpec.parse("wan0,rtt=40ms,rate=1.544Mbit,queue=75kB,loss=1%,via=192.0.2.1"))
        .isEqualTo(
            new PipeSpec(
                "wan0", new PipeProperties(40_000_000, 1_544_000, 75_000, 0.01), "192.0.2.1"));
    assertThat(PipeSpec.parse("wan0,rtt=1s").via()).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          wan0                  | no rtt
          wan0,rtt=40           | 64ms
          ; rm,rtt=1s           | network device
          wan0,rtt=1s,colour=1  | expected: rtt=
          wan0,rtt=1s,via=gw    | IPv4 address
          wan0,rtt=1s,loss=0.1  | share such as
          wan0,rtt=1s,loss=200% | 0 to 1
          """)
  void saysWhatAPipeNeeds(String text, String said) {
    assertThatThrownBy(() -> PipeSpec.parse(text)).hasMessageContaining(said);
  }

  @Test
  void readsSelections() {
    assertThat(SelectionText.parse("all")).isEqualTo(new PipeSelection.All());
    assertThat(SelectionText.parse("difference=100ms,loss=2%,most=2"))
        .isEqualTo(
            new PipeSelection.InTurn(
                List.of(
                    new PipeSelection.ByDelayDifference(100_000_000),
                    new PipeSelection.ByLoss(0.02),
                    new PipeSelection.AtMost(2))));
    assertThatThrownBy(() -> SelectionText.parse("few")).hasMessageContaining("most=N");
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.1.0.0/33", "10.1.0", "256.0.0.1", "10.0.0.1/8 dev x", "::1"})
  void refusesWhatIsNoPrefix(String text) {
    assertThatThrownBy(() -> new PrefixText().convert(text)).hasMessageContaining("10.1.0.0/16");
    assertThat(new PrefixText().convert("10.1.0.0/16")).isEqualTo("10.1.0.0/16");
  }

  @Test
  void routesLeadEachDirectionToItsDevice() {
    CaptureRoutes routes =
        new CaptureRoutes(
            "scap",
            "lan0",
            List.of("10.1.0.0/16"),
            List.of(PipeSpec.parse("wan0,rtt=1ms"), PipeSpec.parse("wan1,rtt=1ms,via=10.9.0.1")),
            7_700);

    assertThat(routes.setUp(9_000, 1_500))
        .containsExactly(
            "link set scap-near mtu 1500 up",
            "route replace default dev scap-near table 7700",
            "link set scap-pipe0 mtu 9000 up",
            "route replace default dev scap-pipe0 table 7701",
            "route replace default dev wan0 table 7702",
            "link set scap-pipe1 mtu 9000 up",
            "route replace default dev scap-pipe1 table 7703",
            "route replace default via 10.9.0.1 dev wan1 onlink table 7704",
            "rule add pref 7700 iif lan0 to 10.1.0.0/16 lookup 7700",
            "rule add pref 7700 iif wan0 from 10.1.0.0/16 lookup 7701",
            "rule add pref 7700 oif wan0 to 10.1.0.0/16 lookup 7702",
            "rule add pref 7700 iif wan1 from 10.1.0.0/16 lookup 7703",
            "rule add pref 7700 oif wan1 to 10.1.0.0/16 lookup 7704");
    assertThat(routes.tearDown())
        .contains("rule del pref 7700 iif wan1 from 10.1.0.0/16 lookup 7703")
        .contains("route flush table 7702");
  }
}
