package io.cascade.gateway.scap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.gateway.ip.OwnRules;
import io.cascade.packets.pipes.PipeProperties;
import io.cascade.packets.pipes.PipeSelection;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What people write on the command line. */
class ScapTextTest {
  @Test
  void readsPipes() {
    assertThat(PipeSpec.parse("wan0,rtt=40ms,rate=1.544Mbit,queue=75kB,loss=1%,via=192.0.2.1"))
        .isEqualTo(
            new PipeSpec(
                "wan0",
                new PipeProperties(40_000_000, 1_544_000, 75_000, 0.01),
                "192.0.2.1",
                null,
                true,
                true));
    assertThat(PipeSpec.parse("wan0,rtt=1s").via()).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          wan0                  | no rtt
          wan0,peer=192.0.2.7   | ADDRESS:PORT
          wan0,peer=192.0.2.256:7710 | an IPv4 address
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
  void theModeIsDefPlusWhereNobodySaysOtherwise() {
    CommandLine command = new CommandLine(new ScapUpVerb());
    assertThat(command.getCommandSpec().findOption("--mode").defaultValue()).isEqualTo("def-plus");
    assertThat(command.getUsageMessage()).contains("def-plus", "--admit");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --mode pair --pipe wan0,rtt=40ms                             | wan0 needs rate= and queue=
          --mode pair --pipe wan0,rtt=40ms,rate=1Mbit                  | wan0 needs rate= and queue=
          --signalling in-band --pipe wan0,rtt=40ms                    | only a pair
          --mode pair --signalling hybrid --pipe wan0,rtt=1s,rate=1Mbit,queue=75kB | needs a pipe with peer=
          """)
  void refusesWhatAPairCannotDo(String options, String said) {
    StringWriter err = new StringWriter();
    CommandLine command = new CommandLine(new ScapUpVerb()).setErr(new PrintWriter(err, true));

    assertThat(command.execute(("--near lan0 --far 10.1.0.0/16 " + options).split(" ", -1)))
        .isEqualTo(2);
    assertThat(err.toString()).contains(said);
  }

  @Test
  void theNameInReportsIsThatOfTheDevicesUnlessAnotherIsGiven() {
    SplitterReportOptions options = new SplitterReportOptions();
    assertThat(options.name("scap")).isEqualTo("scap");
    assertThat(options.isGiven()).isFalse();
    new CommandLine(CommandLine.Model.CommandSpec.forAnnotatedObject(options))
        .parseArgs("--orchestrator", "http://127.0.0.1:7400", "--report-as", "edge_1");
    assertThat(options.isGiven()).isTrue();
    assertThatThrownBy(() -> options.name("scap")).hasMessageContaining("--report-as 'edge_1'");
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
    assertThat(SelectionText.parse("10.1.0.0/16:most=1"))
        .isEqualTo(
            new PipeSelection.ByEndpoint(
                Ipv4PrefixText.prefix("10.1.0.0/16"),
                new PipeSelection.InTurn(List.of(new PipeSelection.AtMost(1))),
                new PipeSelection.All()));
    assertThatThrownBy(() -> SelectionText.parse("few")).hasMessageContaining("most=N");
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.1.0.0/33", "10.1.0", "256.0.0.1", "10.0.0.1/8 dev x", "::1"})
  void refusesWhatIsNoPrefix(String text) {
    assertThatThrownBy(() -> new Ipv4PrefixText().convert(text))
        .hasMessageContaining("10.1.0.0/16");
    assertThat(new Ipv4PrefixText().convert("10.1.0.0/16")).isEqualTo("10.1.0.0/16");
  }

  @Test
  void aPipeOfDatagramsNeedsAPeerAndNoRoundTrip() {
    PipeSpec pipe = PipeSpec.parse("wan0,peer=192.0.2.7:7710");

    assertThat(pipe.peer()).hasToString("/192.0.2.7:7710");
    assertThat(pipe.rateIsGiven()).isFalse();
    assertThat(pipe.overheadBytes()).isEqualTo(48);
    assertThat(PipeSpec.parse("wan0,peer=192.0.2.7:7710,rate=1Mbit").rateIsGiven()).isTrue();
    assertThat(PipeSpec.parse("wan0,peer=192.0.2.7:7710,rate=1Gbit").rateIsGiven()).isTrue();
    assertThat(PipeSpec.parse("wan0,peer=192.0.2.7:7710,queue=256KiB").queueIsGiven()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"all", "difference=100.0ms,loss=2.0%,most=2", "most=1", "10.1.0.0/16:most=1;all"})
  void saysPoliciesAsItReadsThem(String text) {
    assertThat(SelectionText.text(SelectionText.parse(text))).isEqualTo(text);
  }

  @Test
  void inAChainTheNearPipesTakeTheOtherDirection() {
    CaptureRoutes routes =
        new CaptureRoutes(
            "scap",
            null,
            List.of("10.1.0.0/16"),
            List.of(PipeSpec.parse("lan0,rtt=1ms")),
            List.of(PipeSpec.parse("wan0,peer=192.0.2.7:7710,via=10.9.0.1")),
            7_700);

    assertThat(routes.setUp(1_500, 1_452))
        .containsExactly(
            "link set scap-near0 mtu 1500 up",
            "route replace default dev scap-near0 table 7733",
            "route replace default dev lan0 table 7734",
            "route replace default via 10.9.0.1 dev wan0 onlink table 7702",
            "rule add pref 7700 iif lan0 to 10.1.0.0/16 lookup 7733",
            "rule add pref 7700 oif lan0 from 10.1.0.0/16 lookup 7734",
            "rule add pref 7700 oif wan0 to 192.0.2.7 lookup 7702");
  }

  @Test
  void routesLeadEachDirectionToItsDevice() {
    CaptureRoutes routes =
        new CaptureRoutes(
            "scap",
            "lan0",
            List.of("10.1.0.0/16"),
            List.of(),
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
    assertThat(routes.own()).isEqualTo(new OwnRules(7_700, 7_700, 7_764));
  }
}
