package io.cascade.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressBlockTest {
  @ParameterizedTest
  @CsvSource({
    "10.1.0.0/16, 10.1.0.0/16",
    "10.1.2.3, 10.1.2.3/32",
    "2001:db8::/32, 2001:db8:0:0:0:0:0:0/32",
    "::ffff:10.1.2.3, 10.1.2.3/32",
  })
  void readsAddressesAndTheirPrefixes(String text, String read) {
    assertThat(AddressBlock.parse(text)).hasToString(read);
  }

  /**
   * {@link java.net.InetAddress} takes 10.1 for 10.0.0.1, which nobody means who writes 10.1/16.
   */
  @ParameterizedTest
  @ValueSource(strings = {"10.1/16", "192.168/16", "10/8", "fra", "10.0.0.0/33", "10.0.0.0/x", ""})
  void refusesWhatIsNoWholeAddress(String text) {
    assertThatThrownBy(() -> AddressBlock.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
