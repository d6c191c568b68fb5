package io.cascade.gateway.ip;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class OwnRulesTest {
  private final OwnRules own = new OwnRules(7_700, 7_700, 7_764);

  @Test
  void areThoseOfTheirPreferenceThatLeadToTheirTables() {
    assertThat(
            own.removal(
                List.of(
                    "0:\tfrom all lookup 255",
                    "7700:\tfrom all to 10.1.0.0/24 iif lan0 lookup 7700",
                    "7700:\tfrom all to 10.2.0.0/24 iif lan0 [detached] lookup 7700 proto static",
                    "7700:\tfrom 10.1.0.0/24 iif wan0 lookup 7701",
                    "7700:\tfrom all to 10.3.0.0/24 lookup 7800",
                    "7700:\tfrom all to 10.3.0.0/24 blackhole",
                    "7770:\tfrom all to 10.4.0.0/24 lookup 7700",
                    "32766:\tfrom all lookup 254")))
        .containsExactly(
            "rule del pref 7700 lookup 7700",
            "rule del pref 7700 lookup 7700",
            "rule del pref 7700 lookup 7701",
            "route flush table 7700",
            "route flush table 7701");
  }

  @Test
  void theTableIsEmptiedWhereThereAreNone() {
    assertThat(own.removal(List.of())).containsExactly("route flush table 7700");
  }
}
