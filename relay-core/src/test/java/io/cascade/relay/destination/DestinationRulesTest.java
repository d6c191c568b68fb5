package io.cascade.relay.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.AddressBlock;
import io.cascade.relay.destination.DestinationRules.Look;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DestinationRulesTest {
  @Test
  void withoutARuleNothingIsAllowed() {
    assertThat(rules().look("example.org", 443)).isEqualTo(Look.REFUSED);
    assertThat(rules().look("192.0.2.1", 443)).isEqualTo(Look.REFUSED);
  }

  @ParameterizedTest
  @CsvSource({
    "*, any.example, 1, ALLOWED",
    "*, 192.0.2.1, 1, ALLOWED",
    "*:443, any.example, 443, ALLOWED",
    "*:443, any.example, 80, REFUSED",
    "*:443, 2001:db8::1, 443, ALLOWED",
    "example.org, example.org, 80, ALLOWED",
    "example.org, EXAMPLE.org., 80, ALLOWED",
    "example.org, www.example.org, 80, REFUSED",
    "example.org:22, example.org, 80, REFUSED",
    "*.example.org, www.example.org, 80, ALLOWED",
    "*.example.org, a.b.example.org, 80, ALLOWED",
    "*.example.org, example.org, 80, REFUSED",
    "*.example.org, badexample.org, 80, REFUSED",
    "*.example.org, 192.0.2.1, 80, REFUSED",
    "10.0.0.0/8, 10.1.2.3, 80, ALLOWED",
    "10.0.0.0/8, 11.1.2.3, 80, REFUSED",
    "10.0.0.0/8:22, 10.1.2.3, 80, REFUSED",
    "10.0.0.0/8, some.name, 80, BY_ADDRESS",
    "10.0.0.0/8:22, some.name, 80, REFUSED",
    "10.1.2.3, 10.1.2.3, 80, ALLOWED",
    "10.1.2.3:80, 10.1.2.4, 80, REFUSED",
    "2001:db8::/32, 2001:db8::1, 80, ALLOWED",
    "[2001:db8::/32]:443, 2001:db8::1, 80, REFUSED",
    "[2001:db8::1]:443, 2001:db8::1, 443, ALLOWED",
    "10.0.0.0/8:*, 10.1.2.3, 80, ALLOWED",
    "[2001:db8::/32]:*, 2001:db8::1, 80, ALLOWED"
  })
  void aRuleSaysWhoAndWhichPort(String rule, String host, int port, Look expected) {
    assertThat(rules(rule).look(host, port)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.255.0.9",
        "0.0.0.0",
        "169.254.169.254",
        "100.100.100.200",
        "168.63.129.16",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1",
        "ff02::1",
        "fd00:ec2::254",
        "::ffff:127.0.0.1",
        "::127.0.0.1",
        "64:ff9b::169.254.169.254",
        "2002:7f00:1::1"
      })
  void theRelaysSurroundingsNeedARuleOfTheirOwn(String address) throws UnknownHostException {
    InetAddress resolved = InetAddress.getByName(address);
    for (String rule : List.of("*", "0.0.0.0/0", "::/0", "somewhere.example")) {
      DestinationRules rules = rules(rule);
      assertThat(rules.look(address, 80)).as(rule).isEqualTo(Look.REFUSED);
      assertThat(proxy(rules, "somewhere.example").allows(resolved, 80)).as(rule).isFalse();
    }
  }

  @Test
  void aRuleThatNamesThemOpensThem() throws UnknownHostException {
    InetAddress loopback = InetAddress.getByName("127.0.0.1");
    DestinationRules rules = rules("*", "127.0.0.0/8:5432");
    assertThat(rules.look("127.0.0.1", 5432)).isEqualTo(Look.ALLOWED);
    assertThat(rules.look("127.0.0.1", 5433)).isEqualTo(Look.REFUSED);
    assertThat(proxy(rules, "localhost").allows(loopback, 5432)).isTrue();
    assertThat(proxy(rules, "localhost").allows(loopback, 5433)).isFalse();
  }

  @Test
  void aNameThatIsAllowedForItsAddressGoesToSuchAddressesOnly() throws UnknownHostException {
    DestinationRules rules = rules("10.0.0.0/8");
    assertThat(proxy(rules, "name").allows(InetAddress.getByName("10.0.0.1"), 80)).isTrue();
    assertThat(proxy(rules, "name").allows(InetAddress.getByName("192.0.2.1"), 80)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "10.0.0.0/33", "10.0.0.0/x", "a b", "example.org:0", "*.", "x:70000"})
  void whatIsNoRuleIsNamed(String rule) {
    assertThatThrownBy(() -> rules(rule))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected");
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whateverIsWrittenIsARuleOrNamedAsNone(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 500; i++) {
      String rule = anyRule(random);
      try {
        DestinationRules rules = rules(rule);
        assertThat(rules.isEmpty()).as(rule).isFalse();
        rules.look("some.name", 1 + random.nextInt(65_535));
      } catch (IllegalArgumentException e) {
        assertThat(e).as(rule).hasMessageContaining("expected");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aBlockMatchesExactlyTheAddressesWithItsPrefix(long seed) throws UnknownHostException {
    Random random = new Random(seed);
    for (int i = 0; i < 200; i++) {
      byte[] network = new byte[random.nextBoolean() ? 4 : 16];
      random.nextBytes(network);
      network[0] = (byte) (network[0] | 0x80); // no special form of IPv6
      int bits = random.nextInt(network.length * 8 + 1);
      AddressBlock block =
          AddressBlock.parse(InetAddress.getByAddress(network).getHostAddress() + "/" + bits);
      byte[] other = network.clone();
      int flipped = random.nextInt(network.length * 8);
      other[flipped / 8] ^= (byte) (0x80 >> (flipped % 8));
      assertThat(block.contains(InetAddress.getByAddress(network))).isTrue();
      assertThat(block.contains(InetAddress.getByAddress(other)))
          .as(block + " " + flipped)
          .isEqualTo(flipped >= bits);
    }
  }

  static LongStream seeds() {
    return LongStream.range(0, 20);
  }

  private static String anyRule(Random random) {
    List<String> pieces =
        List.of("*", ".", ":", "/", "[", "]", "10", "::", "fd00", "8", "a", "-", "443", " ", "%");
    StringBuilder rule = new StringBuilder();
    for (int i = random.nextInt(9); i >= 0; i--) {
      rule.append(pieces.get(random.nextInt(pieces.size())));
    }
    return rule.toString();
  }

  private static AddressRule proxy(DestinationRules rules, String host) {
    return new DestinationPolicy(rules, true, new OwnPorts("localhost", _ -> false)).proxy(host);
  }

  private static DestinationRules rules(String... rules) {
    return DestinationRules.parse(List.of(rules));
  }
}
