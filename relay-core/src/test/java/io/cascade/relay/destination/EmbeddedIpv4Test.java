package io.cascade.relay.destination;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class EmbeddedIpv4Test {
  @ParameterizedTest
  @CsvSource({
    "::ffff:10.0.0.1, 10.0.0.1",
    "::ffff:0:10.0.0.1, 10.0.0.1",
    "::10.0.0.1, 10.0.0.1",
    "64:ff9b::10.0.0.1, 10.0.0.1",
    "2002:a00:1::9, 10.0.0.1",
    "2001:0:4136:e378:8000:63bf:f5ff:fffe, 10.0.0.1",
    "192.0.2.1, 192.0.2.1",
    "2001:db8::1, 2001:db8::1"
  })
  void isTakenOutOfEveryForm(String address, String inside) throws UnknownHostException {
    assertThat(EmbeddedIpv4.unwrap(InetAddress.getByName(address)))
        .isEqualTo(InetAddress.getByName(inside));
  }

  /** Java makes an IPv4 address of it unless it is told otherwise. */
  @Test
  void isTakenOutOfAMappedAddressThatStayedIpv6() throws UnknownHostException {
    byte[] mapped = new byte[16];
    mapped[10] = (byte) 0xff;
    mapped[11] = (byte) 0xff;
    mapped[12] = 127;
    mapped[15] = 1;
    InetAddress address = Inet6Address.getByAddress(null, mapped, 1);
    assertThat(SpecialAddresses.of(address)).isPresent();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void noFormHidesASpecialAddress(long seed) throws UnknownHostException {
    Random random = new Random(seed);
    for (int i = 0; i < 100; i++) {
      byte[] inside = new byte[4];
      random.nextBytes(inside);
      if (random.nextBoolean()) {
        inside[0] = List.of((byte) 10, (byte) 127, (byte) 0, (byte) 224).get(random.nextInt(4));
      }
      boolean special = SpecialAddresses.of(InetAddress.getByAddress(inside)).isPresent();
      for (byte[] form : forms(inside, random)) {
        InetAddress address = Inet6Address.getByAddress(null, form, 0);
        assertThat(SpecialAddresses.of(address).isPresent())
            .as(address.toString())
            .isEqualTo(special);
      }
    }
  }

  static LongStream seeds() {
    return LongStream.range(0, 20);
  }

  private static List<byte[]> forms(byte[] inside, Random random) {
    byte[] mapped = new byte[16];
    mapped[10] = (byte) 0xff;
    mapped[11] = (byte) 0xff;
    System.arraycopy(inside, 0, mapped, 12, 4);
    byte[] nat64 = new byte[16];
    nat64[1] = 0x64;
    nat64[2] = (byte) 0xff;
    nat64[3] = (byte) 0x9b;
    System.arraycopy(inside, 0, nat64, 12, 4);
    byte[] sixToFour = new byte[16];
    random.nextBytes(sixToFour);
    sixToFour[0] = 0x20;
    sixToFour[1] = 0x02;
    System.arraycopy(inside, 0, sixToFour, 2, 4);
    byte[] teredo = new byte[16];
    random.nextBytes(teredo);
    System.arraycopy(new byte[] {0x20, 0x01, 0, 0}, 0, teredo, 0, 4);
    for (int i = 0; i < 4; i++) {
      teredo[12 + i] = (byte) ~inside[i];
    }
    return List.of(mapped, nat64, sixToFour, teredo);
  }
}
