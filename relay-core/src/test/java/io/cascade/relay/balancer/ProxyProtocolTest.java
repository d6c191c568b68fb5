package io.cascade.relay.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProxyProtocolTest {
  private static final String SIGNATURE = "0d0a0d0a000d0a515549540a";

  @Test
  void aLineOfVersion1NamesTheClientAndWhereItConnectedTo() throws Exception {
    ByteBuf bytes = ascii("PROXY TCP4 192.0.2.7 198.51.100.1 56324 443\r\nhello");

    assertThat(ProxyProtocol.read(bytes))
        .isEqualTo(header("192.0.2.7", 56_324, "198.51.100.1", 443));
    assertThat(bytes.toString(StandardCharsets.US_ASCII)).isEqualTo("hello");
    assertThat(ProxyProtocol.read(ascii("PROXY TCP6 2001:db8::7 2001:db8::1 1 2\r\n")))
        .isEqualTo(header("2001:db8::7", 1, "2001:db8::1", 2));
  }

  @Test
  void aHeaderOfVersion2DoesWithTlvsSkipped() throws Exception {
    ByteBuf bytes = hex(SIGNATURE + "2111000f" + "c0000207c6336401" + "dc0401bb" + "030000" + "ff");

    assertThat(ProxyProtocol.read(bytes))
        .isEqualTo(header("192.0.2.7", 56_324, "198.51.100.1", 443));
    assertThat(bytes.readableBytes()).isOne();
    assertThat(
            ProxyProtocol.read(
                hex(
                    SIGNATURE
                        + "21210024"
                        + "20010db8000000000000000000000007"
                        + "20010db8000000000000000000000001"
                        + "00010002")))
        .isEqualTo(header("2001:db8::7", 1, "2001:db8::1", 2));
  }

  @Test
  void aBalancerMaySpeakForItselfOrForAClientWithoutAnAddress() throws Exception {
    assertThat(ProxyProtocol.read(hex(SIGNATURE + "20000000")))
        .isEqualTo(new ProxyProtocol.Header(null, true));
    assertThat(ProxyProtocol.read(ascii("PROXY UNKNOWN ffff::1 whatever\r\n")))
        .isEqualTo(new ProxyProtocol.Header(null, false));
    assertThat(ProxyProtocol.read(hex(SIGNATURE + "21310002" + "abcd"))) // of a Unix socket
        .isEqualTo(new ProxyProtocol.Header(null, false));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "50524f5859205443503420312e322e332e34",
        "0d0a0d0a000d0a51",
        SIGNATURE + "2111000c" + "c0000207",
        ""
      })
  void nothingIsTakenOfAHeaderThatIsNotWhole(String bytes) throws Exception {
    ByteBuf some = hex(bytes);

    assertThat(ProxyProtocol.read(some)).isNull();
    assertThat(some.readerIndex()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1\r\n",
        "PROXY TCP4 localhost 198.51.100.1 1 2\r\n",
        "PROXY TCP4 192.0.2.7 198.51.100.1 1 70000\r\n",
        "PROXY TCP4 192.0.2.7\r\n",
        "PROXY TCP4 192.0.2.7 198.51.100.1 1 2\n",
        "PROXY TCP4 1.2.3.4 1.2.3.4 1 2 and so on, until it is longer than any line of version one"
            + " may ever be\r\n"
      })
  void somethingElseIsNoHeader(String bytes) {
    assertThatThrownBy(() -> ProxyProtocol.read(ascii(bytes)))
        .isInstanceOf(ProxyProtocol.NotOne.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"31110000", "22110000", "2111ffff", "21110004c0000207"})
  void anotherVersionOrLengthIsNone(String rest) {
    assertThatThrownBy(() -> ProxyProtocol.read(hex(SIGNATURE + rest)))
        .isInstanceOf(ProxyProtocol.NotOne.class);
  }

  private static ProxyProtocol.@Nullable Header header(
      String client, int port, String at, int ingress) {
    return new ProxyProtocol.Header(
        new ClientAddress(new InetSocketAddress(client, port), new InetSocketAddress(at, ingress)),
        false);
  }

  private static ByteBuf ascii(String text) {
    return Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
  }

  private static ByteBuf hex(String digits) {
    return Unpooled.wrappedBuffer(HexFormat.of().parseHex(digits));
  }
}
