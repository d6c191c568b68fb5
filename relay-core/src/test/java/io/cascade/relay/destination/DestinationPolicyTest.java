package io.cascade.relay.destination;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DestinationPolicyTest {
  private static final int CONTROL = 7412;

  @ParameterizedTest
  @ValueSource(strings = {"192.0.2.1", "9.255.255.255", "172.32.0.1", "100.128.0.1", "2001:db8::1"})
  void aChainReachesPublicAddressesWithoutARule(String address) {
    assertThat(chain(false, address, 80)).isNull();
    assertThat(chain(true, address, 80)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "0.0.0.0",
        "169.254.169.254",
        "100.100.100.200",
        "224.0.0.1",
        "255.255.255.255",
        "10.0.0.1",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "100.64.0.1",
        "::1",
        "::",
        "fe80::1",
        "ff02::1",
        "fc00::1",
        "fd12:3456::1",
        "fd00:ec2::254",
        "::ffff:10.0.0.1",
        "::10.0.0.1",
        "64:ff9b::169.254.169.254",
        "64:ff9b::10.0.0.1",
        "64:ff9b:1::1",
        "2002:a00:1::1"
      })
  void otherAddressesNeedARuleOfTheirOwn(String address) {
    for (String rule : List.of("*", "0.0.0.0/0", "::/0", "elsewhere.example", "198.51.100.0/24")) {
      assertThat(chain(false, address, 80, rule)).as(rule).isNotNull();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8:*, 10.1.2.3, 80, true",
    "10.0.0.0/8:443, 10.1.2.3, 80, false",
    "10.1.0.0/16, 10.2.0.1, 80, false",
    "10.1.0.0/16, 64:ff9b::10.1.0.1, 80, true",
    "127.0.0.1:5001, 127.0.0.1, 5001, true",
    "127.0.0.1:5001, ::ffff:127.0.0.1, 5001, true",
    "127.0.0.1:5001, 127.0.0.1, 5002, false",
    "[fd00::/8]:443, fd12::1, 443, true",
    "fd00::/8, fd00:ec2::254, 80, false",
    "169.254.0.0/16, 169.254.169.254, 80, false",
    "169.254.169.254, 169.254.169.254, 80, true",
    "100.64.0.0/10, 100.100.100.200, 80, false"
  })
  void aRuleOfABlockWithinTheirsOpensThem(String rule, String address, int port, boolean open) {
    assertThat(chain(false, address, port, rule) == null).isEqualTo(open);
  }

  @ParameterizedTest
  @CsvSource({
    "db.internal:5432, db.internal, 10.0.0.1, 5432, true",
    "db.internal:5432, DB.Internal., 10.0.0.1, 5432, true",
    "db.internal:5432, db.internal, 10.0.0.1, 22, false",
    "*.internal, db.internal, fd12::1, 22, true",
    "*, db.internal, 10.0.0.1, 22, false",
    "*, *, 10.0.0.1, 22, false",
    "db.internal, other.internal, 10.0.0.1, 22, false",
    "db.internal, db.internal, 127.0.0.1, 22, false",
    "db.internal, db.internal, 169.254.169.254, 80, false"
  })
  void aRuleOfANameOpensPrivateAddressesAndNoneOfTheRelaysSurroundings(
      String rule, String host, String address, int port, boolean open) {
    assertThat(policy(false, rule).chain(host, false).allows(address(address), port))
        .isEqualTo(open);
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"})
  void aRelayThatOnlyThisMachineReachesOpensLoopbackButToNoProxysClient(String address) {
    assertThat(chain(true, address, 80)).isNull();
    assertThat(policy(true).chain(address, true).allows(address(address), 80)).isFalse();
    assertThat(chain(true, "10.0.0.1", 80)).isNotNull();
    assertThat(chain(true, "0.0.0.0", 80)).isNotNull();
    assertThat(chain(true, "169.254.169.254", 80)).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", "0.0.0.0/0", "127.0.0.0/8", "127.0.0.1", "127.0.0.1:7412", "::1"})
  void noRuleOpensAPortOfTheRelayItself(String rule) {
    for (String address : List.of("127.0.0.1", "::1", "0.0.0.0", "::ffff:127.0.0.1")) {
      AddressRefusal refusal = chain(true, address, CONTROL, rule);
      assertThat(Objects.requireNonNull(refusal).text())
          .endsWith("is a port of this relay itself, to which no chain may connect");
      assertThat(policy(true, rule).proxy(address).allows(address(address), CONTROL)).isFalse();
    }
    assertThat(chain(true, "192.0.2.1", CONTROL)).isNull();
  }

  @Test
  void thePortsOfTheRelayAreItsOwnUnderItsAdvertisedNameToo() throws UnknownHostException {
    OwnPorts own = new OwnPorts("192.0.2.7", port -> port == CONTROL);
    own.resolveAdvertised();
    DestinationPolicy policy = new DestinationPolicy(DestinationRules.parse(List.of()), false, own);
    assertThat(policy.chain("x", false).allows(address("192.0.2.7"), CONTROL)).isFalse();
    assertThat(policy.chain("x", false).allows(address("192.0.2.7"), CONTROL + 1)).isTrue();
    assertThat(policy.chain("x", false).allows(address("192.0.2.8"), CONTROL)).isTrue();
  }

  @Test
  void aRefusalNamesTheAddressTheRuleAndTheFlag() {
    assertThat(Objects.requireNonNull(chain(false, "10.0.0.5", 5432)).text())
        .isEqualTo(
            "10.0.0.5:5432 is a private address (RFC 1918); fix: start this relay with"
                + " --allow-destination '10.0.0.5:5432'");
    AddressRefusal refusal = Objects.requireNonNull(chain(false, "fd12::5", 443));
    assertThat(refusal.opening()).isEqualTo("[fd12:0:0:0:0:0:0:5]:443");
    assertThat(chain(false, "fd12::5", 443, Objects.requireNonNull(refusal.opening()))).isNull();
  }

  @Test
  void aProxyServesWhatTheRulesNameAndNothingElse() {
    assertThat(policy(true, "*").proxy("x").allows(address("10.0.0.1"), 80)).isTrue();
    assertThat(policy(true, "*").proxy("x").allows(address("127.0.0.1"), 80)).isFalse();
    assertThat(policy(true).proxy("x").allows(address("192.0.2.1"), 80)).isFalse();
    assertThat(policy(true, "x").proxy("x").allows(address("192.0.2.1"), 80)).isTrue();
  }

  private static @Nullable AddressRefusal chain(
      boolean opensLoopback, String address, int port, String... rules) {
    return policy(opensLoopback, rules).chain(address, false).refusal(address(address), port);
  }

  private static DestinationPolicy policy(boolean opensLoopback, String... rules) {
    return new DestinationPolicy(
        DestinationRules.parse(List.of(rules)),
        opensLoopback,
        new OwnPorts("localhost", port -> port == CONTROL));
  }

  private static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
