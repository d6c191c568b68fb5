package io.cascade.packets.header;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class AddressesTest {
  private static final IpAddress V4 = IpAddress.of(new byte[] {10, 77, 0, (byte) 200});
  private static final IpAddress V6 =
      IpAddress.of(new byte[] {0x20, 1, 0xd, (byte) 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});

  @Test
  void showsAddressesAsPeopleWriteThem() {
    assertThat(V4).hasToString("10.77.0.200");
    assertThat(V6).hasToString("2001:db8:0:0:0:0:0:1");
    assertThat(V4.bytes()).containsExactly(10, 77, 0, 200);
    assertThat(IpAddress.of(V6.bytes())).isEqualTo(V6);
  }

  @Test
  void prefixesContainWhatBeginsAlike() {
    assertThat(new IpPrefix(V4, 24).contains(IpAddress.of(new byte[] {10, 77, 0, 1}))).isTrue();
    assertThat(new IpPrefix(V4, 24).contains(IpAddress.of(new byte[] {10, 77, 1, 1}))).isFalse();
    assertThat(new IpPrefix(V4, 0).contains(IpAddress.of(new byte[] {1, 2, 3, 4}))).isTrue();
    assertThat(new IpPrefix(V4, 32).contains(V4)).isTrue();
    assertThat(new IpPrefix(V4, 0).contains(V6)).isFalse();
    byte[] other = V6.bytes();
    other[15] = 2;
    assertThat(new IpPrefix(V6, 126).contains(IpAddress.of(other))).isTrue();
    assertThat(new IpPrefix(V6, 127).contains(IpAddress.of(other))).isFalse();
    assertThat(new IpPrefix(V6, 32).contains(IpAddress.of(other))).isTrue();
    assertThatThrownBy(() -> new IpPrefix(V4, 33)).hasMessageContaining("0 to 32");
  }

  @Test
  void aNetworkHasZerosBehindItsBits() {
    assertThat(new IpPrefix(V4, 24).network()).hasToString("10.77.0.0/24");
    assertThat(new IpPrefix(V4, 9).network()).hasToString("10.0.0.0/9");
    assertThat(new IpPrefix(V4, 32).network()).hasToString("10.77.0.200/32");
    assertThat(new IpPrefix(V4, 0).network()).hasToString("0.0.0.0/0");
    assertThat(new IpPrefix(V6, 20).network()).hasToString("2001:0:0:0:0:0:0:0/20");
    assertThat(new IpPrefix(V6, 64).network()).hasToString("2001:db8:0:0:0:0:0:0/64");
    assertThat(new IpPrefix(V6, 128).network()).hasToString("2001:db8:0:0:0:0:0:1/128");
  }
}
