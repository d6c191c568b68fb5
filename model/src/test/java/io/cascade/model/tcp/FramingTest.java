package io.cascade.model.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class FramingTest {

  @Test
  void ethernetWithTimestampsCarries94Percent() {
    assertThat(Framing.ETHERNET_1500.mssBytes()).isEqualTo(1448);
    assertThat(Framing.ETHERNET_1500.payloadShare()).isCloseTo(0.9415, within(5e-5));
  }

  @Test
  void withoutTimestampsItCarriesALittleMore() {
    Framing plain = new Framing(1500, false, 38);
    assertThat(plain.mssBytes()).isEqualTo(1460);
    assertThat(plain.payloadShare()).isCloseTo(0.9493, within(5e-5));
  }

  @Test
  void refusesPacketsWithoutRoomForPayload() {
    assertThatIllegalArgumentException().isThrownBy(() -> Framing.ETHERNET_1500.withMtu(52));
  }

  @Test
  void ipVersion6TakesTwentyBytesMore() {
    Framing ipv6 = new Framing(1480, true, 58);
    assertThat(ipv6.mssBytes()).isEqualTo(1428);
    assertThat(ipv6.payloadShare()).isEqualTo(1428.0 / 1538);
  }
}
