package io.cascade.gateway.scap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.command.CommandException;
import io.cascade.gateway.ip.IpCommand;
import io.cascade.packets.scap.Mode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rules of the kernel, where several begin or one was killed. */
class ScapRulesTest extends ScapNetwork {
  @Test
  void rulesThatAKilledOneHasLeftAreRemovedWhateverItsPrefixesWere() {
    String ofAnother = "7800:\tfrom all to 10.8.0.0/16 lookup 7800";
    router()
        .call(() -> {
          IpCommand.run(
              List.of(
                  "rule add pref 7700 iif lan0 to 10.7.0.0/16 lookup 7700",
                  "rule add pref 7700 iif gone0 from 10.7.0.0/16 lookup 7705",
                  "rule add pref 7800 to 10.8.0.0/16 lookup 7800"));
          return true;
        });

    router().call(() -> ScapHost.open(routes(), settings(Mode.DEF)));
    assertThat(rules()).noneMatch(rule -> rule.contains("10.7.0.0/16")).contains(ofAnother);
    assertThat(rules()).contains("7700:\tfrom all to 10.1.0.0/24 iif lan0 lookup 7700");
  }

  @Test
  void aNamesakeByMistakeLeavesTheOneThatRunsAsItIs() {
    router().call(() -> ScapHost.open(routes(), settings(Mode.DEF)));
    List<String> before = rules();

    assertThatThrownBy(() -> router().call(() -> ScapHost.open(routes(), settings(Mode.DEF))))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("cannot make the device scap-near");
    assertThat(rules()).isEqualTo(before).anyMatch(rule -> rule.startsWith("7700:"));
  }

  @Test
  void tablesThatAnotherOneUsesAreNamedAndStayAsTheyAre() {
    router().call(() -> ScapHost.open(routes(), settings(Mode.DEF)));
    List<String> before = rules();
    CaptureRoutes used = routes();
    CaptureRoutes other =
        new CaptureRoutes("scap2", "lan1", used.far(), List.of(), used.farPipes(), used.table());

    assertThatThrownBy(() -> router().call(() -> ScapHost.open(other, settings(Mode.DEF))))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("the routing table 7700 leads to scap-near");
    assertThat(rules()).isEqualTo(before).anyMatch(rule -> rule.startsWith("7700:"));
  }

  /** Nothing but the ports of its pipes tells that it runs. */
  @Test
  void aNamesakeOfAChainOfDatagramsLeavesItAsItIsToo() {
    List<PipeSpec> far = List.of(PipeSpec.parse("wan0,peer=10.1.0.9:7710,via=10.1.0.1"));
    List<PipeSpec> near = List.of(PipeSpec.parse("lan0,peer=10.0.0.9:7711,via=10.0.0.1"));
    CaptureRoutes chain = new CaptureRoutes("scap", null, List.of("10.1.0.0/24"), near, far, 7_700);
    router()
        .call(() -> {
          IpCommand.run(
              List.of("address add 10.0.0.254/24 dev lan0", "address add 10.1.0.254/24 dev wan0"));
          return ScapHost.open(chain, settings(Mode.PAIR));
        });
    List<String> before = rules();

    assertThatThrownBy(() -> router().call(() -> ScapHost.open(chain, settings(Mode.PAIR))))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("cannot take UDP port");
    assertThat(rules()).isEqualTo(before).anyMatch(rule -> rule.startsWith("7700:"));
  }
}
