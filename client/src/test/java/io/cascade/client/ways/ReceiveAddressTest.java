package io.cascade.client.ways;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReceiveAddressTest {
  @Test
  void theRouteOutwardsDecidesWhereThereIsOne() {
    assertThat(first("192.0.2.7", "198.51.100.7")).hasValue("192.0.2.7");
  }

  @Test
  void withoutARouteOutwardsADevicesAddressIsTaken() {
    assertThat(first(null, "198.51.100.7", "10.0.0.7")).hasValue("198.51.100.7");
    assertThat(first("0.0.0.0", "10.0.0.7")).hasValue("10.0.0.7");
    assertThat(first("127.0.0.1", "10.0.0.7")).hasValue("10.0.0.7");
  }

  @Test
  void addressesOfThisHostOrOfOneLinkAloneLeadNobodyHere() {
    assertThat(first(null, "fe80::1", "169.254.1.1", "127.0.0.2", "2001:db8::7", "10.0.0.7"))
        .as("IPv4 sooner than IPv6")
        .hasValue("10.0.0.7");
    assertThat(first(null, "fe80::1", "2001:db8::7")).hasValue("2001:db8:0:0:0:0:0:7");
    assertThat(first(null, "fe80::1", "169.254.1.1")).isEmpty();
    assertThat(first(null)).isEmpty();
  }

  private static Optional<String> first(@Nullable String onRoute, String... ofDevices) {
    List<InetAddress> addresses =
        Arrays.stream(ofDevices).map(ReceiveAddressTest::address).toList();
    return ReceiveAddress.first(onRoute == null ? List.of() : List.of(address(onRoute)), addresses)
        .map(ReceiveAddress::withoutScope);
  }

  @Test
  void theDeviceThatAnAddressBelongsToIsLeftOut() throws Exception {
    byte[] bytes = address("2001:db8::7").getAddress();

    assertThat(ReceiveAddress.withoutScope(Inet6Address.getByAddress("", bytes, 1)))
        .isEqualTo("2001:db8:0:0:0:0:0:7");
  }

  private static InetAddress address(String literal) {
    try {
      return InetAddress.getByName(literal);
    } catch (UnknownHostException e) {
      throw new AssertionError(literal, e);
    }
  }
}
